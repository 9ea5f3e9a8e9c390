import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { globalIgnoreText } from "../../../src/paths/globalIgnore.ts";
import { makeTempFolder } from "../../helpers/tempFolder.ts";

async function homeWith(files: Readonly<Record<string, string>>): Promise<string> {
	const home = await makeTempFolder();
	for (const [name, text] of Object.entries(files)) {
		mkdirSync(dirname(join(home, name)), { recursive: true });
		writeFileSync(join(home, name), text);
	}
	return home;
}

test.each([
	["without settings", {}, ""],
	["Git's own place for them", { ".config/git/ignore": "*.a" }, "*.a"],
	[
		"the file the user named",
		{
			".gitconfig": "[user]\n\tname = A\n[core]\n\texcludesFile = ~/mine ; where\n",
			".config/git/ignore": "*.a",
			mine: "*.b",
		},
		"*.b",
	],
	[
		"a quoted name",
		{ ".gitconfig": '[core]\nexcludesfile = "~/my \\"own\\""\n', 'my "own"': "*.c" },
		"*.c",
	],
	[
		"the later of two",
		{
			".config/git/config": "[core] excludesfile = ~/one\n",
			".gitconfig": "[CORE]\n\tExcludesFile=~/two\n",
			one: "*.1",
			two: "*.2",
		},
		"*.2",
	],
	[
		"the same name in another section",
		{ ".gitconfig": "[other]\nexcludesfile = ~/x\n", x: "*.x" },
		"",
	],
	[
		"settings that the user's own include",
		{
			".gitconfig": "[include]\n\tpath = .gitconfig.local\n",
			".gitconfig.local": "[include]\npath = ~/.gitconfig\n[core]\nexcludesfile = ~/mine\n",
			mine: "*.b",
		},
		"*.b",
	],
	["a file that is not there", { ".gitconfig": "[core]\nexcludesfile = ~/none\n" }, ""],
	["a relative path", { ".gitconfig": "[core]\nexcludesfile = mine\n", mine: "*.b" }, ""],
])("what a user has Git ignore everywhere: %s", async (_, files, expected) => {
	const home = await homeWith(files);
	expect(globalIgnoreText({ home, configHome: undefined })).toBe(expected);
});

test("another folder of settings counts in place of the usual one", async () => {
	const home = await homeWith({ "settings/git/ignore": "*.s", ".config/git/ignore": "*.a" });
	expect(globalIgnoreText({ home, configHome: join(home, "settings") })).toBe("*.s");
});
