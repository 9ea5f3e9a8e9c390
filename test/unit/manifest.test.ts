import { existsSync, globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { ToolRegistry } from "../../src/tools/catalog/toolRegistry.ts";
import { machineSettings } from "../../src/ui/base/userSetting.ts";

vi.mock("vscode", () => ({}));

const root = resolve(import.meta.dirname, "../..");
const { chatViewId } = await import("../../src/ui/chatView/pageFocus.ts");
const { commandIds } = await import("../../src/ui/base/commands.ts");
const { languageModelToolNames } = await import("../../src/ui/tools/languageModelTools.ts");
const { namedModels, settingsTable } = await import("../../src/ui/base/settings.ts");

/** The manifest with its words in English, as VS Code reads it. */
function localizedManifest(): unknown {
	const words = z
		.record(z.string(), z.string())
		.parse(JSON.parse(readFileSync(join(root, "package.nls.json"), "utf8")));
	return JSON.parse(readFileSync(join(root, "package.json"), "utf8"), (_, value: unknown) => {
		const key = typeof value === "string" ? /^%(.+)%$/.exec(value)?.[1] : undefined;
		return key === undefined ? value : words[key];
	});
}

const setting = z.looseObject({
	default: z.unknown(),
	scope: z.optional(z.string()),
	tags: z.optional(z.array(z.string())),
	markdownDescription: z.string().check(z.minLength(20)),
});
const manifest = z
	.looseObject({
		engines: z.object({ vscode: z.string(), node: z.string() }),
		devDependencies: z.record(z.string(), z.string()),
		main: z.string(),
		icon: z.string(),
		capabilities: z.object({
			untrustedWorkspaces: z.looseObject({
				supported: z.literal("limited"),
				description: z.string(),
			}),
			virtualWorkspaces: z.object({ supported: z.literal("limited"), description: z.string() }),
		}),
		contributes: z.looseObject({
			commands: z.array(
				z.looseObject({ command: z.string(), title: z.string(), category: z.string() }),
			),
			viewsContainers: z.object({
				secondarySidebar: z.array(
					z.object({ id: z.string(), title: z.string(), icon: z.string() }),
				),
			}),
			views: z.record(z.string(), z.array(z.looseObject({ id: z.string(), icon: z.string() }))),
			walkthroughs: z.array(
				z.object({
					id: z.string(),
					title: z.string(),
					description: z.string(),
					icon: z.string(),
					steps: z.array(
						z.object({
							id: z.string(),
							title: z.string(),
							description: z.string(),
							media: z.object({ svg: z.string(), altText: z.string() }),
							completionEvents: z.array(z.string()),
						}),
					),
				}),
			),
			configuration: z.array(
				z.object({
					title: z.string(),
					order: z.number(),
					properties: z.record(z.string(), setting),
				}),
			),
		}),
	})
	.parse(localizedManifest());

const contributes = manifest.contributes;
const properties = Object.assign(
	{},
	...contributes.configuration.map(part => part.properties),
) as Record<string, z.infer<typeof setting>>;

test("package.json contributes exactly the commands the code registers", () => {
	expect(contributes.commands.map(entry => entry.command).toSorted()).toEqual(
		[...commandIds].toSorted(),
	);
});

test("every command is in the category Cutaway, in title case and without the name repeated", () => {
	for (const { title, category } of contributes.commands) {
		expect(category).toBe("Cutaway");
		expect(title).toMatch(/^[A-Z]/);
		expect(title).not.toContain("Cutaway");
	}
});

test("the Settings editor shows at most 26 settings at first, those that protect or cost among them", () => {
	const shown = Object.keys(properties).filter(
		name => properties[name]?.tags?.includes("advanced") !== true,
	);
	expect(shown.length).toBeLessThanOrEqual(26);
	expect(shown).toEqual(
		expect.arrayContaining(
			["tools.enabled", "tools.askBeforeReading", "endpoint", "network", "chat.maxTokens"].map(
				name => `cutaway.${name}`,
			),
		),
	);
});

test("package.json contributes exactly the settings the code reads, with the same defaults", () => {
	expect(Object.keys(properties).toSorted()).toEqual(
		Object.keys(settingsTable)
			.map(name => `cutaway.${name}`)
			.toSorted(),
	);
	for (const [name, { fallback }] of Object.entries(settingsTable)) {
		expect(properties[`cutaway.${name}`]?.default, name).toEqual(fallback);
	}
});

test("package.json offers the editor's agents exactly the tools the code registers, as their schemas say", () => {
	const registry = new ToolRegistry();
	expect(contributes["languageModelTools"]).toEqual(
		languageModelToolNames.map(name => {
			const tool = registry.find(name);
			expect(["read", "paid"]).toContain(tool?.effect);
			return expect.objectContaining({
				name: `cutaway_${name}`,
				displayName: tool?.title,
				modelDescription: tool?.description,
				inputSchema: tool?.parameters,
				canBeReferencedInPrompt: true,
				toolReferenceName: expect.stringMatching(/^cutaway[A-Z]/),
			});
		}),
	);
});

test("every default is a value its own schema accepts", () => {
	for (const [name, { schema, fallback }] of Object.entries(settingsTable)) {
		expect(z.safeParse<z.ZodMiniType>(schema, fallback).success, name).toBe(true);
	}
});

/**
 * Why no workspace may set a setting, for each. A setting that one may set needs a reason here as well, and its name in
 * `restrictedConfigurations`, so that Restricted Mode ignores it.
 */
const scopes: Readonly<
	Record<keyof typeof settingsTable, readonly ["application" | "machine", string]>
> = {
	endpoint: ["application", "T1: who reads the chat and gets the key"],
	"auth.header": ["application", "T1: where the key goes"],
	"auth.scheme": ["application", "T1: how the key is sent"],
	"files.path": ["application", "T1: where files and the key go"],
	"files.field": ["application", "T1: how files are sent"],
	network: ["application", "T1: past which proxy requests go"],
	"chat.model": [
		"application",
		"T35: which of the user's servers reads the chat, and what it costs",
	],
	"chat.models": ["application", "T35: which models the menus offer"],
	"chat.serverTools": ["application", "T35: whether a model may read web pages and run Python"],
	"chat.temperature": ["application", "T35: how the user's model answers"],
	"chat.topP": ["application", "T35: how the user's model answers"],
	"chat.maxTokens": ["application", "T35: what an answer costs"],
	"chat.extraParameters": [
		"application",
		"T35: any field of a request: other models, plugins, keeping data",
	],
	"chat.systemPrompts": ["application", "T35: what the user's prompts say"],
	"chat.systemPrompt": ["application", "T35: what is sent with every message"],
	"chat.projectInstructions": ["application", "T35: whether the workspace's own words are sent"],
	notifications: ["application", "whether the user is told what waits; no workspace silences it"],
	"editor.lightBulb": ["application", "The user's taste, no matter of a project"],
	"video.duration": ["application", "T35: what a video costs"],
	"video.autoLength": ["application", "T35: how much is drawn for a click"],
	"video.motionStrength": ["application", "T35: what a video engine is asked for"],
	"video.folder": ["machine", "T35: where files are written"],
	"tools.enabled": ["application", "CVE-2025-53773: what tools may do"],
	"tools.disabled": ["application", "CVE-2025-53773: what tools may do"],
	"tools.external": ["application", "T43: which tools of others a model may call"],
	"tools.askBeforeReading": ["application", "CVE-2025-53773: what tools may do"],
	"tools.offerToEditor": ["application", "CVE-2025-53773: who may use the tools"],
	"localService.servers": ["application", "T1: who reads the chat and gets a key"],
	"localService.engine": ["application", "T35: which kind of model reads the chat"],
	"localService.modelHub": ["application", "T42: where models are downloaded from"],
	"localService.packageMirror": ["application", "T42: where Python's packages are downloaded from"],
	"localService.contextLength": ["application", "T35: how much memory Ollama takes"],
	"localService.video.engine": ["application", "T35: who makes a video, and what it costs"],
	"localService.video.shape": [
		"application",
		"The user's taste, remembered by the step before a video",
	],
	"localService.video.baseUrl": ["application", "T1: who gets the prompt and the key"],
	"localService.video.model": ["application", "T35: what a video costs"],
	"localService.video.header": ["application", "T1: where the key goes"],
	"localService.video.scheme": ["application", "T1: how the key is sent"],
	"localService.video.theme": ["application", "The user's taste, no matter of a project"],
	"localService.video.ground": ["application", "T35: how a clip that is shared looks"],
	"localService.video.bar": ["application", "T35: how a clip that is shared looks"],
	"localService.video.numbers": ["application", "T35: how a clip that is shared looks"],
	"localService.video.padding": ["application", "T35: how a clip that is shared looks"],
	"localService.video.groundColor": ["application", "T35: how a clip that is shared looks"],
	"localService.video.typeSize": ["application", "T35: how a clip that is shared looks"],
	"video.signature": ["application", "T35: how a clip that is shared looks"],
	"localService.video.durations": ["application", "T35: what a video costs"],
	"localService.video.motionPhrases": ["application", "T35: words added to every prompt"],
	"localService.video.workflow": [
		"application",
		"T35: which file runs on the video engine's server",
	],
};

test("T1, T35, CVE-2025-53773: every setting has a scope that no workspace can set, for a written reason", () => {
	const found = Object.entries(properties).map(([name, { scope }]) => [name, scope]);
	const wanted = Object.entries(scopes).map(([name, [scope]]) => [`cutaway.${name}`, scope]);
	expect(Object.fromEntries(found)).toEqual(Object.fromEntries(wanted));
	expect(manifest.capabilities.untrustedWorkspaces).not.toHaveProperty("restrictedConfigurations");
	const ofMachine = Object.entries(scopes).flatMap(([name, [scope]]) =>
		scope === "machine" ? [name] : [],
	);
	expect([...machineSettings]).toEqual(ofMachine);
});

test("T1, T35, CVE-2025-53773: Cutaway's own settings are read in one file, which never reads what VS Code merges", () => {
	// Any other section is one of the editor's own.
	const reading = /getConfiguration\(\s*(?:["'`]cutaway[^)]*)?\)(?:\s*\.(\w+))?/g;
	const found = globSync("src/**/*.ts", { cwd: root }).flatMap(file =>
		[...readFileSync(join(root, file), "utf8").matchAll(reading)].map(([, use]) => [file, use]),
	);
	expect(Object.fromEntries(found)).toEqual({
		"src/ui/base/settings.ts": "update",
		"src/ui/base/userSetting.ts": "inspect",
	});
	expect(found).toHaveLength(2);
});

test("the chat view is alone in a container of the secondary side bar, where its buttons always show", () => {
	expect(contributes.viewsContainers.secondarySidebar.map(container => container.id)).toEqual([
		"cutaway",
		"cutaway-videos",
	]);
	expect(contributes.views["cutaway"]?.map(view => view.id)).toEqual([chatViewId]);
	expect(contributes.views["cutaway-videos"]?.map(view => view.id)).toEqual(["cutaway.videos"]);
});

const walkthroughSteps = contributes.walkthroughs.flatMap(walkthrough => walkthrough.steps);

test("the walkthrough has three steps, each done by a result and never by a click", () => {
	expect(walkthroughSteps).toHaveLength(3);
	for (const { description } of walkthroughSteps) {
		const offered = [...description.matchAll(/\]\(command:([\w.]+)\)/g)].map(([, id]) => id);
		expect(commandIds).toEqual(expect.arrayContaining(offered));
	}
	expect(walkthroughSteps.map(({ completionEvents }) => completionEvents)).toEqual([
		["onContext:cutaway.hasModel"],
		["onContext:cutaway.hasVideo"],
		["onContext:cutaway.hasAnswerAboutSelection"],
	]);
});

test.each(globSync("package.nls*.json", { cwd: root }))(
	"the walkthrough's description fits the three lines that VS Code shows: %s",
	file => {
		const words = readFileSync(join(root, file), "utf8");
		const [, description] = /"walkthrough\.start\.description": "(.+)"/.exec(words) ?? [];
		expect(description).toMatch(/^.{20,66}$/);
	},
);

test("every file the manifest names exists", () => {
	const icons = [
		manifest.icon,
		...contributes.viewsContainers.secondarySidebar.map(container => container.icon),
		...Object.values(contributes.views)
			.flat()
			.map(view => view.icon),
		...walkthroughSteps.map(step => step.media.svg),
	].filter(icon => !icon.startsWith("$("));
	for (const icon of icons) {
		expect(existsSync(join(root, icon)), icon).toBe(true);
	}
});

test("the walkthrough's second step shows a clip of code, which moves for less than five seconds", () => {
	const svg = readFileSync(join(root, "media/walkthrough/video.svg"), "utf8");
	expect(svg).toContain("pricing.ts");
	// This color is hardly visible in VS Code's own themes.
	expect(svg).not.toContain("charts-orange");
	const durations = [...svg.matchAll(/dur="([\d.]+)s" fill="freeze"/g)].map(([, dur]) =>
		Number(dur),
	);
	expect(durations.length).toBe(svg.split("<animate ").length - 1);
	expect(durations.length).toBeGreaterThan(0);
	expect(Math.max(...durations)).toBeLessThan(5);
});

test("the types are those of the oldest supported editor", () => {
	const minor = /^\^(\d+\.\d+)\./.exec(manifest.engines.vscode)?.[1];
	expect(manifest.devDependencies["@types/vscode"]).toMatch(new RegExp(`^~?${minor}\\.`));
});

test("the settings name no model that nobody has: empty means the first of the four of the interface", () => {
	expect(properties["cutaway.chat.model"]?.default).toBe("");
	expect(z.parse(settingsTable["chat.model"].schema, "")).toBe(namedModels[0]);
});

test("the guide's table names every setting with its default", () => {
	const rows = [
		...readFileSync(join(root, "docs/guide/settings.md"), "utf8").matchAll(
			/^\|\s*`(cutaway\.[^`]+)`\s*\|\s*(\S[^|]*?)\s*\|/gm,
		),
	].map(([, name, value]) => [name, value]);
	const shown = (value: unknown): string =>
		value === "" ? "empty" : `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
	expect(Object.fromEntries(rows)).toEqual(
		Object.fromEntries(
			Object.entries(properties).map(([name, entry]) => [name, shown(entry.default)]),
		),
	);
});

test("the README names only settings that exist", () => {
	const named = [...readFileSync(join(root, "README.md"), "utf8").matchAll(/`(cutaway\.[\w.]+)`/g)];

	expect(named.length).toBeGreaterThanOrEqual(5);
	expect(named.flatMap(([, name]) => (name && name in properties ? [] : [name]))).toEqual([]);
});
