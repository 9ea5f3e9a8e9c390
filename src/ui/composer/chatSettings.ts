import * as l10n from "@vscode/l10n";
import type { ChatLibrary } from "../../chat/library/chatLibrary.ts";
import {
	type ChatOptions,
	chatOptionsSchema,
	type RequestParameter,
	requestParameters,
} from "../../chat/log/chatMeta.ts";
import { Disposable, Emitter, type Event } from "../../common/disposable.ts";
import { toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import * as z from "zod/mini";
import type { storedValue } from "../base/keptValue.ts";
import {
	type SettingName,
	type Settings,
	type SettingValue,
	isAskedLocally,
	namedModels,
} from "../base/settings.ts";
import { canUseServerTools } from "../../client/contract/schemas.ts";
import type { ComposerView } from "../../shared/chat.ts";

/** A model offered in an empty chat and in the list of models, or a way to get one. */
export interface ModelOffer {
	readonly id: string;
	readonly name: string;
	/** Description in one line: server, size, context and capabilities. */
	readonly detail: string;
	take(): Promise<void>;
}

/** Models that could replace the demo. */
export interface ModelSearch {
	readonly isLooking: boolean;
	/** Where the models were found, or which model is being downloaded; empty if neither. */
	readonly heading: string;
	/** Best first. */
	readonly found: readonly ModelOffer[];
	/** The simplest way to get a model, if none was found. */
	readonly way?: ModelOffer;
	/** The way to a model with a key, beside another way. */
	readonly key?: ModelOffer;
}

type SuggestionView = NonNullable<ComposerView["suggestions"]>[number];

/** A suggestion of the empty chat, or below a demo answer, and what it does. */
export interface ChatSuggestion extends SuggestionView {
	run(): Promise<void>;
}

/** State around a chat that changes independently of it. */
export interface ChatEnvironment {
	/** Undefined once the user has selected a model. */
	readonly search: ModelSearch | undefined;
	readonly serverModels: readonly string[];
	/** The current model's context length in tokens in its server's list; 0 if the list of a server on this machine has none, undefined if none was requested. */
	readonly listedContext?: number | undefined;
	readonly suggestions: readonly ChatSuggestion[];
	/** Whether tools have changed files in the shown chat. */
	readonly hasChangedFiles?: boolean | undefined;
}

interface ChatSettingsDependencies {
	readonly settings: Settings;
	readonly library: Pick<ChatLibrary, "setOptions">;
	/** Stores options of a chat without a file, across reloads of the window. */
	readonly memory: ReturnType<typeof storedValue>;
	readonly log: Log;
}

const waitingSchema = z.object({ chatId: z.string(), options: chatOptionsSchema });

const settingOf = {
	"chat.model": "model",
	"chat.serverTools": "serverTools",
	"chat.temperature": "temperature",
	"chat.topP": "topP",
	"chat.maxTokens": "maxTokens",
	"chat.extraParameters": "extraParameters",
	"chat.projectInstructions": "projectInstructions",
} as const satisfies Partial<Record<SettingName, keyof ChatOptions>> &
	Record<RequestParameter["setting"], RequestParameter["option"]>;

type StoredSettingName = keyof typeof settingOf;
const isChatSetting = (name: SettingName): name is StoredSettingName =>
	Object.hasOwn(settingOf, name);

/**
 * The settings of the shown chat: its own options, otherwise VS Code's settings. A model or switch set here applies to this chat and becomes the
 * default for the next one.
 */
export class ChatSettings extends Disposable implements Settings {
	private readonly settings: Settings;
	private readonly library: ChatSettingsDependencies["library"];
	private readonly memory: ReturnType<typeof storedValue>;
	private readonly log: Log;
	private readonly changed = this.register(new Emitter<readonly SettingName[]>());
	private shown = "";
	private isKept = false;
	private isFirst = true;
	private chosen: ChatOptions = {};
	private around: ChatEnvironment = { search: undefined, serverModels: [], suggestions: [] };
	readonly onDidChange: Event<readonly SettingName[]> = this.changed.event;

	constructor({ settings, library, memory, log }: ChatSettingsDependencies) {
		super();
		this.settings = settings;
		this.library = library;
		this.memory = memory;
		this.log = log;
		this.register(settings.onDidChange(names => this.changed.fire(names)));
	}

	get chatId(): string {
		return this.shown;
	}

	/** Whether the shown chat has no questions. */
	get isNew(): boolean {
		return !this.isKept;
	}

	get options(): ChatOptions {
		return this.chosen;
	}

	get environment(): ChatEnvironment {
		return this.around;
	}

	setEnvironment(change: Partial<ChatEnvironment>): void {
		this.around = { ...this.around, ...change };
		this.changed.fire(["chat.model"]);
	}

	/** Selects an offered model, or runs the way to get one. Does nothing if the offer no longer exists. */
	async takeOffer(id: string): Promise<void> {
		const { search } = this.around;
		const offers = [...(search?.found ?? []), search?.way, search?.key];
		await offers.find(offer => offer?.id === id)?.take();
	}

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

	/** Sets an option of the shown chat only. Does nothing for settings that chats don't have. Throws like `change`. */
	async choose<Name extends SettingName>(name: Name, value: SettingValue<Name>): Promise<void> {
		if (isChatSetting(name)) {
			await this.change({ ...this.chosen, [settingOf[name]]: value });
		}
	}

	/** Returns the system prompt of the next question; empty if there is none. */
	systemPrompt(): string {
		return this.chosen.systemPrompt ?? this.defaultSystemPrompt();
	}

	/** Returns the default system prompt: the one selected in the settings, from the library. */
	defaultSystemPrompt(): string {
		const name = this.settings.get("chat.systemPrompt");
		return this.settings.get("chat.systemPrompts")[name] ?? "";
	}

	/** Returns short labels of the next question's options other than the model and the switches. */
	summary(): readonly string[] {
		const { extraParameters } = this.chosen;
		const extra = Object.keys(extraParameters ?? {});
		const names: Record<RequestParameter["option"], string> = {
			temperature: l10n.t("Temperature"),
			topP: l10n.t("Top P"),
			maxTokens: l10n.t("Max tokens"),
		};
		const own = requestParameters.flatMap(({ option }) => {
			const value = this.chosen[option];
			return value === undefined ? [] : [`${names[option]} ${value ?? "–"}`];
		});
		return [
			...this.systemPromptWords(),
			...own,
			...(extra.length > 0 ? [extra.join(", ")] : []),
			...(extraParameters && extra.length === 0 ? [l10n.t("No extra parameters")] : []),
		];
	}

	/** Switches to another chat. Without `kept`, it has no file yet. */
	follow(chatId: string, kept: { readonly options: ChatOptions } | undefined): void {
		const waiting = z.safeParse(waitingSchema, this.memory.get()).data;
		// After a reload, the window continues its empty chat, or one whose options weren't stored yet.
		const isSame = kept
			? waiting?.chatId === chatId && Object.keys(kept.options).length === 0
			: this.isFirst;
		this.isFirst = false;
		this.shown = chatId;
		this.isKept = kept !== undefined;
		this.chosen = isSame && waiting ? waiting.options : (kept?.options ?? {});
		void this.memory.set(isSame ? waiting : undefined);
	}

	/** Replaces the shown chat's options. Throws `StoreError` if they can't be stored. */
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
	 * Called when a question of the chat is on disk. Stores the options, including the model, with the chat. If that fails, they remain in the window's
	 * memory.
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

/** Settings, with or without a chat. */
type ComposerSettings = Pick<Settings, "get"> &
	Partial<Pick<ChatSettings, "summary" | "environment">>;

/** Returns the composer's state from the settings and the chat's surroundings. */
export function composerView(settings: ComposerSettings): ComposerView {
	const model = settings.get("chat.model");
	const tools = settings.get("chat.serverTools");
	const { search, suggestions = [], hasChangedFiles } = settings.environment ?? {};
	const isDemo = settings.get("endpoint") === "" && !isAskedLocally(settings, model);
	return {
		model,
		models: offeredModels(settings),
		...(isDemo ? { isDemo } : {}),
		canUseServerTools: canUseServerTools(model),
		codeInterpreter: tools.includes("code_interpreter"),
		browsing: tools.includes("browsing"),
		...(hasChangedFiles ? { hasChangedFiles: true } : {}),
		...(search ? { search: searchView(search) } : {}),
		...(suggestions.length > 0
			? { suggestions: suggestions.map(({ run: _, ...shown }) => shown) }
			: {}),
		choices: [...(settings.summary?.() ?? [])],
	};
}

function searchView({ isLooking, heading, found, way, key }: ModelSearch): ComposerView["search"] {
	return {
		isLooking,
		heading,
		found: found.map(({ id, name, detail }) => ({ id, name, detail })),
		...(way ? { way: { id: way.id, label: way.name, detail: way.detail } } : {}),
		...(key ? { key: { id: key.id, label: key.name } } : {}),
	};
}

/**
 * Returns the models for the next question. For a service: those of the interface, the user's own and the current one. For the local service: those
 * of the current model's server, and the user's own with a server. The demo isn't a model.
 */
function offeredModels(settings: ComposerSettings): string[] {
	const model = settings.get("chat.model");
	const own = settings.get("chat.models");
	const { serverModels = [] } = settings.environment ?? {};
	const offered =
		settings.get("endpoint") === ""
			? [...serverModels, ...own, model].filter(name => isAskedLocally(settings, name))
			: [...namedModels, ...own, model];
	return [...new Set(offered)];
}

/** Returns the standard parameters of a question: those in the settings, then the extra ones. docs/interface.md §4.4. */
export function chatParameters(settings: Pick<Settings, "get">): Readonly<Record<string, unknown>> {
	const standard = requestParameters.map(
		({ setting, field }) => [field, settings.get(setting)] as const,
	);
	return {
		...settings.get("chat.extraParameters"),
		...Object.fromEntries(standard.filter(([, value]) => value !== null)),
	};
}
