import { expect, test, vi } from "vitest";
import type { SlashCommandDependencies } from "../../../../src/ui/composer/slashCommands.ts";

vi.mock("vscode", () => ({}));
const { expandPrompt, SlashCommands } =
	await import("../../../../src/ui/composer/slashCommands.ts");

function setUp(change: Partial<SlashCommandDependencies> = {}) {
	const heard: string[] = [];
	const note =
		(name: string) =>
		(value = ""): Promise<void> => {
			heard.push(`${name} ${value}`.trim());
			return Promise.resolve();
		};
	const commands = new SlashCommands({
		prompts: () => Promise.resolve([]),
		models: () => ["llm-4-turbo-tools", "llm-4-turbo", "own-model"],
		setModel: note("model"),
		systemPrompts: () => ({ Reviewer: "Be strict.", Poet: "Rhyme." }),
		setSystemPrompt: note("system"),
		hasQuestions: () => true,
		newChat: note("newChat"),
		makeVideo: text => Promise.resolve(text !== "no"),
		exportChat: () => Promise.resolve(undefined),
		surroundings: () => ({ file: "a.ts", selection: undefined }),
		skills: () => [],
		start: command => void heard.push(command),
		attach: note("attach"),
		attachFile: note("attachFile"),
		...change,
	});
	const labels = async (query: string) => (await commands.complete(query)).map(each => each.label);
	return { commands, heard, labels };
}

const prompt = (name: string, text = "Review.", folder = "shop") => ({
	name,
	text,
	folder,
	description: "",
});

test("every command of Cutaway is offered; exporting only where it can be done", async () => {
	const own = [
		"/explain",
		"/fix",
		"/tests",
		"/doc",
		"/review",
		"/commit",
		"/compact",
		"/clip",
		"/new",
		"/model",
		"/system",
		"/video",
		"/help",
	];
	const { labels } = setUp();
	expect((await labels("")).toSorted()).toEqual(own.toSorted());
	const exporting = setUp({ exportChat: () => Promise.resolve(() => Promise.resolve()) });
	expect(await exporting.labels("expo")).toEqual(["/export"]);
});

test("commands for the selection run only where there is one; words after a command that needs none stay", async () => {
	const none = setUp();
	expect(await none.commands.run("/explain")).toEqual({
		type: "kept",
		sentence: "Select some text in an editor first.",
	});
	expect(await none.commands.run("/review and then?")).toMatchObject({ type: "kept" });
	expect(none.heard).toEqual([]);
	const { commands, heard } = setUp({ surroundings: () => ({ file: "a.ts", selection: "one" }) });
	for (const name of ["explain", "fix", "tests", "doc", "review", "commit", "compact", "clip"]) {
		expect(await commands.run(`/${name}`)).toEqual({ type: "done", sentence: null });
	}
	expect(heard).toEqual([
		"cutaway.explainSelection",
		"cutaway.fixSelection",
		"cutaway.writeTestsForSelection",
		"cutaway.documentSelection",
		"cutaway.reviewChanges",
		"cutaway.generateCommitMessage",
		"cutaway.summarizeChat",
		"cutaway.generateVideoFromSelection",
	]);
	expect(await commands.run("/clip A paper boat")).toEqual({ type: "done", sentence: null });
	expect(heard).toHaveLength(8);
});

test("what begins with the letters comes first, and a value is offered behind a command that has a list", async () => {
	const { labels, commands } = setUp();
	expect((await labels("m"))[0]).toBe("/model");
	expect(await labels("model llm-4-turbo-")).toEqual(["llm-4-turbo-tools"]);
	expect(await commands.complete("system rev")).toMatchObject([
		{ insert: "/system Reviewer", takesMore: false },
	]);
	expect(await labels("video anything")).toEqual([]);
});

test("an unknown command is named with the ways on, and does nothing", async () => {
	const { commands, heard } = setUp();
	expect(await commands.run("/sytem Reviewer")).toEqual({
		type: "kept",
		sentence: "There is no command /sytem. Type //sytem to send it as text, or /help for the list.",
	});
	expect(heard).toEqual([]);
});

test("/new and /clear begin a chat; /clear says where the one before is", async () => {
	const { commands, heard } = setUp();
	expect(await commands.run("/new")).toEqual({ type: "started", sentence: null });
	expect(await commands.run("/CLEAR  ")).toMatchObject({
		sentence: expect.stringContaining("in the history"),
	});
	expect(heard).toEqual(["newChat", "newChat"]);
});

test("/model and /system choose by name, open the settings without one, and refuse what is not there", async () => {
	const { commands, heard } = setUp();
	expect(await commands.run("/model own")).toMatchObject({ type: "done" });
	expect(await commands.run("/model llm")).toMatchObject({ type: "kept" });
	expect(await commands.run("/model")).toEqual({ type: "settings", field: "model" });
	expect(await commands.run("/system poet")).toMatchObject({ type: "done" });
	expect(await commands.run("/system nobody")).toMatchObject({ type: "kept" });
	expect(await commands.run("/system")).toEqual({ type: "settings", field: "systemPrompt" });
	expect(heard).toEqual(["model own-model", "system Rhyme."]);
});

