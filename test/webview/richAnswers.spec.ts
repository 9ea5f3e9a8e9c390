import { expect, test } from "./fixtures.ts";
import { emptyChat, messageOf, streaming, turnOf } from "./states.ts";

const narrowTable = [
	"| Calls at 60 Hz | Calls at 120 Hz | Average of all runs | Worst of all runs |",
	"| --- | --- | --- | --- |",
	"| 1 | 2 | 3 | 4 |",
].join("\n");

const longCode = Array.from({ length: 120 }, (_, index) => `const value${index} = ${index};`);
const blocks = `First:

\`\`\`ts
const first = "a line that is so long that it runs far beyond the edge of a narrow side bar, and then some more";
\`\`\`

Second:

\`\`\`ts
${longCode.join("\n")}
\`\`\`

Third:

\`\`\`python
print("third")
\`\`\`
`;

const chatOf = (...answers: readonly string[]): typeof emptyChat => ({
	...emptyChat,
	turns: answers.map((text, index) => turnOf("Go", [messageOf(text)], { id: `turn${index}` })),
});

test("A table's heads keep room for a word or two in a narrow view, where the table scrolls", async ({
	chat,
}) => {
	await chat.page.setViewportSize({ width: 300, height: 600 });
	await chat.open(chatOf(narrowTable));
	const heads = chat.page.locator(".markdown th");
	await expect(heads).toHaveCount(4);
	for (const head of await heads.all()) {
		const lines = await head.evaluate(each => {
			const range = document.createRange();
			range.selectNodeContents(each);
			return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
		});
		expect(lines).toBeLessThanOrEqual(3);
	}
	expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(300);
});

test.describe("A code block", () => {
	test("that is long shows its first lines until it is asked for all of them", async ({ chat }) => {
		await chat.open(chatOf(blocks));
		const block = chat.page.locator(".code-block").nth(1);
		const height = async (): Promise<number> => (await block.boundingBox())?.height ?? 0;
		// An answer is drawn once more as a whole after it was opened.
		await expect.poll(height).toBeLessThan(480);
		await chat.page.getByRole("button", { name: "Show all 120 lines", exact: true }).click();
		await expect.poll(height).toBeGreaterThan(1500);
		await block.getByRole("button", { name: "Copy code", exact: true }).click();
		expect(await chat.requests("copyCode")).toEqual([{ text: `${longCode.join("\n")}\n` }]);
		const less = chat.page.getByRole("button", { name: "Show the first 20 lines", exact: true });
		// The list may still come to rest between the press and the release of the button.
		await expect(async () => {
			await less.click({ timeout: 2000 });
			expect(await height()).toBeLessThan(480);
		}).toPass();
		await expect(block.locator(".code-head")).toBeInViewport();
	});

	test("copies all of its code while only a part is shown", async ({ chat }) => {
		await chat.open(chatOf(blocks));
		const block = chat.page.locator(".code-block").nth(1);
		await block.getByRole("button", { name: "Copy code", exact: true }).click();
		expect(await chat.requests("copyCode")).toEqual([{ text: `${longCode.join("\n")}\n` }]);
	});

	test("breaks its long lines on request", async ({ chat }) => {
		await chat.open(chatOf(blocks));
		const block = chat.page.locator(".code-block").first();
		const overflow = (): Promise<number> =>
			block.locator("pre").evaluate(pre => pre.scrollWidth - pre.clientWidth);
		const wrap = block.getByRole("button", { name: "Wrap lines" });
		expect(await overflow()).toBeGreaterThan(0);
		await expect(wrap).toHaveAttribute("aria-pressed", "false");
		await wrap.press("Enter");
		expect(await overflow()).toBe(0);
		await expect(wrap).toHaveAttribute("aria-pressed", "true");
		await wrap.click();
		expect(await overflow()).toBeGreaterThan(0);
	});

	test("keeps its menu at its button while the answer flows in", async ({ chat }) => {
		const { page } = chat;
		const started = messageOf("```ts\nconst a = 1;\n```\n", { isFinished: false });
		await chat.open({ ...emptyChat, turns: [turnOf("Go", [started], { status: streaming })] });
		const button = page.getByRole("button", { name: "More actions" });
		await button.click();
		const menu = page.getByRole("menu", { name: "More actions" });
		await expect(menu).toBeVisible();
		const top = async (): Promise<number> => (await button.boundingBox())?.y ?? 0;
		const before = await top();
		// A line at a time: far enough away, the button would leave the view and close its menu.
		for (let line = 0; line < 60 && (await top()) >= before; line++) {
			await chat.push({ type: "text", turnId: "turn", index: 0, text: `Line ${line}.\n\n` });
		}
		expect(await top()).toBeLessThan(before);
		await expect(menu).toBeVisible();
		const at = await menu.boundingBox();
		expect(Math.abs((at?.y ?? 0) - (await top()))).toBeLessThan(60);
		await page.keyboard.press("Escape");
		await expect(menu).toHaveCount(0);
	});

	test("has all its buttons in reach in a view 300 pixels wide", async ({ chat }) => {
		await chat.page.setViewportSize({ width: 300, height: 700 });
		await chat.open(chatOf(`\`\`\`a-language-with-a-long-name\nx\n\`\`\``));
		const block = chat.page.locator(".code-block");
		for (const button of await block.getByRole("button").all()) {
			const box = await button.boundingBox();
			expect((box?.x ?? 300) + (box?.width ?? 0)).toBeLessThanOrEqual(300);
		}
		await expect(block.getByRole("button")).toHaveCount(4);
	});
});

