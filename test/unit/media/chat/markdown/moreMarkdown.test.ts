// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { GrowingAnswer, createFinishedAnswer } from "../../../../../media/chat/markdown/answer.ts";
import { createTools } from "./rendering.ts";

function streamed(source: string, isFinished: boolean): HTMLElement {
	const tools = createTools();
	const answer = new GrowingAnswer(tools);
	for (const character of source.split("")) {
		answer.append(character);
	}
	if (isFinished) {
		answer.finish();
	}
	tools.idle.runAll();
	return answer.element;
}

const arriving = (source: string): HTMLElement => streamed(source, false);
const ways: readonly (readonly [string, (source: string) => HTMLElement])[] = [
	["known in full", source => createFinishedAnswer(source, createTools()).element],
	["that has come character by character", source => streamed(source, true)],
];

/** The blocks of an answer as HTML, without what wraps them and without directions. */
function htmlOf(element: HTMLElement): string {
	return [...element.querySelectorAll(".piece")]
		.map(piece => piece.innerHTML)
		.join("")
		.replaceAll(/ dir="\w+"/g, "")
		.replaceAll(/<div class="code-head">.*?<\/div>/gs, "")
		.trim();
}

/** Text of a kind in the answer. */
const texts = (element: HTMLElement, selector: string): string[] =>
	[...element.querySelectorAll(selector)].map(found => found.textContent);