test("/video keeps its words when the user leaves off", async () => {
	const { commands } = setUp();
	expect(await commands.run("/video a boat")).toEqual({ type: "done", sentence: null });
	expect(await commands.run("/video no")).toEqual({ type: "kept", sentence: null });
});

test("a prompt fills the composer and sends nothing; one that lacks something says so", async () => {
	const { commands, heard } = setUp({
		prompts: () =>
			Promise.resolve([prompt("review", "Review $file: $input"), prompt("fix", "Fix $selection")]),
	});
	expect(await commands.run("/review for\nbugs")).toMatchObject({
		type: "fill",
		text: "Review a.ts: for\nbugs",
	});
	expect(heard).toEqual(["attachFile"]);
	expect(await commands.run("/fix")).toMatchObject({ type: "kept" });
	const [offer] = await commands.complete("review");
	expect(offer).toMatchObject({ kind: "prompt", insert: "/review ", takesMore: true });
});

test("a prompt with the name of a command is reached by its folder's name", async () => {
	const { commands } = setUp({ prompts: () => Promise.resolve([prompt("new", "x", "My Shop")]) });
	expect(await commands.run("/new")).toMatchObject({ type: "started" });
	expect(await commands.run("/my-shop:new")).toMatchObject({ type: "fill", text: "x" });
});

test("a skill is offered by its name, and attached to a question that asks to follow it", async () => {
	const skill = (name: string) => ({ skill: name, text: "Deploys.", path: `/w/${name}/SKILL.md` });
	const { commands, heard, labels } = setUp({
		skills: () => [skill("Deploy"), skill("help"), skill("review")],
		prompts: () => Promise.resolve([prompt("review")]),
	});
	expect(await labels("deploy")).toEqual(["/deploy"]);
	expect(await commands.complete("deploy")).toMatchObject([
		{ kind: "skill", detail: "Deploys.", insert: "/deploy" },
	]);
	expect(await commands.run("/deploy to staging")).toEqual({
		type: "fill",
		text: "Follow the skill Deploy.\n\nto staging",
		sentence: "Read it, then press Enter to send it.",
	});
	expect(heard).toEqual(["attach /w/Deploy/SKILL.md"]);

	// Commands and the user's own prompts come before skills of the same name.
	expect(await commands.run("/help")).toEqual({ type: "list" });
	expect(await commands.run("/review")).toMatchObject({ text: "Review." });
	expect(await commands.run("/skill:help")).toMatchObject({ text: "Follow the skill help." });
	expect(await commands.run("/skill:review")).toMatchObject({ text: "Follow the skill review." });
});

const places = { input: "be kind", selection: "```ts\na\n```", file: "src/a.ts" };
const textOf = (prompt: string, given: Partial<typeof places> = {}): string => {
	const expanded = expandPrompt(prompt, { ...places, ...given });
	return expanded.type === "expanded" ? expanded.text : expanded.sentence;
};

test("each place is filled in, wherever and however often it occurs", () => {
	expect(textOf("Review $file ($input, $input):\n$selection")).toBe(
		"Review src/a.ts (be kind, be kind):\n```ts\na\n```",
	);
});

test("a place in what is filled in stays as it is", () => {
	expect(textOf("$input", { input: "$selection $file" })).toBe("$selection $file");
	expect(textOf("$selection", { selection: "$input $& $1", input: "" })).toBe("$input $& $1");
});

test("a backslash makes a place a word, and other words with a dollar stay", () => {
	expect(textOf("\\$input costs $5, $inputs and $$", { input: "" })).toBe(
		"$input costs $5, $inputs and $$",
	);
});

test("words without a place to stand at go below the prompt", () => {
	expect(textOf("Review this.")).toBe("Review this.\n\nbe kind");
	expect(textOf("Review this.", { input: "" })).toBe("Review this.");
});

test("what is missing is named, and nothing is filled in", () => {
	expect(expandPrompt("$selection", { ...places, selection: undefined })).toMatchObject({
		type: "lacking",
		sentence: expect.stringContaining("select something"),
	});
	expect(expandPrompt("$file", { ...places, file: undefined }).type).toBe("lacking");
	expect(expandPrompt("Hello", { ...places, selection: undefined, file: undefined }).type).toBe(
		"expanded",
	);
	expect(textOf("$selection", { selection: "x".repeat(200_001) })).toContain("200000 characters");
});

test("T30: hidden characters of a prompt are shown by their codes", () => {
	expect(textOf("Hello\u{E0041}\u202Ethere", { input: "" })).toBe("Hello␣U+E0041␣U+202Ethere");
});