test.describe("Going from code block to code block", () => {
	test("focuses the next and the previous, across messages, and stops at the ends", async ({
		chat,
	}) => {
		await chat.open(chatOf(blocks, "```sql\nselect 1\n```"));
		const focused = (): Promise<string> =>
			chat.page.evaluate(() => document.activeElement?.parentElement?.ariaLabel ?? "");
		const move = (step: string): Promise<void> => chat.event("moveToCodeBlock", { step });
		await chat.page.locator(".code-block pre").first().focus();
		await move("next");
		await expect.poll(focused).toBe("Code block 2 of 3 in this answer");
		await move("next");
		await move("next");
		await expect.poll(focused).toBe("Code block 1 of 1 in this answer");
		await expect(chat.page.locator(".code-block pre").last()).toBeInViewport();
		await move("next");
		await move("previous");
		await expect.poll(focused).toBe("Code block 3 of 3 in this answer");
		await move("previous");
		await move("previous");
		await expect.poll(focused).toBe("Code block 1 of 3 in this answer");
	});

	test("stops at a diagram that is drawn, at the button that shows its source", async ({
		chat,
	}) => {
		await chat.open(chatOf(`\`\`\`ts\nlet a;\n\`\`\`\n\n${flow}\n\`\`\`sql\nselect 1\n\`\`\``));
		await chat.page.getByRole("button", { name: "Draw diagram", exact: true }).click();
		const source = chat.page.getByRole("button", { name: "Show source", exact: true });
		await chat.page.locator(".code-block pre").first().focus();
		await chat.event("moveToCodeBlock", { step: "next" });
		await expect(source).toBeFocused();
		await chat.event("moveToCodeBlock", { step: "next" });
		await expect(chat.page.locator(".code-block pre").last()).toBeFocused();
		await chat.event("moveToCodeBlock", { step: "previous" });
		await expect(source).toBeFocused();
	});

	test("leads to blocks that are not on the page, and passes none", async ({ chat }) => {
		const code: Readonly<Record<number, string>> = {
			3: "```ts\nlet third;\n```",
			30: "A fence is written as ``` at the beginning of a line.",
			60: "```ts\nlet one;\n```\n\n```ts\nlet two;\n```",
			119: "```ts\nlet last;\n```",
		};
		const texts = Array.from({ length: 120 }, (_, index) => code[index] ?? "Words. ".repeat(100));
		await chat.open(chatOf(...texts));
		const focused = chat.page.locator("pre:focus");
		const move = async (step: string, text: string): Promise<void> => {
			await chat.event("moveToCodeBlock", { step });
			await expect(focused).toHaveText(text);
			await expect(focused).toBeInViewport({ ratio: 1 });
		};
		await chat.page.getByRole("textbox", { name: "Message" }).focus();
		for (const text of ["let last;", "let two;", "let one;", "let third;"]) {
			await move("previous", text);
		}
		await chat.event("moveToCodeBlock", { step: "previous" });
		for (const text of ["let one;", "let two;", "let last;"]) {
			await move("next", text);
		}
	});

	test("starts from what the reader looks at when the composer has the focus", async ({ chat }) => {
		await chat.open(chatOf(blocks, "```sql\nselect 1\n```"));
		await chat.page.getByRole("textbox", { name: "Message" }).focus();
		await chat.event("moveToCodeBlock", { step: "previous" });
		await expect(chat.page.locator(".code-block pre").last()).toBeFocused();
	});
});

