import * as l10n from "@vscode/l10n";
import type { SlashOffer, SlashOutcome } from "../../shared/slash.ts";
import type { CommandId } from "../base/commands.ts";
import { bestMatches } from "../base/fuzzyMatch.ts";
import { qualifiedName, type UserPrompt } from "./userPrompts.ts";
import { revealHidden } from "../../common/hiddenText.ts";

export interface SlashCommandDependencies {
	readonly prompts: () => Promise<readonly UserPrompt[]>;
	readonly models: () => readonly string[];
	readonly setModel: (model: string) => Promise<void>;
	readonly systemPrompts: () => Readonly<Record<string, string>>;
	readonly setSystemPrompt: (text: string) => Promise<void>;
	readonly hasQuestions: () => boolean;
	readonly newChat: () => Promise<void>;
	/** Makes a video from a text, or asks for one if it is empty. Resolves to whether it was started. */
	readonly makeVideo: (text: string) => Promise<boolean>;
	/** Returns a function that exports the chat, or undefined if that isn't possible. */
	readonly exportChat: () => Promise<(() => Promise<void>) | undefined>;
	/** The editor's selection and active file. */
	readonly surroundings: () => Omit<PromptPlaces, "input">;
	/** The workspace's skills; `path` is that of a skill's file. */
	readonly skills: () => readonly SkillFile[];
	/** Runs a command of the editor's menus, which shows itself what it does and why it can't. Doesn't wait for its end. */
	readonly start: (command: CommandId) => void;
	readonly attach: (path: string) => Promise<void>;
	readonly attachFile: () => Promise<void>;
}

/** A skill: its name after the `/`, its description, and its file. */
interface SkillFile {
	readonly skill: string;
	readonly text: string;
	readonly path: string;
}

const maxOffers = 40;

const commandText = /^\/([\p{L}\p{N}][\p{L}\p{N}_:-]{0,199})(?:\s+([\s\S]*))?$/u;

type SlashOfferContent = Omit<SlashOffer, "id" | "matches">;

/** The composer's commands. Names are resolved at each use. */
export class SlashCommands {
	private readonly dependencies: SlashCommandDependencies;
	private readonly own: ReadonlyMap<string, Command>;

	constructor(dependencies: SlashCommandDependencies) {
		this.dependencies = dependencies;
		this.own = ownCommands(dependencies);
	}

	/** Returns commands that match the text after the `/`, best first. */
	async complete(query: string): Promise<SlashOffer[]> {
		const [, name = "", value] = /^(\S*)(?:\s+([^]*))?$/.exec(query) ?? [];
		if (value === undefined) {
			return matching(name, await this.names());
		}
		return matching(value, valueOffers(this.dependencies, name.toLowerCase()) ?? []);
	}

	async run(text: string): Promise<SlashOutcome> {
		const { dependencies, own } = this;
		const [, written = "", rest = ""] = commandText.exec(text.trimEnd()) ?? [];
		const name = written.toLowerCase();
		const command = own.get(name);
		const prompt = (await this.prompts()).find(candidate => candidate.name === name);
		if (prompt) {
			return fillIn(dependencies, prompt, rest.trim());
		}
		if (command && (await command.isAvailable?.()) !== false) {
			return command.run(rest.trim());
		}
		const skill = (await this.skills()).get(name);
		if (skill) {
			return followSkill(dependencies, skill, rest.trim());
		}
		return kept(
			l10n.t(
				"There is no command {0}. Type {1} to send it as text, or /help for the list.",
				`/${written}`,
				`//${written}`,
			),
		);
	}

	private async names(): Promise<readonly SlashOfferContent[]> {
		const prompts = await this.prompts();
		const taken = new Set(prompts.map(({ name }) => name));
		return [
			...(await ownOffers([...this.own].filter(([name]) => !taken.has(name)))),
			...prompts.map(promptOffer),
			...[...(await this.skills())].map(([name, { text }]) =>
				offerOf("skill", name, text || l10n.t("Skill of this project"), false),
			),
		];
	}

