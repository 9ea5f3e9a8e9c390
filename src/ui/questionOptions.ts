import type { TurnOptions } from "../chat/turn.ts";
import { chatParameters } from "./chatViewModel.ts";
import type { Settings } from "./settings.ts";

/** The model, the server tools and the parameters that questions are asked with; the settings are their one home. */
export interface QuestionOptions {
	/** As they are now. */
	current(): TurnOptions;
	/** Makes a model the one that answers from now on. */
	setModel(model: string): Promise<void>;
	/** Switches a server tool on or off from now on. */
	setServerTool(tool: "code_interpreter" | "browsing", isOn: boolean): Promise<void>;
}

/** Reads and writes the options in the settings. */
export function createQuestionOptions(settings: Settings): QuestionOptions {
	return {
		current: () => ({
			model: settings.get("chat.model"),
			serverTools: settings.get("chat.serverTools"),
			parameters: chatParameters(settings),
		}),
		setModel: model => settings.set("chat.model", model),
		setServerTool: (tool, isOn) => {
			const others = settings.get("chat.serverTools").filter(name => name !== tool);
			return settings.set("chat.serverTools", isOn ? [...others, tool] : others);
		},
	};
}
