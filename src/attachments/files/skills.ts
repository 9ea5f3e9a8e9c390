import { lstat, readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Exclusion, FileDecoder } from "../contract/attachmentTray.ts";
import { resolveFolders } from "./inspect.ts";
import {
	type InstructionFile,
	type ProjectInstruction,
	readInstructionFile,
	withinLimit,
	withoutText,
} from "./projectInstructions.ts";
import { revealInLine } from "../../common/hiddenText.ts";
import { cutText } from "./readText.ts";

/** A skill of the workspace: a folder with a `SKILL.md` that explains a task. @see https://agentskills.io */
export interface Skill extends InstructionFile {
	/** Name of its folder. */
	readonly skill: string;
	/** Description in its front matter, the only part sent with every message; empty if it isn't sent. */
	readonly text: string;
}

/** The most skills whose descriptions are sent. At the greatest length, they take about as much text as one file of instructions. */
export const maxSkills = 25;

/** The longest description to send, in UTF-16 units. Same limit as in the format. */
const maxDescription = 1024;

const maxFolders = 200;

const places = [".agents/skills", ".claude/skills", ".github/skills"];
const fileName = /^skill\.md$/i;

/** How many folders deep skills may be grouped. */
const maxGroups = 3;

/** A name of a folder with a skill. One that is no single word is described to the model, but can't be typed after `/`. */
const folderName = /^[^.\p{Cc}\p{Cf}][^\p{Cc}\p{Cf}]{0,127}$/u;
const typedName = /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,63}$/u;

/** Whether users can type a skill's name after `/`. */
export function isTyped({ skill }: Skill): boolean {
	return typedName.test(skill);
}

/**
 * Finds the skills at the root of each workspace folder and reads their descriptions. Judges the text of `SKILL.md`, up to the limit of instructions,
 * by the same rules. Returns a skill that two locations link to once. Never rejects. docs/security.md.
 */
export async function readSkills(
	folders: readonly string[],
	decode?: FileDecoder,
	leftOutOf: Exclusion = () => Promise.resolve(new Set()),
): Promise<readonly Skill[]> {
	const resolved = await resolveFolders(folders);
	const found = new Map<string, Skill>();
	for (const place of resolved.flatMap(folder => places.map(each => join(folder, each)))) {
		for (const path of await skillFilesIn(place, maxGroups)) {
			const skill = basename(dirname(path));
			const name = `${skill}/${basename(path)}`;
			const file = await readInstructionFile(path, name, resolved, decode);
			if (file && !found.has(file.path)) {
				const { description } = splitFrontMatter(file.text, maxDescription);
				found.set(file.path, { ...file, skill, text: description, isCut: false });
			}
		}
	}
	const leftOut = await leftOutOf([...found.keys()]);
	const skills = [...found.values()].map(skill =>
		leftOut.has(skill.path) ? withoutText(skill, "ignored") : skill,
	);
	return withinLimit(skills, maxSkills);
}

/** Returns the list of skills for every message: location and description of each, by place. */
export function skillInstructions(skills: readonly Skill[]): readonly ProjectInstruction[] {
	const sent = skills.filter(({ refused }) => refused === undefined);
	return [...Map.groupBy(sent, skillFolder)].map(([name, held]) => ({
		name,
		text: `Skills, each a file to read before a task that it is for:\n\n${held.map(lineOf).join("\n")}`,
	}));
}

/** Returns the display path of the folder that contains the skill's folder. */
export function skillFolder({ name }: Skill): string {
	return name.split("/").slice(0, -2).join("/") || name;
}

function lineOf({ name, skill, text }: Skill): string {
	return `- ${skill} (${name})${text === "" ? "" : `: ${text}`}`;
}

/** Returns the skills' files in a folder and the folders that group them, sorted. */
async function skillFilesIn(folder: string, groups: number): Promise<readonly string[]> {
	// Most folders have no skills.
	const names = await readdir(folder).catch((): string[] => []);
	const folders = names
		.filter(name => folderName.test(name))
		.toSorted()
		.slice(0, maxFolders);
	const found = folders.map(async (name): Promise<readonly string[]> => {
		const inner = join(folder, name);
		const files = await readdir(inner).catch((): string[] => []);
		const file = files.find(each => fileName.test(each));
		if (file !== undefined) {
			return [join(inner, file)];
		}
		// A link could lead around in a circle, or far away.
		const isGroup = groups > 1 && (await lstat(inner).catch(() => undefined))?.isDirectory();
		return isGroup ? await skillFilesIn(inner, groups - 1) : [];
	});
	return (await Promise.all(found)).flat().slice(0, maxFolders);
}

interface DescribedText {
	/** The front matter's `description` as a single line; empty if there is none. */
	readonly description: string;
	readonly text: string;
}

/** Splits Markdown into its front matter's `description`, cut to `maxDescription` UTF-16 units, and the text after it. */
export function splitFrontMatter(file: string, maxDescription: number): DescribedText {
	const [whole = "", head = ""] =
		/^\uFEFF?(?:[ \t]*\r?\n)*---[ \t]*\r?\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\r?\n|$)/.exec(file) ?? [];
	const description = revealInLine(cutText(valueOf(head), maxDescription).text);
	return { description, text: file.slice(whole.length) };
}

const descriptionKey = /^(?:description|"description"|'description')[ \t]*:(?=\s|$)/im;

/** Returns the YAML value of `description:`: the rest of the line and the indented lines below. */
function valueOf(head: string): string {
	const key = descriptionKey.exec(head);
	if (!key) {
		return "";
	}
	const [first = "", ...others] = head.slice(key.index + key[0].length).split(/\r?\n/);
	const end = others.findIndex(line => /^\S/.test(line));
	const isBlock = /^\s*[>|][0-9+-]{0,2}\s*(?:#.*)?$/.test(first);
	const lines = [isBlock ? "" : first, ...others.slice(0, end === -1 ? others.length : end)];
	const value = lines.join(" ").replaceAll(/\s+/g, " ").trim();
	return isBlock ? value : plainScalar(value);
}

/** Reads a quoted or plain YAML scalar on one line, without a comment behind it. */
function plainScalar(value: string): string {
	const [, double, single] =
		/^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)')(?: #.*)?$/.exec(value) ?? [];
	if (single !== undefined) {
		return single.replaceAll("''", "'");
	}
	return double === undefined
		? value.replace(/(?:^| )#.*$/, "").trim()
		: double.replaceAll(/\\(.)/g, (_, character: string) =>
				/[ntr]/.test(character) ? " " : character,
			);
}