	private async prompts(): Promise<readonly UserPrompt[]> {
		return (await this.dependencies.prompts()).map(prompt =>
			this.own.get(prompt.name)?.yields === false
				? { ...prompt, name: qualifiedName(prompt) }
				: prompt,
		);
	}

	/** Returns the skills by unique name. One with the name of a command or a prompt is called `skill:NAME`. */
	private async skills(): Promise<ReadonlyMap<string, SkillFile>> {
		const prompts = new Set((await this.prompts()).map(({ name }) => name));
		const named = this.dependencies.skills().map((skill): [string, SkillFile] => {
			const name = skill.skill.toLowerCase();
			return [this.own.has(name) || prompts.has(name) ? `skill:${name}` : name, skill];
		});
		// The first one found takes precedence.
		return new Map(named.toReversed());
	}
}

interface Command extends CommandAction {
	/** Whether a user's prompt of the same name replaces it. */
	readonly yields: boolean;
}

interface CommandAction {
	readonly detail: () => string;
	readonly takesMore?: boolean;
	/** Whether it only runs and isn't listed, because another one does the same. */
	readonly isAlias?: boolean;
	/** Whether it is available; always if absent. */
	readonly isAvailable?: () => Promise<boolean>;
	readonly run: (rest: string) => Promise<SlashOutcome> | SlashOutcome;
}

function ownCommands(dependencies: SlashCommandDependencies): ReadonlyMap<string, Command> {
	const commands: Readonly<Record<string, CommandAction>> = {
		...chatCommands(dependencies),
		model: {
			detail: () => l10n.t("Choose the model of this chat"),
			takesMore: true,
			run: rest => chooseModel(dependencies, rest),
		},
		system: {
			detail: () => l10n.t("Choose or write the system prompt of this chat"),
			takesMore: true,
			run: rest => chooseSystemPrompt(dependencies, rest),
		},
		video: {
			detail: () => l10n.t("Make a clip from the text after the command"),
			takesMore: true,
			run: async rest => ((await dependencies.makeVideo(rest)) ? done() : kept(null)),
		},
		help: { detail: () => l10n.t("Show all commands"), run: () => ({ type: "list" }) },
	};
	const named = (
		all: Readonly<Record<string, CommandAction>>,
		yields: boolean,
	): [string, Command][] =>
		Object.entries(all).map(([name, command]) => [name, { ...command, yields }]);
	return new Map([...named(editorCommands(dependencies), true), ...named(commands, false)]);
}

/** Returns the commands for the selection and for Git's changes, which the editor's menus have, too. */
function editorCommands(
	dependencies: SlashCommandDependencies,
): Readonly<Record<string, CommandAction>> {
	const started = (command: CommandId, rest: string): SlashOutcome => {
		if (rest !== "") {
			return kept(l10n.t("This command takes no words after its name."));
		}
		dependencies.start(command);
		return done();
	};
	const aboutSelection = (detail: () => string, command: CommandId): CommandAction => ({
		detail,
		run: rest =>
			dependencies.surroundings().selection === undefined
				? kept(l10n.t("Select some text in an editor first."))
				: started(command, rest),
	});
	const plain = (detail: () => string, command: CommandId): CommandAction => ({
		detail,
		run: rest => started(command, rest),
	});
	return {
		explain: aboutSelection(() => l10n.t("Explain the selection"), "cutaway.explainSelection"),
		fix: aboutSelection(() => l10n.t("Find and fix what is wrong"), "cutaway.fixSelection"),
		tests: aboutSelection(
			() => l10n.t("Write tests for the selection"),
			"cutaway.writeTestsForSelection",
		),
		doc: aboutSelection(() => l10n.t("Write documentation comments"), "cutaway.documentSelection"),
		review: plain(() => l10n.t("Review Git changes in a chat of its own"), "cutaway.reviewChanges"),
		commit: plain(
			() => l10n.t("Write the message of the next commit"),
			"cutaway.generateCommitMessage",
		),
		compact: plain(
			() => l10n.t("Summarize this chat and go on in a new one"),
			"cutaway.summarizeChat",
		),
		clip: {
			detail: () => l10n.t("Make a clip of the selection, or of words"),
			takesMore: true,
			run: async rest => {
				if (rest === "" && dependencies.surroundings().selection !== undefined) {
					return started("cutaway.generateVideoFromSelection", rest);
				}
				return (await dependencies.makeVideo(rest)) ? done() : kept(null);
			},
		},
	};
}