const table = `| Name | Revenue | Share |
|:-----|--------:|:-----:|
| Beans, roasted | 1,234.50 | 45 % |
| "Special" | -12 | 1 % |
| =WEBSERVICE("https://evil.example") | 3 | [docs](https://example.com) |
`;

test.describe("A table", () => {
	test("is copied as comma-separated values, formulas as text", async ({ chat }) => {
		await chat.open(chatOf(table));
		const copy = chat.page.getByRole("button", { name: "Copy as CSV", exact: true });
		const mark = await copy.evaluate((button: HTMLElement) => {
			button.click();
			return getComputedStyle(button, "::after").content;
		});
		expect(mark, "a check of the icon font").toBe('"\ueab2"');
		expect(await chat.requests("copyCode")).toEqual([
			{
				text: [
					"Name,Revenue,Share",
					'"Beans, roasted","1,234.50",45 %',
					'"""Special""",-12,1 %',
					'"\'=WEBSERVICE(""https://evil.example"")",3,docs',
					"",
				].join("\r\n"),
			},
		]);
	});

	test("that is long keeps its header in sight, and one that is wide does not widen the view", async ({
		chat,
	}) => {
		const rows = Array.from({ length: 80 }, (_, row) => `| ${row} |${" value |".repeat(12)}`);
		const head = `| Row |${" Column |".repeat(12)}\n|---|${"---|".repeat(12)}\n`;
		await chat.open(chatOf(head + rows.join("\n")));
		const frame = chat.page.locator(".table-frame");
		await frame.evaluate(element => element.scrollTo(200, 900));
		await expect(chat.page.getByRole("columnheader", { name: "Column" }).nth(3)).toBeInViewport();
		const overflow = await chat.page
			.locator(".scroller")
			.evaluate(element => element.scrollWidth - element.clientWidth);
		expect(overflow).toBe(0);
	});
});

test("A table that goes on beyond its edge is shaded there, until its end is reached", async ({
	chat,
}) => {
	const cells = (text: string): string => `|${` ${text} |`.repeat(12)}\n`;
	await chat.page.setViewportSize({ width: 300, height: 600 });
	await chat.open(chatOf(cells("Column") + cells("---") + cells("")));
	const frame = chat.page.locator(".table-frame");
	const box = await frame.boundingBox();
	if (!box) {
		throw new Error("There is no table.");
	}
	// The end of the last row, whose cells are empty.
	const edge = { x: box.x + box.width - 8, y: box.y + box.height - 16, width: 6, height: 8 };
	const picture = (): Promise<string> =>
		chat.page.screenshot({ clip: edge }).then(png => png.toString("base64"));
	const shaded = await picture();
	await frame.evaluate(element => element.scrollTo(element.scrollWidth, 0));
	await expect.poll(picture).not.toBe(shaded);
});

test("A task is a box that shows whether it is done, is named by its text, and cannot be pressed", async ({
	chat,
}) => {
	await chat.open(chatOf("- [ ] **open** one\n- [x] done\n  - [x] inner"));
	const open = chat.page.getByRole("checkbox", { name: "open one", exact: true });
	await expect(open).not.toBeChecked();
	await expect(open).toBeDisabled();
	await expect(chat.page.getByRole("checkbox", { name: "done", exact: true })).toBeChecked();
	await expect(chat.page.getByRole("checkbox")).toHaveCount(3);
});

const formulas = `The area is $\\pi r^2$, and

$$
\\int_0^\\infty e^{-x^2}\\,dx = \\frac{\\sqrt{\\pi}}{2}
$$

It costs $5 and $10. Broken: $\\frac{1}$.`;

