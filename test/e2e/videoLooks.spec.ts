import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { readWebm } from "../helpers/webm.ts";
import { clipThemes } from "../pictures/clipThemes.ts";
import { expect, test } from "./fixtures.ts";
import { answerStep, chooseOption, lastStep, openReady, selectLines } from "./videoSteps.ts";

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

test("a clip has the shape and focuses on the lines that the last step asks for, and looks like the editor", async ({
	workbench,
	testFolder,
}) => {
	await workbench.openFile("src/pricing.ts");
	await selectLines(workbench, 12);
	await workbench.runCommand("Cutaway: Make Clip from Selection");
	await chooseOption(workbench, "Shape", "Tall");
	await chooseOption(workbench, "Length", "2 seconds");
	await chooseOption(workbench, "Look", "Solid color");
	await workbench.pickQuickInput("Motion");
	await workbench.screenshot("video-motions");
	await workbench.pickQuickInput("Focus on Lines…");
	await expect(workbench.page.locator(".quick-input-widget:visible input")).toHaveValue(/^\d+$/);
	await workbench.screenshot("video-focus-lines");
	await answerStep(workbench, "Lines that stay bright", "3-5, 9");
	await expect(workbench.page.locator(".quick-input-list")).toContainText("· Focus · 9:16");
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
	expect(looks).toMatchObject({
		shape: "9:16",
		tabSize: 8,
		ground: "solid",
		bar: true,
		numbers: true,
		padding: "usual",
		signature: "off",
		groundColor: "#6c5ce7",
		typeSize: "auto",
		theme: {
			...theme,
			background: "#ffeedd",
			tokens: {
				...theme.tokens,
				comment: "#102030",
			},
		},
		themeName: "editor",
		font: {
			families: ["Liberation Mono", "monospace"],
			features: { calt: false },
		},
	});
	// The code has the editor's own colors: the theme has a rule for comments of documentation, which the user's for comments doesn't change.
	const [colors] = Object.values<{ styles: string[]; lines: number[][] }>(looks.colors);
	expect(colors?.styles).toContain("#448c27 i");
	expect(colors?.lines.length).toBeGreaterThan(5);
	expect(params.prompt).toMatch(/^```typescript \{3-5,9\} title="pricing.ts" line=1\n/);
	expect(params.motion_strength).toBe(3);
	// The interface's request has nothing of the looks.
	expect(Object.keys(params).sort()).toEqual(["duration", "motion_strength", "prompt"]);
	const clip = names.find(name => name.endsWith(".webm"));
	expect(readWebm(await readFile(join(drawn, clip ?? "")))).toMatchObject({
		width: 1080,
		height: 1920,
	});
});
