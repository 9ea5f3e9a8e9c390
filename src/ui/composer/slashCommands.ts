import * as l10n from "@vscode/l10n";
import { demoCommand, demoCommands } from "../../common/demoCommands.ts";
import type { SlashOffer, SlashOutcome } from "../../shared/index.ts";
import { demoDetails } from "./demoDetails.ts";
import {
	type ExpandedPrompt,
	expandPrompt,
	type PromptPlaces,
	placeholdersIn,
} from "./expandPrompt.ts";
import { bestMatches } from "../base/fuzzyMatch.ts";
import { qualifiedName, type UserPrompt } from "./userPrompts.ts";

/** What the commands of the composer work with. */
export interface SlashContext {
	/** Whether the local service answers, which has commands of its own. */
	readonly isLocal: () => boolean;
	readonly prompts: () => Promise<readonly UserPrompt[]>;
	readonly models: () => readonly string[];
	readonly setModel: (model: string) => Promise<void>;
	/** The user's library of system prompts, by name. */
	readonly systemPrompts: () => Readonly<Record<string, string>>;
	readonly setSystemPrompt: (text: string) => Promise<void>;
	/** Whether something was asked in the chat that is shown. */
	readonly hasQuestions: () => boolean;
	readonly newChat: () => Promise<void>;
	/** Makes a video from a text, or asks for one; whether it was started. */
	readonly makeVideo: (text: string) => Promise<boolean>;
	/** Offers to export the chat; nothing where that cannot be done. */
	readonly exportChat: () => Promise<(() => Promise<void>) | undefined>;
	/** What is selected and open in the editor, with nothing for the words. */
	readonly surroundings: () => Omit<PromptPlaces, "input">;
	/** Attaches the file that is open. */
	readonly attachFile: () => Promise<void>;
}

/** The commands of the composer. */
export interface SlashCommands {
	/** What matches what follows the `/`, the best first. */
	complete(query: string): Promise<SlashOffer[]>;
	/** Runs the command a text begins with. */
	run(text: string): Promise<SlashOutcome>;
}

/** How many offers are shown at once. */
const maxOffers = 40;

/** A command: a `/`, a name, and what follows it. */
const commandText = /^\/([\p{L}\p{N}][\p{L}\p{N}_:-]{0,199})(?:\s+([\s\S]*))?$/u;

type Offer = Omit<SlashOffer, "id" | "matches">;

/** Makes the commands; each name is looked up again whenever it is needed. */
export function createSlashCommands(context: SlashContext): SlashCommands {
	const own = ownCommands(context);
	const prompts = async (): Promise<readonly UserPrompt[]> => {
		const isTaken = (name: string): boolean =>
			own.has(name) || (context.isLocal() && isOfDemo(name));
		return (await context.prompts()).map(prompt =>
			isTaken(prompt.name) ? { ...prompt, name: qualifiedName(prompt) } : prompt,
		);
	};
	const names = async (): Promise<readonly Offer[]> => [
		...(await ownOffers(own)),
		...(await prompts()).map(promptOffer),
		...(context.isLocal()
			? [offerOf("service", demoCommand, l10n.t("Show what the chat can display"), true)]
			: []),
	];
	return {
		complete: async query => {
			const [, name = "", value] = /^(\S*)(?:\s+(.*))?$/.exec(query) ?? [];
			const values = value === undefined ? undefined : valueOffers(context, name.toLowerCase());
			const offers = value === undefined ? await names() : (values ?? []);
			return matching(value ?? name, offers);
		},
		run: async text => {
			const [, written = "", rest = ""] = commandText.exec(text.trimEnd()) ?? [];
			const name = written.toLowerCase();
			const command = own.get(name);
			if (command && (await command.isAvailable?.()) !== false) {
				return command.run(rest.trim());
			}
			const prompt = (await prompts()).find(candidate => candidate.name === name);
			if (prompt) {
				return fillIn(context, prompt, rest.trim());
			}
			if (context.isLocal() && isOfDemo(name)) {
				return { type: "send" };
			}
			return kept(
				l10n.t(
					"There is no command {0}. Type {1} to send it as text, or /help for the list.",
					`/${written}`,
					`//${written}`,
				),
			);
		},
	};
}

interface Command {
	/** What it does, as its place in the list says it. */
	readonly detail: () => string;
	readonly takesMore?: boolean;
	/** Whether it can be used; always when left out. */
	readonly isAvailable?: () => Promise<boolean>;
	readonly run: (rest: string) => Promise<SlashOutcome> | SlashOutcome;
}

function ownCommands(context: SlashContext): ReadonlyMap<string, Command> {
	return new Map<string, Command>([
		...chatCommands(context),
		[
			"model",
			{
				detail: () => l10n.t("Choose the model of this chat"),
				takesMore: true,
				run: rest => chooseModel(context, rest),
			},
		],
		[
			"system",
			{
				detail: () => l10n.t("Choose or write the system prompt of this chat"),
				takesMore: true,
				run: rest => chooseSystemPrompt(context, rest),
			},
		],
		[
			"video",
			{
				detail: () => l10n.t("Make a video from the text after the command"),
				takesMore: true,
				run: async rest => ((await context.makeVideo(rest)) ? done() : kept(null)),
			},
		],
		["help", { detail: () => l10n.t("Show all commands"), run: () => ({ type: "list" }) }],
	]);
}