test.describe("A formula", () => {
	test("is drawn from our own files, read as MathML, and shows its source when it cannot be @core", async ({
		chat,
	}) => {
		const loaded: string[] = [];
		chat.page.on("request", request => loaded.push(new URL(request.url()).pathname));
		await chat.open(chatOf("No formula here, only $5 and $10."));
		expect(loaded.filter(path => /katex/i.test(path))).toEqual([]);
		await chat.open(chatOf(formulas));
		await expect(chat.page.locator(".math.drawn")).toHaveCount(3);
		await expect(chat.page.locator(".katex-html")).toHaveCount(2);
		await expect(chat.page.locator("math mfrac msqrt")).toHaveCount(1);
		const namespace = await chat.page
			.locator("math mfrac")
			.evaluate(element => element.namespaceURI);
		expect(namespace).toBe("http://www.w3.org/1998/Math/MathML");
		const problem = chat.page.locator(".math-problem");
		await expect(problem).toHaveText("$\\frac{1}$");
		await expect(problem).toHaveAttribute("title", /^Can't draw this formula\. .+/);
		await expect(chat.page.getByText("It costs $5 and $10.")).toBeVisible();
		await expect
			.poll(() => chat.page.evaluate(() => document.fonts.check('16px "KaTeX_Main"')))
			.toBe(true);
		expect(loaded.filter(path => path.endsWith(".woff2")).length).toBeGreaterThan(0);
		const display = await chat.page.locator(".math-display .katex-html").boundingBox();
		expect(display?.height).toBeGreaterThan(25);
	});

	test("that is too wide scrolls by itself", async ({ chat }) => {
		await chat.page.setViewportSize({ width: 300, height: 600 });
		await chat.open(chatOf(`$$${"a + ".repeat(60)} b$$`));
		await expect(chat.page.locator(".math.drawn .katex")).toHaveCount(1);
		const overflow = await chat.page
			.locator(".scroller")
			.evaluate(element => element.scrollWidth - element.clientWidth);
		expect(overflow).toBe(0);
	});

	test("is copied as its source", async ({ chat }) => {
		await chat.open(chatOf(formulas));
		await expect(chat.page.locator(".katex-html")).toHaveCount(2);
		const copied = await chat.page.evaluate(() => {
			const answer = document.querySelector(".markdown");
			const data = new DataTransfer();
			if (answer) {
				document.getSelection()?.selectAllChildren(answer);
				answer.dispatchEvent(
					new ClipboardEvent("copy", { clipboardData: data, bubbles: true, cancelable: true }),
				);
			}
			return data.getData("text/plain");
		});
		expect(copied).toContain("The area is $\\pi r^2$, and");
		expect(copied).toContain("$$\\int_0^\\infty e^{-x^2}\\,dx = \\frac{\\sqrt{\\pi}}{2}$$");
		expect(copied.match(/\\pi/g)).toHaveLength(2);
	});
});

const flow =
	"```mermaid\ngraph TD\n  A[Ask] --> B{Enough?}\n  B -->|yes| C[Answer]\n  B -->|no| A\n```\n";

const fenced = (source: string): string => `\`\`\`mermaid\n${source}\n\`\`\``;

/** A diagram of each kind, and a word in it. */
const kinds = [
	["sequenceDiagram\n  A->>B: Hello there", "Hello there"],
	["flowchart LR\n  A[size (bytes)] --> B{is x[0] > 1?}", "size (bytes)"],
	["classDiagram\n  Animal <|-- Duck\n  Animal : +int age", "Duck"],
	["stateDiagram-v2\n  [*] --> Still\n  Still --> Moving", "Moving"],
	["erDiagram\n  CUSTOMER ||--o{ ORDER : places", "CUSTOMER"],
	["gantt\n  title Plan\n  section One\n  Task :a1, 2026-01-01, 30d", "Plan"],
	['pie title Pets\n  "Dogs" : 386\n  "Cats" : 85', "Pets"],
	['gitGraph\n  commit id: "one"\n  branch develop\n  commit', "develop"],
	["journey\n  title My day\n  section Work\n  Tea: 5: Me", "My day"],
	["timeline\n  title History\n  2002 : LinkedIn", "History"],
	["quadrantChart\n  title Reach\n  x-axis Low --> High\n  A: [0.3, 0.6]", "Reach"],
] as const;

/** Two megabytes of script are read again for every diagram; the page itself waits as long. */
const drawing = { timeout: 60_000 };

test.describe("A diagram", () => {
	test("is drawn on a click in a frame that can reach nothing, with its source one click away", async ({
		chat,
	}) => {
		const loaded: string[] = [];
		chat.page.on("request", request => loaded.push(new URL(request.url()).pathname));
		await chat.open(chatOf(flow));
		expect(loaded.filter(path => path.includes("frameSource"))).toEqual([]);
		await chat.page.getByRole("button", { name: "Draw diagram", exact: true }).click();
		const frame = chat.page.locator("iframe.diagram");
		const inside = frame.contentFrame();
		await expect(inside.getByText("Enough?")).toBeVisible(drawing);
		await expect(frame).toHaveAttribute("sandbox", "allow-scripts");
		await expect(chat.page.locator(".code-block pre")).toBeHidden();
		await expect.poll(async () => (await frame.boundingBox())?.height).toBeGreaterThan(150);
		const surroundings = await inside.locator("body").evaluate(() => ({
			origin: window.origin,
			scripts: document.querySelectorAll("svg script, svg a, svg image").length,
		}));
		expect(surroundings).toEqual({ origin: "null", scripts: 0 });
		await chat.page.getByRole("button", { name: "Show source", exact: true }).click();
		await expect(frame).toHaveCount(0);
		await expect(chat.page.locator(".code-block pre")).toBeVisible();
	});

	test("has no line through the label of a line", async ({ chat }) => {
		await chat.open(chatOf(flow));
		await chat.page.getByRole("button", { name: "Draw diagram", exact: true }).click();
		const inside = chat.page.locator("iframe.diagram").contentFrame();
		await expect(inside.getByText("yes")).toBeVisible(drawing);
		const grounds = await inside
			.locator(".edgeLabel rect[width]")
			.evaluateAll(all => all.map(one => getComputedStyle(one).opacity));
		expect(grounds).toEqual(["1", "1"]);
	});

	test("is as high as the width of the view makes it, also when that shrinks", async ({ chat }) => {
		await chat.page.setViewportSize({ width: 900, height: 900 });
		await chat.open(
			chatOf(fenced("graph LR\n  A[Orders of a day] --> B[Paid orders] --> C[Parcels]")),
		);
		await chat.page.getByRole("button", { name: "Draw diagram", exact: true }).click();
		const frame = chat.page.locator("iframe.diagram");
		const gap = (): Promise<number> =>
			frame
				.contentFrame()
				.locator("svg")
				.evaluate(svg => Math.floor(window.innerHeight - svg.getBoundingClientRect().bottom));
		await expect.poll(gap, drawing).toBe(12);
		await chat.page.setViewportSize({ width: 300, height: 900 });
		await expect.poll(gap).toBe(12);
	});

	test("keeps its words readable in a narrow side bar: a small one fits, a wide one scrolls", async ({
		chat,
	}) => {
		await chat.page.setViewportSize({ width: 300, height: 900 });
		const fork = "graph TD\n  A[Orders] --> B{Paid?}\n  B -->|yes| C[Ship]\n  B -->|no| D[Remind]";
		const chain = "graph LR\n  A[Orders of a day] --> B[Paid orders] --> C[Parcels]";
		for (const [source, scrolls] of [
			[fork, false],
			[chain, true],
		] as const) {
			await chat.open(chatOf(fenced(source)));
			await chat.page.getByRole("button", { name: "Draw diagram", exact: true }).click();
			const drawn = chat.page.locator("iframe.diagram").contentFrame().locator("svg");
			await expect(drawn.getByText("Orders").first()).toBeVisible(drawing);
			const look = await drawn.evaluate(svg => {
				const text = svg.querySelector("text");
				const scale = text?.getScreenCTM()?.a ?? 0;
				return {
					words: text ? parseFloat(getComputedStyle(text).fontSize) * scale : 0,
					isWider: document.body.scrollWidth > document.documentElement.clientWidth,
				};
			});
			expect(look.words).toBeGreaterThanOrEqual(11);
			expect(look.isWider).toBe(scrolls);
		}
	});

	test("of every kind that models draw is drawn", async ({ chat }) => {
		test.setTimeout(240_000);
		await chat.open(chatOf(kinds.map(([source]) => fenced(source)).join("\n")));
		for (const [index, [, word]] of kinds.entries()) {
			// With the keyboard, because removing a diagram moves the next button away from the pointer.
			const button = chat.page.locator(".draw-diagram").nth(index);
			await button.press("Enter");
			const inside = chat.page.locator("iframe.diagram").contentFrame();
			await expect(inside.getByText(word, { exact: true }).first()).toBeVisible(drawing);
			await button.press("Enter");
			await expect(chat.page.locator("iframe.diagram")).toHaveCount(0);
		}
	});

	test("fault 16: of states has its words in the middle of their boxes", async ({ chat }) => {
		await chat.open(chatOf(fenced("stateDiagram-v2\n  [*] --> Idle\n  Idle --> Loading")));
		await chat.page.getByRole("button", { name: "Draw diagram", exact: true }).click();
		const states = chat.page.locator("iframe.diagram").contentFrame().locator("g.node:has(text)");
		await expect(states).toHaveCount(2);
		for (const state of await states.all()) {
			const offset = await state.evaluate(node => {
				const middles = ["text", "rect"].map(name => {
					const box = node.querySelector(name)?.getBoundingClientRect();
					return box ? box.x + box.width / 2 : 0;
				});
				return Math.abs((middles[0] ?? 0) - (middles[1] ?? 100));
			});
			expect(offset).toBeLessThan(2);
		}
	});

	test("that cannot be drawn says why, and its source stays", async ({ chat }) => {
		await chat.open(chatOf("```mermaid\ngraph TD\n  A[[[ --> \n```"));
		await chat.page.getByRole("button", { name: "Draw diagram", exact: true }).click();
		await expect(
			chat.page.getByRole("status").filter({ hasText: "draw this diagram" }),
		).toContainText(/^Can't draw this diagram\. .+/);
		await expect(chat.page.locator(".code-block pre")).toBeVisible();
		await expect(chat.page.locator("iframe")).toHaveCount(0);
		await chat.open(chatOf("```mermaid\nmindmap\n  root\n    a\n```"));
		await chat.page.getByRole("button", { name: "Draw diagram", exact: true }).click();
		await expect(chat.page.getByText("Cutaway can't draw this kind of diagram.")).toBeVisible(
			drawing,
		);
	});
});

test.describe("A link", () => {
	const links =
		"See [the handbook](https://example.com/a/b?c=d) or [аррӏе](https://xn--80ak6aa92e.example).";

	test("shows where it leads to whoever comes to it by keys or with the pointer", async ({
		chat,
	}) => {
		await chat.open(chatOf(links));
		const target = chat.page.locator(".link-target");
		await expect(target).toBeHidden();
		await chat.page.getByRole("link", { name: "the handbook", exact: true }).focus();
		await expect(target).toHaveText("https://example.com/a/b?c=d");
		await chat.page.getByRole("link", { name: /аррӏе/ }).hover();
		await expect(target).toHaveText("https://xn--80ak6aa92e.example/");
		await chat.page.getByText("See ").hover({ position: { x: 2, y: 5 } });
		await expect(target).toHaveText("https://example.com/a/b?c=d");
		await chat.page.getByRole("textbox", { name: "Message", exact: true }).focus();
		await expect(target).toBeHidden();
	});

	test("shows a long address shortened, within a narrow side bar", async ({ chat }) => {
		await chat.page.setViewportSize({ width: 220, height: 500 });
		await chat.open(chatOf(`[long](https://example.com/${"path/".repeat(100)})`));
		await chat.page.getByRole("link", { name: "long", exact: true }).focus();
		const target = chat.page.locator(".link-target");
		await expect(target).toHaveText(/^https:\/\/example\.com\/[path/]{280}…$/);
		const box = await target.boundingBox();
		expect(box?.width).toBeLessThanOrEqual(220);
	});
});

for (const isFinished of [true, false]) {
	test(`a date in a table is on one line, in an answer that is ${isFinished ? "finished" : "growing"}`, async ({
		chat,
	}) => {
		const words = "several words that need more room than there is";
		const table = `| Date | Words | More |\n|---|---|---|\n| 2025-01-15 | ${words} | ${words} |\n`;
		await chat.page.setViewportSize({ width: 300, height: 600 });
		await chat.open({
			...emptyChat,
			turns: [
				turnOf("Go", [messageOf(table, { isFinished })], isFinished ? {} : { status: streaming }),
			],
		});
		const lines = await chat.page.locator("td").evaluateAll(cells =>
			cells.map(cell => {
				const range = document.createRange();
				range.selectNodeContents(cell);
				return new Set([...range.getClientRects()].map(({ top }) => top)).size;
			}),
		);
		expect(lines[0]).toBe(1);
		expect(lines[1]).toBeGreaterThan(1);
	});
}

test("A file that Python wrote is offered for saving by a click and by the keyboard, under words of the page's own", async ({
	chat,
}) => {
	const { page } = chat;
	await chat.open(emptyChat);
	const id = `file-${"a".repeat(22)}`;
	const answer = messageOf(
		`Wrote it ([Free money](cutaway-file:${id}/r%C3%A9sum%C3%A9.csv)). [No](cutaway-file:x/y)\n`,
	);
	await chat.push({ type: "turn-added", turn: turnOf("Go", [answer]) });
	const link = page.getByRole("button", { name: "Save As…" });
	await expect(link).toHaveAttribute("title", "Save résumé.csv As…");
	await link.click();
	await link.press("Enter");
	const asked = { id, name: "résumé.csv" };
	expect(await chat.requests("saveWrittenFile")).toEqual([asked, asked]);
	expect(await chat.requests("openLink")).toEqual([]);
	await expect(page.getByText("Free money")).toHaveCount(0);
});

test("An SVG of an answer is a picture that runs nothing and loads nothing", async ({ chat }) => {
	const { page } = chat;
	await chat.open(emptyChat);
	const asked: string[] = [];
	page.on("request", request => asked.push(request.url()));
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30" onload="parent.ran = 1"><script>parent.ran = 1</script><image href="https://evil.example/a.png" width="9" height="9"/><style>@import "https://evil.example/a.css";</style><rect width="40" height="30" fill="red"/></svg>`;
	const address = `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
	await chat.push({
		type: "turn-added",
		turn: turnOf("Go", [messageOf(`![Chart](${address})\n`)]),
	});
	const image = page.getByRole("img", { name: "Chart" });
	await expect(image).toBeVisible();
	expect(await image.evaluate(node => (node as HTMLImageElement).naturalWidth)).toBe(40);
	expect(await page.evaluate(() => "ran" in window)).toBe(false);
	expect(asked.filter(url => url.includes("evil"))).toEqual([]);
});

test.describe("A path in an answer", () => {
	test("opens the file at its line, by a click and by the keyboard, and shows where it leads @core", async ({
		chat,
	}) => {
		const { page } = chat;
		await chat.open(emptyChat);
		await chat.answer("nameFiles", { labels: ["src/a.ts", null] });
		const answer = messageOf("See `src/a.ts:12` and `src/none.ts`.\n", { isFinished: false });
		await chat.push({ type: "turn-added", turn: turnOf("Go", [answer], { status: streaming }) });
		await chat.push({ type: "text", turnId: "turn", index: 0, text: "\nNext.\n" });
		const link = page.getByRole("link", { name: "src/a.ts:12" });
		await link.click();
		await link.press("Enter");
		expect(await chat.requests("openFile")).toEqual([
			{ label: "src/a.ts", line: 12 },
			{ label: "src/a.ts", line: 12 },
		]);
		expect(await chat.requests("nameFiles")).toEqual([{ paths: ["src/a.ts", "src/none.ts"] }]);
		expect(await chat.requests("openLink")).toEqual([]);
		await expect(page.locator(".link-target")).toHaveText("src/a.ts:12");
		await expect(page.getByRole("link")).toHaveCount(1);
	});
});

test.describe("Details in an answer", () => {
	test("are closed until they are pressed, and found by a search", async ({ chat }) => {
		const { page } = chat;
		await chat.open(chatOf("<details>\n<summary>More</summary>\n\nhidden words\n\n</details>\n"));
		await expect(page.getByText("hidden words")).toBeHidden();
		await page.getByText("More", { exact: true }).click();
		await expect(page.getByText("hidden words")).toBeVisible();
	});
});

test("Code in a language that is rarer is colored once it is met", async ({ chat }) => {
	await chat.open(chatOf('```csharp\npublic class A { }\n```\n\n```tf\nname = "a"\n```\n'));
	await expect(chat.page.locator(".hljs-keyword").first()).toHaveText("public");
	await expect(chat.page.locator(".hljs-string")).toHaveText('"a"');
});
