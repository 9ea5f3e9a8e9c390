import type { ChatPushes, ChatRequests } from "../../../src/shared/chat.ts";
import type {
	ChatSettingFault,
	ChatSettingName,
	ChatSettingsView,
	ChatSettingValues,
} from "../../../src/shared/slash.ts";
import type { Host } from "../../shared/host.ts";
import { describeFailure } from "../draft/draft.ts";
import type { ViewMemory } from "../base/viewMemory.ts";

/** Returns the id of a field, for focusing it. */
export function chatSettingId(name: ChatSettingName): string {
	return `chat-setting-${name}`;
}

/** State of the open form. */
export interface ChatSettingsForm {
	readonly view: ChatSettingsView;
	readonly values: ChatSettingValues;
	readonly faults: readonly ChatSettingFault[];
	/** Whether the model is typed as an id instead of chosen from the list. */
	readonly typesModel: boolean;
	/** Why saving failed, as a sentence; empty if it didn't. */
	readonly failure: string;
	readonly isSaving: boolean;
}

export interface ChatSettingsPanelDependencies {
	/** Keeps unsaved values across reloads until they are saved or discarded. */
	readonly memory: ViewMemory;
	readonly call: Host<ChatRequests, ChatPushes>["call"];
	/** Loads the code that renders the form. */
	readonly load: () => Promise<void>;
	readonly onChange: () => void;
	/** Focuses a field of the form. */
	readonly onFocus: (name: ChatSettingName) => void;
	/** Restores the focus from before the form was opened. */
	readonly onClosed: (isSaved: boolean) => void;
	readonly onFailed: (sentence: string) => void;
}

export class ChatSettingsPanel {
	private readonly dependencies: ChatSettingsPanelDependencies;
	private shown: ChatSettingsForm | undefined;

	constructor(dependencies: ChatSettingsPanelDependencies) {
		this.dependencies = dependencies;
	}

	/** Undefined while it is closed. */
	get form(): ChatSettingsForm | undefined {
		return this.shown;
	}

	/** Opens the form with the chat's settings, or with its unsaved values, and focuses a field. */
	async open(field: ChatSettingName = "systemPrompt"): Promise<void> {
		try {
			const { call, load } = this.dependencies;
			const [view] = await Promise.all([call("chatSettings", {}), load()]);
			const { settings: entered } = this.dependencies.memory.current;
			const values = entered?.chatId === view.chatId ? entered.values : view.values;
			const typesModel = !view.models.includes(values.model);
			this.show({ view, values, faults: [], typesModel, failure: "", isSaving: false });
			this.dependencies.onFocus(field);
		} catch (error) {
			this.dependencies.onFailed(describeFailure(error));
		}
	}

	/** Closes the form. Keeps unsaved values for the next time unless `isDropped`. */
	close(isDropped: boolean): void {
		this.leave(isDropped, false);
	}

	enter(name: ChatSettingName, value: string): void {
		if (this.shown) {
			const faults = this.shown.faults.filter(fault => fault.name !== name);
			this.show({ ...this.shown, values: { ...this.shown.values, [name]: value }, faults });
			this.remember();
		}
	}

	/** Replaces the list of models by an empty field for an id. */
	typeModel(): void {
		if (this.shown) {
			this.show({ ...this.shown, typesModel: true });
			this.enter("model", "");
			this.dependencies.onFocus("model");
		}
	}

	/** Resets every field to its default. Doesn't save. */
	resetAll(): void {
		if (this.shown) {
			const { defaults: values, models } = this.shown.view;
			const typesModel = !models.includes(values.model);
			this.show({ ...this.shown, values, faults: [], typesModel, failure: "" });
			this.remember();
		}
	}

	/** Saves the values. Closes the form on success, otherwise shows the faults. */
	async save(): Promise<void> {
		if (!this.shown || this.shown.isSaving) {
			return;
		}
		const asked: ChatSettingsForm = { ...this.shown, faults: [], failure: "", isSaving: true };
		this.show(asked);
		const outcome = await saveForm(this.dependencies.call, asked);
		if (outcome === "saved") {
			this.leave(true, true);
		} else if (this.shown) {
			this.show({ ...this.shown, ...outcome, isSaving: false });
			this.dependencies.onFocus(outcome.faults[0]?.name ?? "systemPrompt");
		}
	}

	/** Called when a chat is shown. Closes the form of another chat. */
	chatShown(chatId: string): void {
		if (this.shown && this.shown.view.chatId !== chatId) {
			this.close(false);
		}
	}

	private leave(isDropped: boolean, isSaved: boolean): void {
		if (this.shown) {
			if (isDropped) {
				this.dependencies.memory.update({ settings: null });
			}
			this.show(undefined);
			this.dependencies.onClosed(isSaved);
		}
	}

	private remember(): void {
		if (this.shown) {
			const { view, values } = this.shown;
			this.dependencies.memory.update({ settings: { chatId: view.chatId, values } });
		}
	}

	private show(next: ChatSettingsForm | undefined): void {
		this.shown = next;
		this.dependencies.onChange();
	}
}

/** Sends the values to the host. Resolves to the faults or a failure if they weren't saved. */
async function saveForm(
	call: ChatSettingsPanelDependencies["call"],
	{ view, values }: ChatSettingsForm,
): Promise<"saved" | Pick<ChatSettingsForm, "faults" | "failure">> {
	try {
		const { faults } = await call("saveChatSettings", { chatId: view.chatId, values });
		return faults.length === 0 ? "saved" : { faults, failure: "" };
	} catch (error) {
		return { faults: [], failure: describeFailure(error) };
	}
}
