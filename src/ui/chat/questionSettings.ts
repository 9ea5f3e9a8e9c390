import type { TurnOptions } from "../../chat/turn/index.ts";
import { isDemo } from "../base/settings.ts";
import type { ProjectInstructions } from "../attachments/index.ts";
import { chatParameters, type ChatSettings } from "../composer/index.ts";

/** Options of questions; they come from the settings of the chat alone. */
export interface QuestionSettings {
	/** As they are now. */
	current(): TurnOptions;
	/**
	 * The same, or with another model for once, when every choice made so far has reached the settings: a quick Enter asks with
	 * what the switches show.
	 */
	settled(model?: string): Promise<TurnOptions>;
	/** Makes a model the one that answers from now on. */
	setModel(model: string): Promise<void>;
	/** Switches a server tool on or off from now on. */
	setServerTool(tool: "code_interpreter" | "browsing", isOn: boolean): Promise<void>;
}

/** Reads and writes the options in the settings of the chat that is shown; the project's instructions are read as they are. */
export function createQuestionSettings(
	settings: Pick<ChatSettings, "get" | "set" | "systemPrompt">,
	project?: Pick<ProjectInstructions, "sent" | "refresh">,
): QuestionSettings {
	const current = (model = settings.get("chat.model")): TurnOptions => {
		const systemPrompt = settings.systemPrompt();
		const instructions = project?.sent() ?? [];
		return {
			model,
			serverTools: settings.get("chat.serverTools"),
			parameters: chatParameters(settings),
			...(systemPrompt.trim() === "" ? {} : { systemPrompt }),
			...(instructions.length > 0 ? { instructions } : {}),
			...(isDemo(settings, model) ? { isDemo: true } : {}),
		};
	};
	let last: Promise<void> = Promise.resolve();
	const inTurn = (write: () => Promise<void>): Promise<void> => {
		const written = last.then(write);
		// A choice that could not be written is told to whoever made it.
		last = written.catch(() => undefined);
		return written;
	};
	return {
		current: () => current(),
		settled: async model => {
			// As they are on the disk now: a change of a moment ago may not have been heard of.
			await Promise.all([last, project?.refresh()]);
			return current(model);
		},
		setModel: model => inTurn(() => settings.set("chat.model", model)),
		setServerTool: (tool, isOn) =>
			inTurn(() => {
				const others = settings.get("chat.serverTools").filter(name => name !== tool);
				return settings.set("chat.serverTools", isOn ? [...others, tool] : others);
			}),
	};
}
