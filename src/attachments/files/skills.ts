import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { FileDecoder } from "../attachment/attachmentTray.ts";
import { splitFrontMatter } from "./frontMatter.ts";
import { resolveFolders } from "./inspect.ts";
import {
	type InstructionFile,
	type IsLeftOut,
	type ProjectInstruction,
	readInstructionFile,
	withoutText,
} from "./projectInstructions.ts";

/** How a task of the workspace is done: a folder with a `SKILL.md`, as it was found. @see https://agentskills.io */
export interface Skill extends InstructionFile {
	/** The name of its folder, one word. */
	readonly skill: string;
	/** The description of its front matter, which alone goes with every message; empty where it is not sent. */
	readonly text: string;
}

/** The most skills whose descriptions are sent. With the longest ones they are about as long as one file of instructions. */
export const maxSkills = 25;

/** The longest description that is sent, in UTF-16 units: the format allows no longer one. */
const maxDescription = 1024;

/** The most folders that are looked into, of each place. */
const maxFolders = 200;

const places = [".agents/skills", ".claude/skills"];
const fileName = "SKILL.md";

/** One word, which is what is written behind a `/`. */
const skillName = /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,63}$/u;

/**
 * Finds the skills at the root of each folder of the workspace and reads their descriptions. The whole of a `SKILL.md` that is within
 * the bound of instructions is judged as those are. One that two places lead to is found once. Never rejects. docs/security.md, T41.
 */
export async function readSkills(
	folders: readonly string[],
	decode?: FileDecoder,
	isLeftOut: IsLeftOut = () => false,
): Promise<readonly Skill[]> {
	const resolved = await resolveFolders(folders);
	const found = new Map<string, Skill>();
	for (const place of resolved.flatMap(folder => places.map(each => join(folder, each)))) {
		for (const skill of await namesIn(place)) {
			const path = join(place, skill, fileName);
			const file = await readInstructionFile(path, `${skill}/${fileName}`, resolved, decode);
			if (file && !found.has(file.path)) {
				const judged = isLeftOut(file.path) ? withoutText(file, "ignored") : file;
				const { description } = splitFrontMatter(judged.text, maxDescription);
				found.set(file.path, { ...judged, skill, text: description, isCut: false });
			}
		}
	}
	return withinLimit([...found.values()]);
}

/** What is told of skills with every message: for each place, where each is and what it is for. */
export function skillInstructions(skills: readonly Skill[]): readonly ProjectInstruction[] {
	const sent = skills.filter(({ refused }) => refused === undefined);
	return [...Map.groupBy(sent, placeOf)].map(([name, held]) => ({
		name,
		text: `Skills, each a file to read before a task that it is for:\n\n${held.map(lineOf).join("\n")}`,
	}));
}

/** The folder that a skill's own folder is in, as users read it. */
export function placeOf({ name }: Skill): string {
	return name.split("/").slice(0, -2).join("/") || name;
}

function lineOf({ name, skill, text }: Skill): string {
	return `- ${skill} (${name})${text === "" ? "" : `: ${text}`}`;
}

function withinLimit(skills: readonly Skill[]): readonly Skill[] {
	const sent = skills.filter(({ refused }) => refused === undefined);
	const beyond = new Set(sent.slice(maxSkills));
	return skills.map(skill =>
		beyond.has(skill) ? { ...skill, text: "", refused: "tooMany" } : skill,
	);
}

async function namesIn(place: string): Promise<readonly string[]> {
	try {
		const names = await readdir(place);
		return names
			.filter(name => skillName.test(name))
			.toSorted()
			.slice(0, maxFolders);
	} catch {
		// Most folders hold no skills.
		return [];
	}
}