function chatCommands(context: SlashContext): readonly [string, Command][] {
	const begin = async (sentence: string | null): Promise<SlashOutcome> => {
		await context.newChat();
		return { type: "begun", sentence };
	};
	return [
		["new", { detail: () => l10n.t("Start a new chat"), run: () => begin(null) }],
		[
			"clear",
			{
				detail: () => l10n.t("Start a new chat; this one stays in the history"),
				run: () =>
					begin(
						context.hasQuestions()
							? l10n.t("This is a new chat. The previous one is in the history.")
							: null,
					),
			},
		],
		[
			"export",
			{
				detail: () => l10n.t("Save this chat as a file"),
				isAvailable: async () => (await context.exportChat()) !== undefined,
				run: async () => {
					await (
						await context.exportChat()
					)?.();
					return done();
				},
			},
		],
	];
}

async function chooseModel(context: SlashContext, rest: string): Promise<SlashOutcome> {
	if (rest === "") {
		return { type: "settings", field: "model" };
	}
	const models = context.models();
	const begun = models.filter(model => model.startsWith(rest));
	const model = models.includes(rest) ? rest : begun.length === 1 ? begun[0] : undefined;
	if (model === undefined) {
		return kept(
			l10n.t(
				"No single model matches “{0}”. You can enter any model id in the chat settings.",
				rest,
			),
		);
	}
	await context.setModel(model);
	return done(l10n.t("Switched to {0}.", model));
}

async function chooseSystemPrompt(context: SlashContext, rest: string): Promise<SlashOutcome> {
	if (rest === "") {
		return { type: "settings", field: "systemPrompt" };
	}
	const library = Object.entries(context.systemPrompts());
	const [name, text] =
		library.find(([candidate]) => candidate.toLowerCase() === rest.toLowerCase()) ?? [];
	if (name === undefined || text === undefined) {
		return kept(
			l10n.t(
				"Your library has no system prompt “{0}”. Type /system to write one for this chat.",
				rest,
			),
		);
	}
	await context.setSystemPrompt(text);
	return done(l10n.t("This chat uses the system prompt “{0}”.", name));
}

async function fillIn(
	context: SlashContext,
	prompt: UserPrompt,
	input: string,
): Promise<SlashOutcome> {
	const expanded: ExpandedPrompt = expandPrompt(prompt.text, { ...context.surroundings(), input });
	if (expanded.type === "lacking") {
		return kept(expanded.sentence);
	}
	if (expanded.usesFile) {
		await context.attachFile();
	}
	const sentence = l10n.t("Read it, then press Enter to send it.");
	return { type: "fill", text: expanded.text, sentence };
}

async function ownOffers(own: ReadonlyMap<string, Command>): Promise<Offer[]> {
	const all = await Promise.all(
		[...own].map(async ([name, command]) => ({
			isThere: (await command.isAvailable?.()) !== false,
			offer: offerOf("command", name, command.detail(), command.takesMore ?? false),
		})),
	);
	return all.filter(({ isThere }) => isThere).map(({ offer }) => offer);
}

function promptOffer({ name, description, folder, text }: UserPrompt): Offer {
	const detail = description === "" ? l10n.t("Prompt of {0}", folder) : description;
	return offerOf("prompt", name, detail, placeholdersIn(text).has("input"));
}

/** Whether the local service's demo answers a command; each of its own can be typed without `/demo` as well. */
function isOfDemo(name: string): boolean {
	return name === demoCommand || Object.hasOwn(demoCommands, name);
}

function demoOffers(): Offer[] {
	const words = new Map<string, string>(Object.entries(demoCommands));
	return Object.entries(demoDetails()).map(([name, detail]) => {
		const takesMore = words.get(name) !== "";
		const insert = `/${demoCommand} ${name}${takesMore ? " " : ""}`;
		return { kind: "value", label: name, detail, insert, takesMore };
	});
}

function valueOffers(context: SlashContext, command: string): Offer[] | undefined {
	const offer = (value: string, detail: string): Offer => ({
		kind: "value",
		label: value,
		detail,
		insert: `/${command} ${value}`,
		takesMore: false,
	});
	switch (command) {
		case "model":
			return context.models().map(model => offer(model, ""));
		case "system":
			return Object.entries(context.systemPrompts()).map(([name, text]) =>
				offer(name, text.replaceAll(/\s+/g, " ").slice(0, 80)),
			);
		case demoCommand:
			return context.isLocal() ? demoOffers() : undefined;
		default:
			return undefined;
	}
}

function offerOf(kind: Offer["kind"], name: string, detail: string, takesMore: boolean): Offer {
	const insert = takesMore ? `/${name} ` : `/${name}`;
	return { kind, label: `/${name}`, detail, insert, takesMore };
}

/** Those that match, the ones that begin with the query first. */
function matching(query: string, offers: readonly Offer[]): SlashOffer[] {
	const wanted = query.toLowerCase();
	const begins = ({ label }: Offer): boolean =>
		label.toLowerCase().replace(/^\//, "").startsWith(wanted);
	const [first, others] = [offers.filter(begins), offers.filter(offer => !begins(offer))];
	return [first, others]
		.flatMap(group => bestMatches(query, group, ({ label }) => label, maxOffers))
		.slice(0, maxOffers)
		.map(({ candidate, match }) => ({
			...candidate,
			id: candidate.insert,
			matches: [...match.positions],
		}));
}

function done(sentence: string | null = null): SlashOutcome {
	return { type: "done", sentence };
}

function kept(sentence: string | null): SlashOutcome {
	return { type: "kept", sentence };
}