function chatCommands(
	dependencies: SlashCommandDependencies,
): Readonly<Record<string, CommandAction>> {
	const begin = async (sentence: string | null): Promise<SlashOutcome> => {
		await dependencies.newChat();
		return { type: "started", sentence };
	};
	return {
		new: { detail: () => l10n.t("Start a new chat"), run: () => begin(null) },
		clear: {
			isAlias: true,
			detail: () => l10n.t("Start a new chat; this one stays in the history"),
			run: () =>
				begin(
					dependencies.hasQuestions()
						? l10n.t("This is a new chat. The previous one is in the history.")
						: null,
				),
		},
		export: {
			detail: () => l10n.t("Save this chat as a file"),
			isAvailable: async () => (await dependencies.exportChat()) !== undefined,
			run: async () => {
				const save = await dependencies.exportChat();
				await save?.();
				return done();
			},
		},
	};
}

async function chooseModel(
	dependencies: SlashCommandDependencies,
	rest: string,
): Promise<SlashOutcome> {
	if (rest === "") {
		return { type: "settings", field: "model" };
	}
	const models = dependencies.models();
	const matching = models.filter(model => model.startsWith(rest));
	const model = models.includes(rest) ? rest : matching.length === 1 ? matching[0] : undefined;
	if (model === undefined) {
		return kept(
			l10n.t(
				"No single model matches “{0}”. You can enter any model id in the chat settings.",
				rest,
			),
		);
	}
	await dependencies.setModel(model);
	return done(l10n.t("Switched to {0}.", model));
}

async function chooseSystemPrompt(
	dependencies: SlashCommandDependencies,
	rest: string,
): Promise<SlashOutcome> {
	if (rest === "") {
		return { type: "settings", field: "systemPrompt" };
	}
	const library = Object.entries(dependencies.systemPrompts());
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
	await dependencies.setSystemPrompt(text);
	return done(l10n.t("This chat uses the system prompt “{0}”.", name));
}

async function fillIn(
	dependencies: SlashCommandDependencies,
	prompt: UserPrompt,
	input: string,
): Promise<SlashOutcome> {
	const expanded: ExpandedPrompt = expandPrompt(prompt.text, {
		...dependencies.surroundings(),
		input,
	});
	if (expanded.type === "lacking") {
		return kept(expanded.sentence);
	}
	if (expanded.usesFile) {
		await dependencies.attachFile();
	}
	const sentence = l10n.t("Read it, then press Enter to send it.");
	return { type: "fill", text: expanded.text, sentence };
}

/** Asks a question to follow a skill, with the skill's current file attached. */
async function followSkill(
	dependencies: SlashCommandDependencies,
	{ skill, path }: SkillFile,
	rest: string,
): Promise<SlashOutcome> {
	await dependencies.attach(path);
	const request = l10n.t("Follow the skill {0}.", skill);
	const text = rest === "" ? request : `${request}\n\n${rest}`;
	return { type: "fill", text, sentence: l10n.t("Read it, then press Enter to send it.") };
}

