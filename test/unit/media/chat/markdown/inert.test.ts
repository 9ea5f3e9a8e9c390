// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { GrowingAnswer, createFinishedAnswer } from "../../../../../media/chat/markdown/answer.ts";
import { parseSafeLink } from "../../../../../media/chat/markdown/elements/safeLink.ts";
import { hostileMarkdown, inertAddresses } from "../../../../fixtures/hostileMarkdown.ts";
import { markdownSamples } from "../../../../fixtures/markdown.ts";
import { createTools } from "./rendering.ts";

const allowedElements = new Set(
	"a blockquote br button code details div em h1 h2 h3 h4 h5 h6 hr img input kbd label li mark ol p pre s span strong sub summary sup table tbody td th thead tr ul".split(
		" ",
	),
);
const allowedAttributes: Readonly<Record<string, RegExp>> = {
	alt: /^[\s\S]*$/,
	checked: /^$/,
	disabled: /^$/,
	dir: /^(?:auto|ltr)$/,
	"aria-label": /^(?:Apply|Copy code|Draw diagram|More actions|Wrap lines)$/,
	"aria-expanded": /^false$/,
	"aria-haspopup": /^menu$/,
	"aria-pressed": /^(?:false|true)$/,
	"aria-hidden": /^true$/,
	class:
		/^(?:[a-z-]+|section last|language-[\w+#.-]{1,32}|math math-display|align-[a-z]+ unbroken|icon-button (?:apply-code|draw-diagram|copy-code|more-code|wrap-code)|block-button (?:copy-csv|show-lines)|alert alert-[a-z]+|codicon codicon-(?:copy|ellipsis|info|lightbulb|report|stop|warning|git-pull-request-go-to-changes|type-hierarchy|word-wrap))$/,
	href: /^https:\/\/[^@\\]+$/,
	// An image may hold itself; whatever would have to be fetched is no address of one.
	src: /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/,
	open: /^$/,
	start: /^\d{1,9}$/,
	style: /^contain-intrinsic-block-size: auto \d+px;$/,
	tabindex: /^0$/,
	title: /^[\s\S]*$/,
	type: /^(?:button|checkbox)$/,
};

/** The buttons of code blocks and tables, by class. */
const ownButtons = [
	"apply-code",
	"copy-code",
	"copy-csv",
	"draw-diagram",
	"more-code",
	"show-lines",
	"wrap-code",
];

/** Everything in an element that is not on the lists above, as sentences. */
function offences(root: Element): string[] {
	return [...root.querySelectorAll("*")].flatMap(element => [
		...(allowedElements.has(element.localName) ? [] : [`element ${element.localName}`]),
		...[...element.attributes]
			.filter(({ name, value }) => !allowedAttributes[name]?.test(value))
			.map(({ name, value }) => `attribute ${name}=${value} on ${element.localName}`),
		...(element.localName === "button" && !ownButtons.some(own => element.classList.contains(own))
			? ["a button"]
			: []),
		...(element.localName === "input" && !element.matches("[type=checkbox][disabled]")
			? ["a field"]
			: []),
	]);
}

function renderedWays(source: string): readonly Element[] {
	const tools = createTools();
	const growing = new GrowingAnswer(tools);
	for (const character of source.split("")) {
		growing.append(character);
	}
	const finished = new GrowingAnswer(tools);
	finished.append(source);
	finished.finish();
	tools.idle.runAll();
	return [growing.element, finished.element, createFinishedAnswer(source, tools).element];
}

test("There are enough hostile samples to mean something", () => {
	expect(new Set(hostileMarkdown).size).toBeGreaterThanOrEqual(100);
});

describe("T16 T20: nothing but allowed elements, attributes and addresses comes out of", () => {
	test.each([...hostileMarkdown, ...markdownSamples])("%j", source => {
		for (const element of renderedWays(source)) {
			expect(offences(element)).toEqual([]);
		}
	});
});

describe("T20: no link comes out of an address that is not plain https", () => {
	test.each(inertAddresses)("%j", address => {
		for (const element of renderedWays(`[x](${address})`)) {
			expect(element.querySelector("a")).toBeNull();
			expect(element.textContent).toContain("x");
		}
	});
});

test("T16: an image is a link with its description and its host, or text with its address", () => {
	for (const element of renderedWays("![a cat](https://evil.example/?leak=1)")) {
		expect(element.textContent).toBe("a cat (image: evil.example)");
		expect(element.querySelector("a")?.title).toBe("https://evil.example/?leak=1");
		expect(element.querySelector("img")).toBeNull();
	}
	for (const element of renderedWays("![a cat](http://evil.example/)")) {
		expect(element.textContent).toBe("a cat (image: http://evil.example/)");
		expect(element.querySelector("a")).toBeNull();
	}
});

test("T17: an image that is the words of a link is no link of its own", () => {
	for (const element of renderedWays(
		"[![build](https://img.example/b.svg)](https://ci.example/p)",
	)) {
		expect([...element.querySelectorAll("a")].map(link => link.href)).toEqual([
			"https://ci.example/p",
		]);
		expect(element.textContent).toContain("build (image: img.example)");
	}
});

test("T20: a link that can't be opened says so", () => {
	for (const address of ["http://localhost:3000/", "mailto:a@b.example"]) {
		for (const element of renderedWays(`[x](${address})`)) {
			expect(element.querySelector<HTMLElement>(".inert-link")?.title).toBe(
				`Only https links can be opened.\n${address}`,
			);
		}
	}
});

test("an address that begins with www is a link by https", () => {
	const [, finished] = renderedWays("See www.example.com/a. Not ww.w.example or a@www.example.com");
	expect([...(finished?.querySelectorAll("a") ?? [])].map(link => link.href)).toEqual([
		"https://www.example.com/a",
	]);
});

test.each([
	["https://example.com/docsを参照", "https://example.com/docs"],
	["https://example.com/docs에서 확인", "https://example.com/docs"],
	["https://foo.com/x中文", "https://foo.com/x"],
	["见 https://foo.com/。然后", "https://foo.com/"],
	["https://example.com/?q=1ดู", "https://example.com/?q=1"],
	["https://de.wikipedia.org/wiki/Übung zeigt", "https://de.wikipedia.org/wiki/%C3%9Cbung"],
])("the address in %j ends before the words of a script without spaces", (text, address) => {
	const [, finished] = renderedWays(text);
	expect([...(finished?.querySelectorAll("a") ?? [])].map(link => link.href)).toEqual([address]);
});

test("T17: a link shows where it goes on hover, and in the text when its words name another host", () => {
	for (const element of renderedWays("[https://good.example/a](https://evil.example/b)")) {
		const link = element.querySelector("a");
		expect(link?.title).toBe("https://evil.example/b");
		expect(link?.textContent).toBe("https://good.example/a (evil.example)");
	}
	for (const element of renderedWays("[good.example](https://good.example/a)")) {
		expect(element.querySelector("a")?.textContent).toBe("good.example");
	}
});

test("T17: a host that only looks like another one is shown in punycode", () => {
	const link = parseSafeLink("https://аpple.example/");
	expect(link?.host).toMatch(/^xn--/);
});

test.each([
	["a leading word", "Docs: github.com/login"],
	["a bracket and isolates", "(\u2066github.com\u2069)"],
	["an override", "\u202Emoc.buhtig\u202C"],
	["a zero-width space", "git\u200Bhub.com"],
	["a dot that only looks like one", "github․com"],
	["an ideographic full stop", "github。com"],
	["a dot in the middle", "github·com"],
	["full-width letters", "ｇｉｔｈｕｂ．ｃｏｍ"],
	["slashes that only look like them", "https:∕∕github"],
	["Cyrillic letters", "gіthub.com"],
	["a name in front of the host", "https://github.com@evil.example/"],
	["the host of another port's neighbor", "github.com:443.evil.example"],
	["combining marks", "githu\u0323b.com"],
	["spaces around the dot", "github . com"],
	["a number", "140.82.121.4"],
	["this machine", "localhost:3000"],
	["markup in the middle", "git**hub**.com"],
	["an end in code", "`github.com`"],
	["www alone", "www github"],
	["letters from right to left", "אתר.ישראל"],
])("T17: the true host is shown behind words with %s", (_name, words) => {
	for (const element of renderedWays(`[${words}](https://evil.example/b)`)) {
		const host = element.querySelector<HTMLElement>("a > span:last-child");
		expect(host?.textContent).toBe(" (evil.example)");
		// Isolated: the words before it never turn it around.
		expect(host?.dir).toBe("ltr");
	}
});

test.each([
	["evil.example", "https://evil.example/b"],
	["https://www.evil.example/b", "https://evil.example/b"],
	["evil.example:8443/a?b", "https://evil.example:8443/a?b"],
	["the documentation", "https://evil.example/b"],
	["version 3.11", "https://evil.example/b"],
	["e.g. this", "https://evil.example/b"],
	["Section 2.", "https://evil.example/b"],
])("T17: no host is shown behind %s, which names it or is no address", (words, address) => {
	for (const element of renderedWays(`[${words}](${address})`)) {
		expect(element.querySelector("a")?.textContent).toBe(words);
	}
});

test("T30: what is hidden in an address is shown", () => {
	for (const element of renderedWays("[x](https://evil.example/\u202Egpj.exe)")) {
		expect(element.textContent).toContain("␣U+202E");
		expect(element.querySelector("a")).toBeNull();
	}
});

test("An address longer than the protocol takes stays text", () => {
	expect(parseSafeLink(`https://example.com/${"a".repeat(4100)}`)).toBeUndefined();
	expect(parseSafeLink(`https://example.com/${"a".repeat(4000)}`)).toBeDefined();
});
