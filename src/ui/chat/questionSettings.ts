import { SerialQueue } from "../../common/async.ts";
import type { TurnOptions } from "../../chat/contract/turn.ts";
import { canUseServerTools } from "../../client/contract/schemas.ts";
import { isDemo } from "../base/settings.ts";
import type { ProjectInstructions } from "../attachments/chatInstructions.ts";
import { chatParameters, type ChatSettings } from "../composer/chatSettings.ts";

/** Options of questions, read from and written to the shown chat's settings, with the project's current instructions. */
export class QuestionSettings {
	private readonly settings: Pick<
		ChatSettings,
		"get" | "set" | "choose" | "defaults" | "systemPrompt"
	>;
	private readonly project: Pick<ProjectInstructions, "sent" | "refresh"> | undefined;
	private readonly changes = new SerialQueue();

	constructor(
		settings: Pick<ChatSettings, "get" | "set" | "choose" | "defaults" | "systemPrompt">,
		project?: Pick<ProjectInstructions, "sent" | "refresh">,
	) {
		this.settings = settings;
		this.project = project;
	}

	current(): TurnOptions {
		return this.read(this.settings.get("chat.model"));
	}

	/** Returns the options, optionally with another model once, after all pending changes have been saved. */
	async settled(model?: string): Promise<TurnOptions> {
		// Reads the instructions from disk, because the watcher may not have reported the latest change.
		await Promise.all([this.changes.run(() => Promise.resolve()), this.project?.refresh()]);
		return model === undefined ? this.current() : this.read(model);
	}

	setModel(model: string): Promise<void> {
		return this.changes.run(() => this.settings.set("chat.model", model));
	}

	/** Enables or disables a server tool for this chat and new ones, which don't inherit other tools that this chat alone uses. */
	setServerTool(tool: "code_interpreter" | "browsing", isOn: boolean): Promise<void> {
		return this.changes.run(async () => {
			const { settings } = this;
			const { defaults } = settings;
			const switched = (tools: readonly (typeof tool)[]) => [
				...tools.filter(name => name !== tool),
				...(isOn ? [tool] : []),
			];
			await settings.choose("chat.serverTools", switched(settings.get("chat.serverTools")));
			await defaults.set("chat.serverTools", switched(defaults.get("chat.serverTools")));
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
			// With the local service, Cutaway reads web pages itself, so that every URL passes its tool gate.
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
}
