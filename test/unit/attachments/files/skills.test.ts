import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import {
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
		".agents/skills/two words/SKILL.md": skill("Nothing that is one word."),
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
