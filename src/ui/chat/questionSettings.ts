import type { TurnOptions } from "../../chat/turn/turn.ts";
import { canUseServerTools } from "../../client/contract/schemas.ts";
import { isDemo } from "../base/settings.ts";
import type { ProjectInstructions } from "../attachments/projectInstructions.ts";
import { chatParameters } from "../composer/composerView.ts";
import type { ChatSettings } from "../composer/chatSettings.ts";

/**
 * Options of questions: read and written in the settings of the chat that is shown; the project's instructions are read as
 * they are.
 */
export class QuestionSettings {
	private readonly settings: Pick<ChatSettings, "get" | "set" | "systemPrompt">;
	private readonly project: Pick<ProjectInstructions, "sent" | "refresh"> | undefined;
	private last: Promise<void> = Promise.resolve();

	constructor(
		settings: Pick<ChatSettings, "get" | "set" | "systemPrompt">,
		project?: Pick<ProjectInstructions, "sent" | "refresh">,
	) {
		this.settings = settings;
		this.project = project;
	}

	/** As they are now. */
	current(): TurnOptions {
		return this.read(this.settings.get("chat.model"));
	}

	/**
	 * The same, or with another model for once, when every choice made so far has reached the settings: a quick Enter asks with
	 * what the switches show.
	 */
	async settled(model?: string): Promise<TurnOptions> {
		// As they are on the disk now: a change of a moment ago may not have been heard of.
		await Promise.all([this.last, this.project?.refresh()]);
		return model === undefined ? this.current() : this.read(model);
	}

	/** Makes a model the one that answers from now on. */
	setModel(model: string): Promise<void> {
		return this.inTurn(() => this.settings.set("chat.model", model));
	}

	/** Switches a server tool on or off from now on. */
	setServerTool(tool: "code_interpreter" | "browsing", isOn: boolean): Promise<void> {
		return this.inTurn(() => {
			const others = this.settings.get("chat.serverTools").filter(name => name !== tool);
			return this.settings.set("chat.serverTools", isOn ? [...others, tool] : others);
		});
	}

	private read(model: string): TurnOptions {
		const { settings } = this;
		const systemPrompt = settings.systemPrompt();
		const instructions = this.project?.sent() ?? [];
		const switchedOn = settings.get("chat.serverTools");
		const isLocal = settings.get("endpoint") === "";
		return {
			model,
			// Of the local service Cutaway reads the pages, so that every address passes its gate.
			serverTools: isLocal ? switchedOn.filter(tool => tool !== "browsing") : switchedOn,
			...(isLocal && switchedOn.includes("browsing") && canUseServerTools(model)
				? { mayBrowse: true }
				: {}),
			parameters: chatParameters(settings),
			...(systemPrompt.trim() === "" ? {} : { systemPrompt }),
			...(instructions.length > 0 ? { instructions } : {}),
			...(isDemo(settings, model) ? { isDemo: true } : {}),
		};
	}

	private inTurn(write: () => Promise<void>): Promise<void> {
		const written = this.last.then(write);
		// A choice that could not be written is told to whoever made it.
		this.last = written.catch(() => undefined);
		return written;
	}
}