async function ownOffers(
	own: readonly (readonly [string, Command])[],
): Promise<SlashOfferContent[]> {
	const all = await Promise.all(
		own.map(async ([name, command]) => ({
			isThere: command.isAlias !== true && (await command.isAvailable?.()) !== false,
			offer: offerOf("command", name, command.detail(), command.takesMore ?? false),
		})),
	);
	return all.filter(({ isThere }) => isThere).map(({ offer }) => offer);
}

function promptOffer({ name, description, folder, text }: UserPrompt): SlashOfferContent {
	const detail = description === "" ? l10n.t("Prompt of {0}", folder) : description;
	return offerOf("prompt", name, detail, placeholdersIn(text).has("input"));
}

function valueOffers(
	dependencies: SlashCommandDependencies,
	command: string,
): SlashOfferContent[] | undefined {
	const offer = (value: string, detail: string): SlashOfferContent => ({
		kind: "value",
		label: value,
		detail,
		insert: `/${command} ${value}`,
		takesMore: false,
	});
	switch (command) {
		case "model":
			return dependencies.models().map(model => offer(model, ""));
		case "system":
			return Object.entries(dependencies.systemPrompts()).map(([name, text]) =>
				offer(name, text.replaceAll(/\s+/g, " ").slice(0, 80)),
			);
		default:
			return undefined;
	}
}

function offerOf(
	kind: SlashOfferContent["kind"],
	name: string,
	detail: string,
	takesMore: boolean,
): SlashOfferContent {
	const insert = takesMore ? `/${name} ` : `/${name}`;
	return { kind, label: `/${name}`, detail, insert, takesMore };
}

function matching(query: string, offers: readonly SlashOfferContent[]): SlashOffer[] {
	const wanted = query.toLowerCase();
	const begins = ({ label }: SlashOfferContent): boolean =>
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

export interface PromptPlaces {
	/** Text after the prompt's name; may be empty. */
	readonly input: string;
	/** The selected text as Markdown; undefined if nothing is selected. */
	readonly selection: string | undefined;
	/** The path of the active file; undefined if there is none. */
	readonly file: string | undefined;
}

/** The expanded prompt, or a message about what is missing. */
export type ExpandedPrompt =
	| { readonly type: "expanded"; readonly text: string; readonly usesFile: boolean }
	| { readonly type: "lacking"; readonly sentence: string };

/** The longest expanded prompt, in UTF-16 units. */
const maxExpanded = 200_000;

const place = /(\\?)\$(selection|file|input)\b/g;

/**
 * Replaces `$selection`, `$file` and `$input` in one pass, so that placeholders in inserted text remain; `\$input` is literal. Appends the input if
 * the prompt has no `$input`. Shows the prompt's invisible characters as codes, so that nothing is sent unseen.
 */
export function expandPrompt(prompt: string, places: PromptPlaces): ExpandedPrompt {
	const used = placeholdersIn(prompt);
	if (used.has("selection") && places.selection === undefined) {
		return lacking(
			l10n.t("This prompt is about a selection: select something in an editor first."),
		);
	}
	if (used.has("file") && places.file === undefined) {
		return lacking(l10n.t("This prompt is about the open file: open one in an editor first."));
	}
	const filled = revealHidden(prompt).replaceAll(
		place,
		(whole: string, escape: string, name: keyof PromptPlaces) =>
			escape === "" ? (places[name] ?? "") : whole.slice(1),
	);
	const isAdded = !used.has("input") && places.input !== "";
	const text = isAdded ? `${filled}\n\n${places.input}` : filled;
	return text.length > maxExpanded
		? lacking(
				l10n.t(
					"With its placeholders filled in, this prompt has more than {0} characters.",
					maxExpanded,
				),
			)
		: { type: "expanded", text, usesFile: used.has("file") };
}

export function placeholdersIn(prompt: string): ReadonlySet<string> {
	const found = [...prompt.matchAll(place)];
	return new Set(found.filter(([, escape]) => escape === "").map(([, , name = ""]) => name));
}

function lacking(sentence: string): ExpandedPrompt {
	return { type: "lacking", sentence };
}
