import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";

const axeSource = readFileSync(
	createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
	"utf8",
);

declare global {
	interface Window {
		axe: {
			run(): Promise<{
				readonly violations: readonly {
					readonly id: string;
					readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
				}[];
			}>;
		};
	}
}

/** What axe finds on the page, one line per element. */
export async function violations(page: Page): Promise<string[]> {
	if (!(await page.evaluate(() => "axe" in window))) {
		await page.evaluate(axeSource);
	}
	return page.evaluate(async () => {
		const { violations } = await window.axe.run();
		return violations.flatMap(violation =>
			violation.nodes.map(node => `${violation.id}: ${node.html} ${node.failureSummary ?? ""}`),
		);
	});
}
