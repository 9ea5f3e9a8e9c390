import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Frame } from "@playwright/test";
import type { AxeResults } from "axe-core";

const axeSource = readFileSync(
	createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
	"utf8",
);

/** What axe finds in the chat view, one line per violation. */
export async function violations(chat: Frame): Promise<string[]> {
	await chat.evaluate(axeSource);
	const results = await chat.evaluate<AxeResults>("axe.run(document)");
	return results.violations.map(
		({ id, nodes }) => `${id}: ${nodes.map(node => node.html.slice(0, 160)).join(" | ")}`,
	);
}