describe.each(ways)("An answer %s", (_, show) => {
	test.each([
		["one<br>two<br/>three<BR />four", "<p>one<br>two<br>three<br>four</p>"],
		["<kbd>Ctrl</kbd>+<kbd>C</kbd>", "<p><kbd>Ctrl</kbd>+<kbd>C</kbd></p>"],
		["H<sub>2</sub>O and x<sup>*n*</sup>", "<p>H<sub>2</sub>O and x<sup><em>n</em></sup></p>"],
		["**a <mark>b</mark> c**", "<p><strong>a <mark>b</mark> c</strong></p>"],
		["- <kbd>A</kbd>", "<ul><li><kbd>A</kbd></li></ul>"],
	])("shows the tags of the closed list: %s", (source, html) => {
		expect(htmlOf(show(source))).toBe(html);
		expect(htmlOf(arriving(`${source}\n\nx`))).toBe(`${html}<p>x</p>`);
	});

	test.each([
		'<kbd class="x">A</kbd>',
		"<kbd>never closed",
		"closed alone</kbd>",
		"<b>bold</b> <u>x</u> <font>y</font>",
		"<br clear>",
		"<details open>x</details>",
		"<script>alert(1)</script>",
	])("shows other tags as text: %s", source => {
		expect(show(source).textContent).toBe(source);
	});

	test("a tag inside code is code", () => {
		expect(texts(show("`<kbd>` and `</kbd><br>`"), "code")).toEqual(["<kbd>", "</kbd><br>"]);
	});

	test("a line break in a cell breaks the line of the cell", () => {
		const element = show("| a |\n|---|\n| one<br>two |\n");
		expect(element.querySelector("td")?.innerHTML).toBe("one<br>two");
		expect(arriving("| a |\n|---|\n| one<br>two |\n").querySelector("td")?.innerHTML).toBe(
			"one<br>two",
		);
	});

	test.each([
		"<details>\n<summary>More *info*</summary>\n\n- one\n- two\n</details>\n\nafter",
		"<details><summary>More *info*</summary>\n\n- one\n- two\n\n</details>\n\nafter",
		"<details>\n\n<summary>More *info*</summary>\n- one\n- two\n\n</details>\nafter",
	])("folds details: %j", source => {
		const html = htmlOf(show(source));
		expect(html).toBe(
			'<details class="folded-part"><summary>More <em>info</em></summary><ul><li>one</li><li>two</li></ul></details><p>after</p>',
		);
		expect(htmlOf(arriving(source))).toBe(html);
	});

	test("folds details on one line, details in details and details in an item", () => {
		const one = "<details><summary>a</summary>b</details>\n\nc";
		expect(htmlOf(show(one))).toBe(
			'<details class="folded-part"><summary>a</summary><p>b</p></details><p>c</p>',
		);
		expect(htmlOf(arriving(one))).toBe(htmlOf(show(one)));
		const two =
			"<details>\n<summary>a</summary>\n\n<details>\n<summary>b</summary>\n\nc\n\n</details>\n\nd\n\n</details>\n\ne";
		expect(htmlOf(show(two))).toBe(
			'<details class="folded-part"><summary>a</summary><details class="folded-part"><summary>b</summary><p>c</p></details><p>d</p></details><p>e</p>',
		);
		expect(htmlOf(arriving(two))).toBe(htmlOf(show(two)));
		const three = "- x\n  <details>\n  <summary>a</summary>\n\n  b\n\n  </details>\n- y";
		expect(show(three).querySelectorAll("li > details")).toHaveLength(1);
		expect(show(three).querySelectorAll("li")).toHaveLength(2);
	});

	test("an end of details in code ends nothing", () => {
		const element = show(
			"<details>\n<summary>a</summary>\n\n```html\n</details>\n```\n\nb\n\n</details>\n\nc",
		);
		expect(texts(element, "details > p")).toEqual(["b"]);
	});

	test("details that are never closed hide nothing", () => {
		const element = show("<details>\n<summary>a</summary>\n\nb\n\nc");
		expect(element.querySelector("details")?.open).toBe(true);
		expect(texts(element, "details > p")).toEqual(["b", "c"]);
	});

	test("details without a summary have a name", () => {
		expect(texts(show("<details>\n\nx\n\n</details>"), "summary")).toEqual(["Details"]);
	});

	test.each(["note", "tip", "important", "warning", "caution"])("marks a %s", kind => {
		const source = `> [!${kind.toUpperCase()}]\n> Mind **this**.\n>\n> - one\n\nafter`;
		const element = show(source);
		const quote = element.querySelector("blockquote");
		expect(quote?.className).toBe(`alert alert-${kind}`);
		expect(texts(element, ".alert-title")[0]?.toLowerCase()).toBe(kind);
		expect(texts(element, "blockquote > p:not(.alert-title)")).toEqual(["Mind this."]);
		expect(htmlOf(arriving(source))).toBe(htmlOf(element));
	});

	test("leaves a quote alone that is no alert", () => {
		for (const mark of ["[!NOTES]", "[!NOTE] and more", "[NOTE]"]) {
			const element = show(`> ${mark}\n> text`);
			expect(element.querySelector("blockquote")?.className).toBe("");
			expect(element.textContent).toContain(mark);
		}
		expect(show("[!NOTE]\ntext").textContent).toContain("[!NOTE]");
	});

	test("shows footnotes, whether they come before or after what names them", () => {
		const element = show(
			"One[^1] and two[^two].\n\nNext.\n\n[^1]: https://example.com/a\n[^two]: Two *words*\n    and more\n\n    A second paragraph.\n\nEnd[^1].",
		);
		expect(texts(element, "sup.footnote-mark")).toEqual(["[1]", "[two]", "[1]"]);
		expect(texts(element, ".footnote-label")).toEqual(["[1]", "[two]"]);
		expect(texts(element, ".footnote p")).toEqual([
			"https://example.com/a",
			"Two words\nand more",
			"A second paragraph.",
		]);
		expect(element.textContent).toContain("End[1].");
	});

	test("leaves a class of characters alone that names no footnote", () => {
		expect(show("Not [^a-z] and [^1].").textContent).toBe("Not [^a-z] and [^1].");
		expect(show("[x][^1]\n\n[^1]: note").querySelector("a, .inert-link")).toBeNull();
	});

	test.each([
		["含**「重点」**内容", ["「重点」"]],
		["这是**重点(注)**内容", ["重点(注)"]],
		["他说**“你好”**然后", ["“你好”"]],
		["한국어**(강조)**입니다", ["(강조)"]],
		["これは**強調。**です", ["強調。"]],
	])("makes words bold between letters without spaces: %s", (source, bold) => {
		expect(texts(show(source), "strong")).toEqual(bold);
		expect(texts(arriving(source), "strong")).toEqual(bold);
	});

	test("reads Markdown with fences in it as one block, and the prose behind it as prose", () => {
		const source =
			"Here:\n\n```markdown\n# Title\n\n```bash\nnpm ci\n```\n\n## Layout\n\n```\nsrc/\n```\n\nMore.\n```\n\nAfter *it*.";
		const element = show(source);
		expect(texts(element, "pre")).toEqual([
			"# Title\n\n```bash\nnpm ci\n```\n\n## Layout\n\n```\nsrc/\n```\n\nMore.\n",
		]);
		expect(texts(element, "p")).toEqual(["Here:", "After it."]);
		expect(texts(arriving(source), "pre")).toEqual(texts(element, "pre"));
	});

	test.each([
		["an inner fence without an end", "```md\n# T\n```js\nx\n```\n\nProse.\n\n```py\ny\n```\n", 2],
		["no inner fence", "```md\n# T\n```\n\nProse.\n\n```py\ny\n```\n", 2],
		["an end behind a blank line", "```md\n# T\n\n```\n\nProse.\n\n```\ny\n```\n", 2],
		["another language", "```text\na\n```\n\nProse.\n\n```py\ny\n```\n", 2],
	])("reads Markdown as CommonMark does when it has %s", (_case, source, blocks) => {
		const element = show(source);
		expect(element.querySelectorAll("pre")).toHaveLength(blocks);
		expect(texts(element, "p")).toEqual(["Prose."]);
	});

	test.each([
		"Set $HOME first, then match with ^abc$.",
		"\\[WIP\\] Fix it",
		"A \\[link text\\](x) and a \\[ \\] box and \\[x\\]",
		"Use \\[to-do\\] or \\(see below\\).",
		"Run $foo and then $bar.",
		"The variables $user and the regular $",
	])("takes no words for a formula: %s", source => {
		expect(show(source).querySelector(".math")).toBeNull();
	});

	test.each([
		["$x^2 + y$", "$x^2 + y$"],
		["$n \\text{ if it is odd}$", "$n \\text{ if it is odd}$"],
		["$a \\bmod n$", "$a \\bmod n$"],
		["\\(n\\)", "$n$"],
		["\\[\nx\n\\]", "$$x$$"],
		["\\[x = 1\\]", "$$x = 1$$"],
		["\\[a_1 + b\\]", "$$a_1 + b$$"],
		["\\[\\frac{a}{b}\\]", "$$\\frac{a}{b}$$"],
		["The area is $$x^2$$ here", "$x^2$"],
		["A line:\n$$x^2$$\nand on", "$$x^2$$"],
	])("keeps a formula a formula: %s", (source, formula) => {
		expect(texts(show(source), ".math")).toEqual([formula]);
	});

	test("keeps a bar in code, and what has no column", () => {
		const source =
			"| Sign | Means |\n|---|---|\n| `a | b` | either |\n| `x || y` | or | so |\n| 1 | 2 | 3 | `4` |\n";
		for (const element of [show(source), arriving(source)]) {
			expect(texts(element, "td:not(.extra)")).toEqual([
				"a | b",
				"either",
				"x || y",
				"or",
				"1",
				"2",
			]);
			expect(texts(element, "td.extra")).toEqual(["so", "3 | 4"]);
			expect(element.querySelector<HTMLElement>("td.extra")?.title).toBe(
				"The table has no column for this.",
			);
		}
	});

	test("has a table whose header has a bar in code", () => {
		expect(texts(show("| `a|b` | c |\n|---|---|\n| 1 | 2 |\n"), "th")).toEqual(["a|b", "c"]);
	});

	test.each([
		["**$750 is a lot of money**", "<p><strong>$750 is a lot of money</strong></p>"],
		[
			"**$5** or **$10**, $20/month",
			"<p><strong>$5</strong> or <strong>$10</strong>, $20/month</p>",
		],
		[
			"HR_负责人, 信息中心_管理员, 部件_IT项目_报价申请",
			"<p>HR_负责人, 信息中心_管理员, 部件_IT项目_报价申请</p>",
		],
		[
			"Edit __init__.py and call __str__() there.",
			"<p>Edit __init__.py and call __str__() there.</p>",
		],
		[
			"**见**：**https://example.com/docs**（中文）。",
			'<p><strong>见</strong>：<strong><a href="https://example.com/docs" title="https://example.com/docs">https://example.com/docs</a></strong>（中文）。</p>',
		],
		[
			"https://example.com/477，涵盖",
			'<p><a href="https://example.com/477" title="https://example.com/477">https://example.com/477</a>，涵盖</p>',
		],
		[
			"A `Map<string, List<T>>` and List<void> or <pod-name>",
			"<p>A <code>Map&lt;string, List&lt;T&gt;&gt;</code> and List&lt;void&gt; or &lt;pod-name&gt;</p>",
		],
		[
			"* One\n* Two\n    * a\n    * b\n* Three",
			"<ul><li>One</li><li>Two<ul><li>a</li><li>b</li></ul></li><li>Three</li></ul>",
		],
		["- **「名」：**值", "<ul><li><strong>「名」：</strong>值</li></ul>"],
	])("shows what other chats got wrong: %s", (source, html) => {
		expect(htmlOf(show(source)).replaceAll(/(?<=<\/?li>)\n|\n(?=<\/?[lu])/g, "")).toBe(html);
	});

	test("reads an inner fence below a line that announces it", () => {
		const source =
			"Here:\n\n```markdown\n## Identity\nWrite it. Example:\n```\nPIR Corporate\n```\n## Output\n```json\n{}\n```\n```\n\nAfter.";
		expect(show(source).querySelectorAll("pre")).toHaveLength(1);
		expect(texts(show(source), "p")).toEqual(["Here:", "After."]);
	});

	test("folds details that hold a quote with lists, or text right below their summary", () => {
		const quote =
			"<details>\n<summary>Status</summary>\n\n> **List**\n>\n> - a\n>   - b\n> - c\n</details>\n\nafter";
		expect(show(quote).querySelectorAll("details > blockquote li")).toHaveLength(3);
		expect(texts(show(quote), ".piece > p")).toEqual(["after"]);
		const below =
			"<details>\n  <summary>CLI</summary>\nUse the `lakectl` tool:\n\n```bash\nls\n```\n\nDone.\n</details>";
		expect(texts(show(below), "details p")).toEqual(["Use the lakectl tool:", "Done."]);
		expect(show(below).querySelectorAll("details code")).toHaveLength(2);
	});
});

test("details that a reader has opened stay open when their end has come", () => {
	const tools = createTools();
	const answer = new GrowingAnswer(tools);
	answer.append("<details>\n<summary>a</summary>\n\nwords\n");
	const details = answer.element.querySelector("details");
	expect(details?.open).toBe(false);
	details?.setAttribute("open", "");
	answer.append("\n</details>\n\nafter\n");
	answer.finish();
	tools.idle.runAll();
	expect(answer.element.querySelector("details")?.open).toBe(true);
});
