import type { ChatPushes, ChatRequests } from "../../../src/shared/chat.ts";
import type {
	ChatSettingFault,
	ChatSettingName,
	ChatSettingsView,
	ChatSettingValues,
} from "../../../src/shared/chatSettings.ts";
import type { Host } from "../../shared/host.ts";
import { describeFailure } from "../draft/draft.ts";
import type { ViewMemory } from "../base/viewMemory.ts";

/** The id of a field, for what puts the cursor into it. */
export function chatSettingId(name: ChatSettingName): string {
	return `chat-setting-${name}`;
}

/** The form of a chat's settings while it is open. */
export interface ChatSettingsForm {
	readonly view: ChatSettingsView;
	/** Content of the fields. */
	readonly values: ChatSettingValues;
	readonly faults: readonly ChatSettingFault[];
	/** Why nothing could be kept, as a sentence; empty when all is well. */
	readonly failure: string;
	readonly isSaving: boolean;
}

/** Dependencies of the panel. */
export interface ChatSettingsPanelDependencies {
	/** Keeps what is entered until it is saved or dropped, whatever becomes of the page. */
	readonly memory: ViewMemory;
	readonly call: Host<ChatRequests, ChatPushes>["call"];
	/** Loads what draws the form. */
	readonly load: () => Promise<void>;
	readonly onChange: () => void;
	/** Puts the cursor into a field of the form. */
	readonly onFocus: (name: ChatSettingName) => void;
	/** Puts the cursor back where it was before the form. */
	readonly onClosed: (isSaved: boolean) => void;
	readonly onFailed: (sentence: string) => void;
}

/** The chat's settings in the panel. */
export class ChatSettingsPanel {
	private readonly dependencies: ChatSettingsPanelDependencies;
	private shown: ChatSettingsForm | undefined;

	/** Makes the panel, closed. */
	constructor(dependencies: ChatSettingsPanelDependencies) {
		this.dependencies = dependencies;
	}

	/** Nothing while it is closed. */
	get form(): ChatSettingsForm | undefined {
		return this.shown;
	}

	/** Opens with what the host has, or with what was entered in this chat and not saved; the cursor goes to a field. */
	async open(field: ChatSettingName = "systemPrompt"): Promise<void> {
		try {
			const { call, load } = this.dependencies;
			const [view] = await Promise.all([call("chatSettings", {}), load()]);
			const { settings: entered } = this.dependencies.memory.current;
			const values = entered?.chatId === view.chatId ? entered.values : view.values;
			this.show({ view, values, faults: [], failure: "", isSaving: false });
			this.dependencies.onFocus(field);
		} catch (error) {
			this.dependencies.onFailed(describeFailure(error));
		}
	}

	/** Closes; what was entered waits for the next opening, unless it is to be dropped. */
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

	/** Puts every field back to what the settings say. Nothing is kept before it is saved. */
	resetAll(): void {
		if (this.shown) {
			this.show({ ...this.shown, values: this.shown.view.defaults, faults: [], failure: "" });
			this.remember();
		}
	}

	/** Has the host take what was entered; closes when it did, and shows what is wrong with it otherwise. */
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

	/** Another chat may be shown from here on: its settings are others. */
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

/** Has the host take what was entered; what is wrong with it, or why it could not, otherwise. */
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
