import * as l10n from "@vscode/l10n";
import type { ChatLibrary } from "../../chat/library/chatLibrary.ts";
import { type ChatOptions, chatOptionsSchema } from "../../chat/log/chatOptions.ts";
import { Disposable } from "../../common/disposable.ts";
import { Emitter, type Event } from "../../common/emitter.ts";
import { toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import * as z from "zod/mini";
import type { keptValue } from "../base/keptValue.ts";
import type { SettingName, Settings, SettingValue } from "../base/settings.ts";

/** A model that the empty chat and the list of models offer, or a way to one. */
export interface ModelOffer {
	readonly id: string;
	readonly name: string;
	/** Description in one line: its server, size, context and abilities. */
	readonly detail: string;
	/** Makes it the one that answers. */
	take(): Promise<void>;
}

/** What could answer in place of the demo. */
export interface ModelSearch {
	readonly isLooking: boolean;
	/** Where the models were found. */
	readonly heading: string;
	/** The best first. */
	readonly found: readonly ModelOffer[];
	/** The shortest way to a model, where none was found. */
	readonly way?: ModelOffer;
}

/** Something that an empty chat offers to do. */
export interface ChatSuggestion {
	readonly id: "explain" | "review" | "tests" | "clip" | "help" | "sampleEdit" | "python";
	readonly label: string;
	/** Whether it is offered below an answer that the demo could not give, and not in an empty chat. */
	readonly isOfDemo?: true;
	run(): Promise<void>;
}

/** What is around a chat and changes without it. */
export interface ChatSurroundings {
	/** Undefined where somebody chose who answers. */
	readonly search: ModelSearch | undefined;
	/** The models of the server whose model answers. */
	readonly serverModels: readonly string[];
	readonly suggestions: readonly ChatSuggestion[];
}

/** Dependencies of the settings of the shown chat. */
export interface ChatSettingsDependencies {
	readonly settings: Settings;
	readonly library: Pick<ChatLibrary, "setOptions">;
	/** Keeps choices for a chat that has no file yet over reloads of the window. */
	readonly memory: ReturnType<typeof keptValue>;
	readonly log: Log;
}

/** Choices that wait, and the chat they were made in. */
const waitingSchema = z.object({ chatId: z.string(), options: chatOptionsSchema });

/** The settings under which the fields of a chat's choices are read. */
const settingOf = {
	"chat.model": "model",
	"chat.serverTools": "serverTools",
	"chat.temperature": "temperature",
	"chat.topP": "topP",
	"chat.maxTokens": "maxTokens",
	"chat.extraParameters": "extraParameters",
	"chat.projectInstructions": "projectInstructions",
} as const satisfies Partial<Record<SettingName, keyof ChatOptions>>;

type StoredSettingName = keyof typeof settingOf;
const isChatSetting = (name: SettingName): name is StoredSettingName =>
	Object.hasOwn(settingOf, name);

/**
 * The settings as the shown chat has them: what was chosen in it, and otherwise what VS Code's settings say. A model or a switch
 * chosen here counts for this chat and becomes the default of the next one.
 */
export class ChatSettings extends Disposable implements Settings {
	private readonly settings: Settings;
	private readonly library: ChatSettingsDependencies["library"];
	private readonly memory: ReturnType<typeof keptValue>;
	private readonly log: Log;
	private readonly changed = this.register(new Emitter<readonly SettingName[]>());
	private shown = "";
	private isKept = false;
	private isFirst = true;
	private chosen: ChatOptions = {};
	private around: ChatSurroundings = { search: undefined, serverModels: [], suggestions: [] };
	readonly onDidChange: Event<readonly SettingName[]> = this.changed.event;

	constructor({ settings, library, memory, log }: ChatSettingsDependencies) {
		super();
		this.settings = settings;
		this.library = library;
		this.memory = memory;
		this.log = log;
		this.register(settings.onDidChange(names => this.changed.fire(names)));
	}

	/** The chat that is shown. */
	get chatId(): string {
		return this.shown;
	}

	/** Whether nothing was asked in the shown chat yet. */
	get isNew(): boolean {
		return !this.isKept;
	}

	/** Choices made in the shown chat. */
	get options(): ChatOptions {
		return this.chosen;
	}

	/** The models and the suggestions there are now. */
	get surroundings(): ChatSurroundings {
		return this.around;
	}

	/** Shows other models or suggestions in the chat. */
	surround(change: Partial<ChatSurroundings>): void {
		this.around = { ...this.around, ...change };
		this.changed.fire(["chat.model"]);
	}

	/** Makes an offered model the one that answers, or goes the way to one; nothing happens for an offer that is gone. */
	async takeOffer(id: string): Promise<void> {
		const { search } = this.around;
		const offers = [...(search?.found ?? []), ...(search?.way ? [search.way] : [])];
		await offers.find(offer => offer.id === id)?.take();
	}

	/** The settings without the choices of the chat. */
	get defaults(): Settings {
		return this.settings;
	}

	get<Name extends SettingName>(name: Name): SettingValue<Name> {
		const own = isChatSetting(name) ? this.chosen[settingOf[name]] : undefined;
		// oxlint-disable-next-line no-unsafe-type-assertion -- A choice has the type of its setting, which the index loses.
		return own === undefined ? this.settings.get(name) : (own as SettingValue<Name>);
	}

	async set<Name extends SettingName>(name: Name, value: SettingValue<Name>): Promise<void> {
		await this.choose(name, value);
		await this.settings.set(name, value);
	}

	/** Makes a choice for the shown chat alone; nothing happens for a setting that no chat has. Throws as `change` does. */
	async choose<Name extends SettingName>(name: Name, value: SettingValue<Name>): Promise<void> {
		if (isChatSetting(name)) {
			await this.change({ ...this.chosen, [settingOf[name]]: value });
		}
	}

	/** The system prompt of the next question; empty for none. */
	systemPrompt(): string {
		return this.chosen.systemPrompt ?? this.defaultSystemPrompt();
	}

	/** The system prompt of a chat that chose none: the one the settings name, out of the library. */
	defaultSystemPrompt(): string {
		const name = this.settings.get("chat.systemPrompt");
		return this.settings.get("chat.systemPrompts")[name] ?? "";
	}

	/** In few words each, what the next question goes with beyond the model and the switches. */
	summary(): readonly string[] {
		const { temperature, topP, maxTokens, extraParameters } = this.chosen;
		const extra = Object.keys(extraParameters ?? {});
		const own = (value: number | null | undefined, words: (value: string) => string): string[] =>
			value === undefined ? [] : [words(value === null ? "–" : String(value))];
		return [
			...this.systemPromptWords(),
			...own(temperature, value => l10n.t("Temperature {0}", value)),
			...own(topP, value => l10n.t("Top P {0}", value)),
			...own(maxTokens, value => l10n.t("Max tokens {0}", value)),
			...(extra.length > 0 ? [extra.join(", ")] : []),
			...(extraParameters && extra.length === 0 ? [l10n.t("No extra parameters")] : []),
		];
	}

	/** Shows the choices of another chat; without `kept` it is one that has no file yet. */
	follow(chatId: string, kept: { readonly options: ChatOptions } | undefined): void {
		const waiting = z.safeParse(waitingSchema, this.memory.get()).data;
		// A window that comes back goes on with the empty chat it had, or with one whose choices did not reach the disk.
		const isSame = kept
			? waiting?.chatId === chatId && Object.keys(kept.options).length === 0
			: this.isFirst;
		this.isFirst = false;
		this.shown = chatId;
		this.isKept = kept !== undefined;
		this.chosen = isSame && waiting ? waiting.options : (kept?.options ?? {});
		void this.memory.set(isSame ? waiting : undefined);
	}

	/** Takes choices for the shown chat, in place of those it had. Throws `StoreError` when they cannot be kept. */
	async change(options: ChatOptions): Promise<void> {
		const { chatId } = this;
		if (this.isKept) {
			await this.library.setOptions(chatId, options);
		} else {
			await this.memory.set({ chatId, options });
		}
		if (chatId === this.chatId) {
			this.chosen = options;
			this.changed.fire(["chat.model"]);
		}
	}

	/**
	 * A question of the chat is on disk: from here on its choices are kept with it, its model among them. Where that fails, they
	 * still wait in the window's memory.
	 */
	async chatStarted(chatId: string): Promise<void> {
		if (chatId !== this.chatId || this.isKept) {
			return;
		}
		this.isKept = true;
		const options = { ...this.chosen, model: this.get("chat.model") };
		this.chosen = options;
		void this.memory.set({ chatId, options });
		try {
			await this.library.setOptions(chatId, options);
			void this.memory.set(undefined);
		} catch (error) {
			this.log.warn("A chat's settings could not be kept", { error: toError(error).message });
		}
	}

	private systemPromptWords(): readonly string[] {
		const prompt = this.systemPrompt();
		if (prompt === "") {
			return this.defaultSystemPrompt() === "" ? [] : [l10n.t("No system prompt")];
		}
		const library = Object.entries(this.settings.get("chat.systemPrompts"));
		const [name] = library.find(([, text]) => text === prompt) ?? [];
		return [
			name === undefined ? l10n.t("Custom system prompt") : l10n.t("System prompt: {0}", name),
		];
	}
}
