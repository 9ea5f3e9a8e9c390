import { expect, test } from "vitest";
import {
	asCommand,
	asSent,
	asWritten,
	isCommand,
	slashAt,
} from "../../../../../media/chat/draft/slashText.ts";

test.each([
	["/new", true],
	["／new", true],
	["／／new", false],
	["/model llm-4-turbo", true],
	["/shop:review\nthe second line", true],
	["/usr/bin/env is where?", false],
	["/ 2", false],
	["//new", false],
	["What is /new?", false],
	[" /new", false],
])("%j begins with a command: %s", (text, is) => {
	expect(isCommand(text)).toBe(is);
});

test("two slashes send a command as text, and nothing else loses one", () => {
	expect(asSent("//new chat")).toBe("/new chat");
	expect(asSent("// a comment\ncode()")).toBe("// a comment\ncode()");
	expect(asSent("//server/share")).toBe("//server/share");
	expect(asSent("／／new chat")).toBe("／new chat");
	for (const text of ["/new", "／new", "/usr/bin", "// a", "hello"]) {
		expect(asSent(asWritten(text))).toBe(text);
	}
});

test("a list opens behind a slash that begins the text, and for the values of two commands", () => {
	expect(slashAt("/", 1)).toEqual({ start: 0, query: "", trigger: "/" });
	expect(slashAt("/mod", 4)?.query).toBe("mod");
	expect(slashAt("／mod", 4)?.query).toBe("mod");
	expect(slashAt("/model llm", 10)?.query).toBe("model llm");
	expect(slashAt("/video a boat", 13)).toBeUndefined();
	expect(slashAt("a /mod", 6)).toBeUndefined();
	expect(slashAt("/usr/bin", 8)).toBeUndefined();
	expect(slashAt("//", 2)).toBeUndefined();
});

test("a command written with a slash of full width is the same command", () => {
	expect(asCommand("／model a／b")).toBe("/model a／b");
	expect(asCommand("/new")).toBe("/new");
});
