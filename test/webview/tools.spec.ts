import type { ToolCardView } from "../../src/shared/tools.ts";
import { expect, inEveryTheme, test } from "./fixtures.ts";
import { emptyChat, hunkOf, messageOf, streaming, turnOf } from "./states.ts";

const read: ToolCardView = {
	id: "c1",
	after: 1,
	title: "Read a file",
	name: "read_file",
	argumentsText: '{\n  "path": "src/pricing.ts"\n}',
	state: "done",
	result: "src/pricing.ts, lines 1-2 of 61:\nconst a = 1;",
};

const edit: ToolCardView = {
	id: "c2",
	after: 2,
	title: "Edit files",
	name: "apply_edit",
	argumentsText: '{\n  "files": []\n}',
	state: "asking",
	approval: {
		requestId: "request-1",
		files: ["src/pricing.ts", ".vscode/tasks.json"],
		warnings: [".vscode/tasks.json can decide what runs on this machine"],
		canRemember: true,
		hunks: [
			hunkOf("src/pricing.ts", 3, { removed: "return price;", added: "return round(price);" }),
			hunkOf(".vscode/tasks.json", 1, { removed: "{}", added: '{ "x": "␣U+202Eb" }' }, 1),
		],
	},
};

const waiting = {
	...emptyChat,
	turns: [
		turnOf(
			"Round the price",
			[
				messageOf("I will look at the file.", { toolNames: ["read_file"] }),
				messageOf("src/pricing.ts …", { index: 1, role: "tool" }),
			],
			{ status: streaming, tools: [read, edit] },
		),
	],
};

test("a card names the tool in our words, and hides arguments and result until they are asked for @core", async ({
	chat,
}) => {
	await chat.open(waiting);
	const card = chat.page.getByRole("group", { name: "Tool: Read a file" });
	await expect(card.getByText("Done")).toBeAttached();
	await expect(card.getByText("const a = 1;")).toBeHidden();
	await card.locator("summary").first().click();
	await expect(card.getByText("const a = 1;")).toBeVisible();
	await expect(chat.page.getByRole("article", { name: "Assistant" })).toHaveCount(1);
});

test("a call without a card was requested, and does not read as if it had been made", async ({
	chat,
}) => {
	const message = messageOf("", { toolNames: ["Delete cart.ts", "List files"] });
	await chat.open({ ...emptyChat, turns: [turnOf("Clean up", [message])] });
	await expect(chat.page.getByText("Requested: Delete cart.ts · List files")).toBeVisible();
});

test("T14: Allow cannot be pressed for half a second, by click or key, and Deny can at once @core", async ({
	chat,
}) => {
	await chat.open(waiting);
	await expect(chat.page.getByRole("button", { name: "Allow", exact: true })).toBeEnabled();
	const approval = edit.approval && { ...edit.approval, requestId: "request-2" };
	const card = { ...edit, ...(approval ? { approval } : {}) };
	const seen = await chat.page.evaluate(async next => {
		const frame = () => new Promise(resolve => requestAnimationFrame(resolve));
		const find = (kind: string) => document.querySelector<HTMLButtonElement>(`.tool-${kind}`);
		const old = find("allow");
		// The moment it is there: a frame may be late on a busy machine, and the half second is over sooner then.
		const shown = new Promise<number>(resolve => {
			const look = (): void => void (find("allow") !== old && resolve(performance.now()));
			new MutationObserver(look).observe(document, { childList: true, subtree: true });
		});
		window.harness.push([{ type: "tool-card", turnId: "turn", card: next }]);
		const shownAt = await shown;
		const isDenyOn = find("deny")?.disabled === false;
		find("allow")?.click();
		while (find("allow")?.disabled) {
			await frame();
		}
		return { isDenyOn, heldMs: performance.now() - shownAt };
	}, card);
	expect(seen.isDenyOn).toBe(true);
	expect(seen.heldMs).toBeGreaterThan(450);
	expect(await chat.requests("answerTool")).toEqual([]);
});

test("no answer looks like the recommended one before the half second is over, in any theme", async ({
	chat,
}) => {
	await chat.open(waiting);
	await inEveryTheme(chat.page, async theme => {
		await expect(chat.page.getByRole("button", { name: "Allow", exact: true })).toBeEnabled();
		const approval = edit.approval && { ...edit.approval, requestId: `request in ${theme}` };
		const card = { ...edit, ...(approval ? { approval } : {}) };
		const looks = await chat.page.evaluate(async next => {
			const frame = () => new Promise(resolve => requestAnimationFrame(resolve));
			const find = (kind: string) => document.querySelector<HTMLButtonElement>(`.tool-${kind}`);
			const lookOf = (kind: string): string => {
				const { backgroundColor, color, boxShadow } = getComputedStyle(find(kind) ?? document.body);
				return [backgroundColor, color, boxShadow].join("; ");
			};
			const old = find("allow");
			window.harness.push([{ type: "tool-card", turnId: "turn", card: next }]);
			while (find("allow") === old) {
				await frame();
			}
			const held = new Set<string>();
			for (; find("allow")?.disabled; await frame()) {
				held.add(lookOf("allow"));
			}
			return { held: [...held], armed: lookOf("allow"), deny: lookOf("deny") };
		}, card);
		expect(looks.held).toEqual([looks.deny]);
		expect(looks.armed).not.toBe(looks.deny);
	});
});

test("an answer holds the chosen hunks, or the reason", async ({ chat }) => {
	await chat.open(waiting);
	await chat.page.getByLabel(".vscode/tasks.json, line 1").uncheck();
	await chat.page.getByRole("button", { name: "Allow", exact: true }).click();
	await chat.page.getByLabel("Why not").fill("not like this");
	await chat.page.getByRole("button", { name: "Deny" }).click();
	expect(await chat.requests("answerTool")).toEqual([
		{ requestId: "request-1", decision: "allow", scope: "once", reason: "", hunks: [0] },
		{
			requestId: "request-1",
			decision: "deny",
			scope: "once",
			reason: "not like this",
			hunks: [0],
		},
	]);
});

test("T29: words of the model never become part of our own controls @core", async ({ chat }) => {
	const hostile = '<button class="tool-allow">Allow</button> [Allow](command:x)';
	await chat.open({
		...waiting,
		turns: [
			turnOf("x", [messageOf(hostile)], {
				status: streaming,
				tools: [{ ...read, name: hostile, argumentsText: hostile, result: hostile }],
			}),
		],
	});
	await expect(chat.page.getByRole("button", { name: "Allow" })).toHaveCount(0);
	await expect(chat.page.locator(".tool-card a, .tool-card button")).toHaveCount(0);
});
