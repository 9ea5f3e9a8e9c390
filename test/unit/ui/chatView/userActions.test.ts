import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { chatRequests } from "../../../../src/shared/chat.ts";

const root = resolve(import.meta.dirname, "../../../..");

/** The code of files, without comments. */
function codeOf(...files: readonly string[]): string {
	return files
		.map(file => readFileSync(join(root, file), "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, ""))
		.join("\n");
}

const timesIn = (code: string, pattern: string): number =>
	[...code.matchAll(new RegExp(pattern, "g"))].length;

/** What changes something on the page besides asking the host for it. */
const withAPart = ["showVersion"];

test("what a user does is declared in a schema and a handler, and asked for where the user clicks", () => {
	const folder = "src/ui/chatView";
	const handlers = readdirSync(join(root, folder)).filter(name => name.endsWith("Handlers.ts"));
	const host = codeOf(...handlers.map(name => join(folder, name)));
	const page = codeOf("media/chat/base/actions.ts", "media/chat/hostActions.ts");
	const methods = Object.keys(chatRequests);
	expect(methods.length).toBeGreaterThan(40);
	expect(methods.filter(name => timesIn(host, `(?:Pick<|\\|)\\s*"${name}"`) > 0)).toEqual([]);
	expect(methods.filter(name => timesIn(page, `\\b${name}\\b`) > 0)).toEqual(withAPart);
});
