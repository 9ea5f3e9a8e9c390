import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { readWebm } from "../helpers/webm.ts";
import { clipThemes } from "../pictures/clipThemes.ts";
import { expect, test } from "./fixtures.ts";
import { chooseOption, lastStep, openReady, selectLines } from "./videoSteps.ts";

const theme = clipThemes["Quiet Light"];

test.use({
	// The clip is looked for among all that were drawn.
	isAlone: true,
	settings: {
		"workbench.colorTheme": "Quiet Light",
		"workbench.colorCustomizations": { "[Quiet Light]": { "editor.background": "#ffeedd" } },
		"editor.tokenColorCustomizations": { comments: "#102030" },
		"editor.tabSize": 8,
		"editor.detectIndentation": false,
		"editor.fontFamily": "'Liberation Mono', monospace",
		"editor.fontLigatures": "'calt' off",
	},
});

test("a clip has the shape that the last step offers, and looks like the editor", async ({
	workbench,
	testFolder,
}) => {
	await workbench.openFile("README.md");
	await selectLines(workbench, 3);
	await workbench.runCommand("Cutaway: Generate Video from Selection");
	await chooseOption(workbench, "Shape", "Tall");
	await chooseOption(workbench, "Length", "2 seconds");
	await chooseOption(workbench, "Look", "Solid color");
	await expect(workbench.page.locator(".quick-input-list")).toContainText("· 9:16");
	await workbench.screenshot("video-shape");
	await (await lastStep(workbench)).press("Enter");
	const preview = await openReady(workbench);
	await expect(preview.locator("video")).toHaveJSProperty("videoHeight", 1920);
	await workbench.screenshot("video-looks");

	const folder = join(testFolder, "data/data/User/globalStorage/cutaway.cutaway");
	const drawn = join(folder, "localService", "local-videos");
	const names = await readdir(drawn);
	const record = names.find(name => name.endsWith(".json"));
	const { params, looks } = JSON.parse(await readFile(join(drawn, record ?? ""), "utf8"));
	expect(looks).toEqual({
		...{ shape: "9:16", tabSize: 8, ground: "solid", bar: true },
		...{ numbers: true, padding: "usual", signature: "off" },
		theme: {
			...theme,
			background: "#ffeedd",
			tokens: { ...theme.tokens, comment: "#102030" },
		},
		themeName: "editor",
		font: { families: ["Liberation Mono", "monospace"], features: { calt: false } },
	});
	// The interface's request has nothing of it.
	expect(Object.keys(params).sort()).toEqual(["duration", "motion_strength", "prompt"]);
	const clip = names.find(name => name.endsWith(".webm"));
	expect(readWebm(await readFile(join(drawn, clip ?? "")))).toMatchObject({
		...{ width: 1080, height: 1920 },
	});
});
