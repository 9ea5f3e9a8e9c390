import type { TurnOptions } from "../../chat/turn/index.ts";
import { chatParameters, type ChatSettings } from "../composer/index.ts";

/** What questions are asked with; the settings of the chat are its one home. */
export interface QuestionOptions {
	/** As they are now. */
	current(): TurnOptions;
	/** The same, once every choice made so far has reached the settings: a quick Enter asks with what the switches show. */
	settled(): Promise<TurnOptions>;
	/** Makes a model the one that answers from now on. */
	setModel(model: string): Promise<void>;
	/** Switches a server tool on or off from now on. */
	setServerTool(tool: "code_interpreter" | "browsing", isOn: boolean): Promise<void>;
}

/** Reads and writes the options in the settings of the chat that is shown. */
export function createQuestionOptions(
	settings: Pick<ChatSettings, "get" | "set" | "systemPrompt">,
): QuestionOptions {
	const current = (): TurnOptions => {
		const systemPrompt = settings.systemPrompt();
		return {
			model: settings.get("chat.model"),
			serverTools: settings.get("chat.serverTools"),
			parameters: chatParameters(settings),
			...(systemPrompt.trim() === "" ? {} : { systemPrompt }),
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
		current,
		settled: () => last.then(current),
		setModel: model => inTurn(() => settings.set("chat.model", model)),
		setServerTool: (tool, isOn) =>
			inTurn(() => {
				const others = settings.get("chat.serverTools").filter(name => name !== tool);
				return settings.set("chat.serverTools", isOn ? [...others, tool] : others);
			}),
	};
}
