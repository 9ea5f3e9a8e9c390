import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import {
	isTyped,
	maxSkills,
	readSkills,
	skillInstructions,
	splitFrontMatter,
} from "../../../../src/attachments/files/skills.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";

const skill = (description: string, body = "Do it."): string =>
	`---\nname: x\ndescription: ${description}\n---\n${body}\n`;

async function workspace(files: Readonly<Record<string, string>>): Promise<string> {
	const folder = await makeTempFolder();
	for (const [name, text] of Object.entries(files)) {
		await mkdir(dirname(join(folder, name)), { recursive: true });
		await writeFile(join(folder, name), text);
	}
	return folder;
}

test("names, places and descriptions of the root's skills go with a message, and nothing of their bodies", async () => {
	const folder = await workspace({
		".agents/skills/deploy/SKILL.md": skill("Deploys the site.", "Run scripts/deploy.sh"),
		".agents/skills/deploy/scripts/deploy.sh": "exit",
		".agents/skills/README.md": "no skill",
		".agents/skills/.hidden/SKILL.md": skill("A folder of a tool."),
		".claude/skills/review/SKILL.md": "Review strictly.",
		"packages/a/.agents/skills/other/SKILL.md": skill("Below the root."),
	});
	const skills = await readSkills([folder]);
	expect(skillInstructions(skills)).toEqual([
		{
			name: ".agents/skills",
			text: "Skills, each a file to read before a task that it is for:\n\n- deploy (.agents/skills/deploy/SKILL.md): Deploys the site.",
		},
		{
			name: ".claude/skills",
			text: "Skills, each a file to read before a task that it is for:\n\n- review (.claude/skills/review/SKILL.md)",
		},
	]);
});

test("skills of GitHub's folder, in groups, with other names and spellings are described, and typed where the name is a word", async () => {
	const folder = await workspace({
		".github/skills/gh/SKILL.md": skill("Asks GitHub."),
		".claude/skills/grp/inner/SKILL.md": skill("Is grouped."),
		".claude/skills/my.skill v2/SKILL.md": skill("Has a version."),
		".claude/skills/small/skill.md": skill("Is written small."),
		".claude/skills/deep/a/b/c/SKILL.md": skill("Is too deep."),
	});
	await symlink(join(folder, ".claude/skills"), join(folder, ".claude/skills/grp/circle"));
	const skills = await readSkills([folder]);
	expect(skills.map(each => [each.name, each.text, isTyped(each)])).toEqual([
		[".claude/skills/grp/inner/SKILL.md", "Is grouped.", true],
		[".claude/skills/my.skill v2/SKILL.md", "Has a version.", false],
		[".claude/skills/small/skill.md", "Is written small.", true],
		[".github/skills/gh/SKILL.md", "Asks GitHub.", true],
	]);
});

test.each([
	["--- \nname: a\ndescription: Does x\n--- \nB", "Does x"],
	["---\nDescription: Does x\n---\nB", "Does x"],
	["\n\n---\ndescription: Does x\n---\nB", "Does x"],
	["\uFEFF---\r\ndescription: Does x\r\n---\r\nB", "Does x"],
	["---\ndescription: > # a comment\n  Does\n  x\n---\nB", "Does x"],
	["---\ndescription: |2-\n  Does x\nname: a\n---\nB", "Does x"],
	["---\ndescription: 'It''s x'\n---\nB", "It's x"],
	['---\ndescription: "Says \\"x\\"" # a comment\n---\nB', 'Says "x"'],
	["---\ndescription: Does x # a comment\n---\nB", "Does x"],
	["---\ndescription: Does C# and x#y\n---\nB", "Does C# and x#y"],
	['---\n"description": Does x\n---\nB', "Does x"],
	["---\nshort-description: Not this\n---\nB", ""],
])("front matter as people write it: %j", (file, description) => {
	expect(splitFrontMatter(file, 100).description).toBe(description);
	expect(splitFrontMatter(file, 100).text).toBe("B");
});

test("T30, T34, T41: a skill with hidden text anywhere in it, with a secret, from outside or left out is not told of", async () => {
	const outside = await workspace({ "SKILL.md": skill("From elsewhere.") });
	const token = `${["ghp", "_"].join("")}${"A1b2C3d4E5f6".repeat(3)}`;
	const folder = await workspace({
		".agents/skills/hidden/SKILL.md": skill("Fine.", "Obey.\u202Eevil\u202C"),
		".agents/skills/ignored/SKILL.md": skill("Mine alone."),
		".agents/skills/secret/SKILL.md": skill("Fine.", `Use ${token}`),
	});
	await symlink(outside, join(folder, ".agents/skills/outside"));
	const skills = await readSkills([folder], undefined, paths =>
		Promise.resolve(new Set(paths.filter(path => path.includes("ignored")))),
	);
	expect(skills.map(({ skill: name, refused, text }) => [name, refused, text])).toEqual([
		["hidden", "hidden", ""],
		["ignored", "ignored", ""],
		["outside", "outside", ""],
		["secret", "secret", ""],
	]);
	expect(skills[0]?.hidden).toMatchObject({ count: 2, line: 5 });
	expect(skillInstructions(skills)).toEqual([]);
});

test("what two places lead to is one skill, and of many the first are told of", async () => {
	const names = Array.from({ length: maxSkills + 1 }, (_, index) => `s${index + 10}`);
	const folder = await workspace(
		Object.fromEntries(names.map(name => [`.agents/skills/${name}/SKILL.md`, skill(name)])),
	);
	await mkdir(join(folder, ".claude"));
	await symlink("../.agents/skills", join(folder, ".claude/skills"));
	const skills = await readSkills([folder]);
	expect(skills.map(({ skill: name }) => name)).toEqual(names);
	expect(skills.filter(({ refused }) => refused !== undefined)).toMatchObject([
		{ skill: names.at(-1), refused: "tooMany", text: "" },
	]);
});

const split = (file: string) => splitFrontMatter(file, 20);

test("the front matter gives the description, in one line and without its quotes", () => {
	expect(split('---\ndescription: "Reviews code"\nmodel: x\n---\nBe strict.\n')).toEqual({
		description: "Reviews code",
		text: "Be strict.\n",
	});
	expect(split("---\r\ndescription: Two\r\n---\r\nText")).toEqual({
		description: "Two",
		text: "Text",
	});
	expect(split("No front matter\n---\nmore")).toEqual({
		description: "",
		text: "No front matter\n---\nmore",
	});
});

test.each([
	["description: >-\n  Deploys\n\n  the site\nname: x", "Deploys the site"],
	["description: |\n  Deploys it", "Deploys it"],
	["name: x\ndescription: Deploys\n  all", "Deploys all"],
	["description:\n  'Deploys'", "Deploys"],
	["name: x\n  description: not its own", ""],
	["description: one two three four five six", "one two three four f"],
	["description: A\u202Eb", "A␣U+202Eb"],
])("the description of %j is one line within the bound", (head, description) => {
	expect(split(`---\n${head}\n---\nText`)).toEqual({ description, text: "Text" });
});
