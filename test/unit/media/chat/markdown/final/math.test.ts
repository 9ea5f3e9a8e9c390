// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import {
	GrowingAnswer,
	createFinishedAnswer,
} from "../../../../../../media/chat/markdown/answer.ts";
import { renderFormula } from "../../../../../../media/chat/markdown/final/katex.ts";
import { texOf } from "../../../../../../media/chat/markdown/final/math.ts";
import { createTools } from "../rendering.ts";
import { cpuTimeOf } from "../../../../../helpers/growth.ts";

/** The formulas of a text, as they are written, known in full and streamed. */
function formulasOf(source: string): readonly string[] {
	const tools = createTools();
	const streamed = new GrowingAnswer(tools);
	source.split("").forEach(character => streamed.append(character));
	streamed.finish();
	tools.idle.runAll();
	const [whole, parts] = [createFinishedAnswer(source, tools).element, streamed.element].map(
		element => [...element.querySelectorAll(".math")].map(formula => texOf(formula) ?? ""),
	);
	expect(parts).toEqual(whole);
	return whole ?? [];
}

describe("A formula is found in", () => {
	test.each([
		["$x$", ["$x$"]],
		["so $a_1 + b_2 = c^2$, and $\\frac{1}{2}$.", ["$a_1 + b_2 = c^2$", "$\\frac{1}{2}$"]],
		["($n$-th) and **$x$**", ["$n$", "$x$"]],
		["\\(a*b*c\\) and \\[d = 1\\]", ["$a*b*c$", "$$d = 1$$"]],
		["text $$x^2$$ text", ["$x^2$"]],
		["$$\nx = 1\n$$", ["$$x = 1$$"]],
		["$$x = 1$$", ["$$x = 1$$"]],
		[
			"\\[\n\\begin{aligned}\na &= 1 \\\\\n- b &= 2\n\\end{aligned}\n\\]",
			["$$\\begin{aligned}\na &= 1 \\\\\n- b &= 2\n\\end{aligned}$$"],
		],
		["Text:\n$$\n= 5\n$$\nmore", ["$$= 5$$"]],
		["- item $x$\n\n  $$\n  y\n  $$\n- next", ["$x$", "$$y$$"]],
		["> $$\n> q\n> $$", ["$$q$$"]],
		["| a |\n|---|\n| $x^2$ |", ["$x^2$"]],
		["$2x + 3$ and $5$", ["$2x + 3$", "$5$"]],
		["# Heading $e$", ["$e$"]],
		[
			"\\begin{align*}\na &= b \\\\\nc &= d\n\\end{align*}",
			["$$\\begin{align*}\na &= b \\\\\nc &= d\n\\end{align*}$$"],
		],
		[
			"So:\n\\begin{equation}\nx\n\\end{equation}\nand",
			["$$\\begin{equation}\nx\n\\end{equation}$$"],
		],
		["A \\begin{pmatrix} 1 & 2 \\end{pmatrix}.", ["$$\\begin{pmatrix} 1 & 2 \\end{pmatrix}$$"]],
		["Let $ x $ be $ f(x) = 2 $.", ["$x$", "$f(x) = 2$"]],
		["$$\na = b\n\n\\text{and } c = d\n$$\n\nNext.", ["$$a = b\n\\text{and } c = d$$"]],
		["| a | b |\n|---|---|\n| $|x|$ | $|y| + \\|z\\|$ |", ["$|x|$", "$|y| + |z|$"]],
	])("%j", (source, formulas) => {
		expect(formulasOf(source)).toEqual(formulas);
	});
});

describe("No formula is found in", () => {
	test.each([
		"It costs $5 and $10.",
		"From $5-$10, or $5/$6",
		"$5 and you get 10$ back",
		"US$5 and A$6",
		"$20k to 30k$",
		"$1,000.50, 2$",
		"`$x$` and ``$y$``",
		"$HOME and $PATH, $HOME/$USER, ${a}$b",
		"echo $a $b",
		"\\$x\\$ and \\$5",
		"$x $ and more",
		"It costs $ 5 and $ 10, or $ 5 + $ 10",
		"$.get/$.post and $.ajax|$.get",
		"$(a).b/$(c).d, $x=$(y), $(a)$(b)",
		"| a | b | c |\n|---|---|---|\n| $5|$10| $x |",
		"\\begin{itemize}\n\\item a = b\n\\end{itemize}",
		"$$\nNot closed here\n\nand this = text\n\n$$",
		"a $ b",
		"$$",
		"$$$$",
		"$$\n\n$$",
		"$$\nx\n\ny\n$$",
		"\\[ never closed",
		"\\( \\)",
		"```\n$x$\n```",
		"    $$x$$",
		"$x\ny$",
		"[a]($b) and [c](d$)",
		"$`code` x$",
		"two $$ signs",
	])("%j", source => {
		expect(formulasOf(source)).toEqual([]);
	});
});

