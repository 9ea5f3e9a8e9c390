/**
 * A program: fetches what `npm test` needs into `.vscode-test/` and a browser, each once; with `--all` also what `npm run test:all`
 * needs. One that cannot be fetched is named, and the others are fetched all the same.
 */
import { ensureLlama, whyNoLlama } from "../realModel/llamaPackage.ts";
import { ensureBrowser } from "./browser.ts";
import { ensureEditorBuild } from "./editorBuild.ts";
import { ensureLlamaBuild, llamaPackages, thisPlatform } from "../../scripts/llamaBuild.ts";
import { say } from "../../scripts/project.ts";

const forAll = process.argv.includes("--all");
const results = await Promise.allSettled([
	ensureEditorBuild(),
	...(thisPlatform in llamaPackages ? [ensureLlamaBuild()] : []),
	...(forAll ? [ensureEditorBuild("oldest")] : []),
	...(forAll && whyNoLlama === undefined ? [ensureLlama()] : []),
]);
// The browser's programs are waited for without a break, so it comes after what can be fetched at once.
results.push(...(await Promise.allSettled([(async () => ensureBrowser())()])));
for (const result of results) {
	if (result.status === "rejected") {
		say(result.reason instanceof Error ? result.reason.message : String(result.reason));
	}
}
