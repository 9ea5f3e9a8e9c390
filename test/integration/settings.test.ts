import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import type { Settings } from "../../src/ui/base/settings.ts";
import { configure, cutaway, until } from "./cutaway.ts";

/** Values of the user that no workspace may replace, one for each form a setting has. */
const own = {
	endpoint: "https://own.example",
	"chat.model": "own/model",
	"chat.models": ["own/model", "own/other"],
	"chat.maxTokens": 500,
	"chat.extraParameters": { seed: 7 },
	"chat.systemPrompts": { Poet: "Rhyme." },
	"chat.systemPrompt": "Poet",
	"chat.projectInstructions": false,
	"tools.enabled": false,
	"tools.disabled": ["delete_file"],
	"tools.offerToEditor": false,
	"tools.askBeforeReading": true,
	"localService.servers": [{ name: "own", baseUrl: "https://own.example" }],
	"video.duration": 3,
};

type Tree = { [key: string]: Tree | string };

/** Every setting's name as a tree, with `x` below each name. */
function treeOf(names: readonly string[], value: string): Tree {
	const root: Tree = {};
	for (const name of names) {
		let at = root;
		for (const part of name.split(".")) {
			const below = at[part] ?? {};
			assert.ok(typeof below === "object");
			at = at[part] = below;
		}
		at["x"] = value;
	}
	return root;
}

const below = (names: readonly string[], key: string, value: string): Tree =>
	Object.fromEntries(names.map(name => [`cutaway.${name}.${key}`, value]));

/** Ways to write below every setting without naming one, so that no scope of a setting applies. */
const forms: Readonly<Record<string, (names: readonly string[], value: string) => Tree>> = {
	"NAME.x": (names, value) => below(names, "x", value),
	"NAME.0": (names, value) => below(names, "0", value),
	"NAME.Poet": (names, value) => below(names, "Poet", value),
	"an object for the first part of each name": (names, value) =>
		Object.fromEntries(
			Object.entries(treeOf(names, value)).map(([part, tree]) => [`cutaway.${part}`, tree]),
		),
	"one object for all": (names, value) => ({ cutaway: treeOf(names, value) }),
};

/** Writes a file of settings until VS Code has read it: a change of a file is not always reported to it. */
async function writeUntilRead(file: string, content: unknown, isRead: () => boolean) {
	const text = JSON.stringify(content);
	await writeFile(file, text);
	const again = setInterval(() => void writeFile(file, text), 5000);
	try {
		await until(isRead, `VS Code to read ${file}`);
	} finally {
		clearInterval(again);
	}
}

describe("a workspace's settings", () => {
	let settings: Settings;
	let file: string;
	let text: string;

	const names = (): readonly string[] => {
		const { configuration } = cutaway().packageJSON.contributes;
		return [configuration]
			.flat()
			.flatMap(({ properties }: { properties: object }) => Object.keys(properties))
			.map(name => name.replace("cutaway.", ""));
	};
	const valuesOf = (): Readonly<Record<string, unknown>> =>
		Object.fromEntries(names().map(name => [name, settings.get(name as keyof typeof own)]));
	/** A key that no setting has, which shows that VS Code read the workspace's file. */
	const mark = "cutaway.mark";

	before(async () => {
		settings = (await (await cutaway().activate()).runtime()).settings;
		file = vscode.workspace.workspaceFile?.fsPath ?? "";
		text = await readFile(file, "utf8");
		await configure(own);
	});
	after(async () => {
		await writeFile(file, text);
		await configure(Object.fromEntries(Object.keys(own).map(name => [name, undefined])));
	});

	for (const [title, form] of Object.entries(forms)) {
		it(`T1, T35, CVE-2025-53773: leave every setting as the user wrote it, whatever is written below its name: ${title}`, async () => {
			const wanted = valuesOf();
			assert.deepEqual({ ...wanted, ...own }, wanted);
			assert.ok(Object.keys(wanted).length > 40);
			const hostile = { ...form(names(), title), [mark]: title };
			const isRead = () => vscode.workspace.getConfiguration().get(mark) === title;
			await writeUntilRead(file, { ...JSON.parse(text), settings: hostile }, isRead);
			assert.deepEqual(valuesOf(), wanted);
		});
	}

	// On a desktop there is no remote machine.
	const itRemote = vscode.env.remoteName === undefined ? it.skip : it;
	itRemote(
		"T35: are not merged with those of a remote machine, as a repository's dev container writes them",
		async () => {
			const result = process.env["CUTAWAY_TEST_RESULT"] ?? "";
			const machine = join(dirname(result), "data", "data", "Machine", "settings.json");
			const before = await readFile(machine, "utf8");
			const wanted = valuesOf();
			// Other settings have no value of the user's, and their strictest one then.
			const named = Object.keys(own);
			const hostile = {
				...below(named, "x", "evil"),
				...below(named, "Poet", "evil"),
				[mark]: "machine",
			};
			try {
				const isRead = () =>
					vscode.workspace.getConfiguration().inspect(mark)?.globalValue === "machine";
				await writeUntilRead(machine, { ...JSON.parse(before), ...hostile }, isRead);
				assert.deepEqual(valuesOf(), wanted);
			} finally {
				await writeFile(machine, before);
			}
		},
	);
});