test("Until it is drawn, a formula shows its source", () => {
	const { element } = createFinishedAnswer("So $x^2$.", createTools());
	expect(element.textContent).toBe("So $x^2$.");
});

test(
	"Looking for formulas in a text full of dollars costs in proportion to its length",
	{ tags: "thorough" },
	() => {
		// The least of several: whatever else the machine does only adds to it.
		const timeOf = (source: string): number =>
			Math.min(
				...Array.from({ length: 3 }, () =>
					cpuTimeOf(() => createFinishedAnswer(source, createTools())),
				),
			);
		timeOf("$a ".repeat(1000));
		for (const unit of ["$a ", "$", "$$", "$$a\n", "\\[", "\\(a "]) {
			// Both are longer than the longest formula, up to which the search for an end goes.
			const [small, large] = [4000, 16_000].map(count => timeOf(unit.repeat(count)));
			expect(large, unit).toBeLessThan(12 * Math.max(10, small ?? 0));
		}
	},
);

const drawn = (tex: string, isDisplay = false): Element => {
	const result = renderFormula(tex, isDisplay);
	if (!("drawing" in result)) {
		throw new Error(result.problem);
	}
	const element = document.createElement("div");
	element.append(result.drawing);
	return element;
};

test("What is in the picture of a formula is placed as KaTeX places it", () => {
	const element = drawn("\\sqrt{x^2} \\color{red} y \\colorbox{#ff0}{z}", true);
	expect(element.querySelector("svg path")?.getAttribute("d")).toMatch(/^M\d/);
	expect(element.innerHTML).toMatch(/style="[^"]*height: ?[\d.]+em/);
	expect(element.innerHTML).toMatch(/color: ?red/);
	expect(element.innerHTML).toMatch(/background-color: ?#ff0/);
});

describe("T16: nothing that fetches, links or names comes out of", () => {
	test.each([
		"\\href{https://evil.example/?leak}{x}",
		"\\url{https://evil.example}",
		"\\includegraphics[height=1em]{https://evil.example/x.png}",
		"\\htmlClass{copy-code}{x}",
		"\\htmlId{app}{x}",
		"\\htmlStyle{background: url(https://evil.example)}{x}",
		"\\htmlData{turn=1}{x}",
		"\\color{url(https://evil.example)} x",
		"\\textcolor{red;background:url(https://evil.example)}{x}",
		"\\text{<img src=https://evil.example onerror=alert(1)>}",
		"\\text{</annotation></math><script>alert(1)</script>}",
		"\\unicode{<b>}",
		"\\def\\a{\\href{javascript:alert(1)}{x}}\\a",
	])("%j", tex => {
		const result = renderFormula(tex, false);
		const element = document.createElement("div");
		if ("drawing" in result) {
			element.append(result.drawing);
		}
		expect(
			element.querySelector("a, img, script, b, iframe, [id], [href], [src], [onerror]"),
		).toBeNull();
		const values = [...element.querySelectorAll("*")].flatMap(inner =>
			[...inner.attributes].map(({ value }) => value),
		);
		expect(values.join("\n")).not.toMatch(/url\(|turn|copy-code|evil/);
	});
});

describe("A formula that cannot be drawn says why", () => {
	test.each([
		["\\frac{1}", /^Can't draw this formula\. .+/],
		["\\nosuchcommand", /Undefined control sequence/],
		["\\def\\a{\\a\\a}\\a", /^Can't draw this formula\. /],
		["{".repeat(3000), /^Can't draw this formula\./],
	])("%j", (tex, problem) => {
		const result = renderFormula(tex, false);
		expect("problem" in result ? result.problem : "").toMatch(problem);
	});
});

test("Lengths are bounded, so that a formula cannot cover what is around it", () => {
	const parts = [...drawn("\\rule{9999em}{9999em}\\hspace{9999em}").querySelectorAll("span")];
	const lengths = parts.flatMap(({ style }) =>
		[style.height, style.width, style.marginRight, style.borderTopWidth].map(Number.parseFloat),
	);
	expect(Math.max(...lengths.filter(length => !Number.isNaN(length)))).toBe(20);
});
