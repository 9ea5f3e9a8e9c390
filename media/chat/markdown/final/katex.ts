import { ParseError, renderToString } from "katex";
import * as l10n from "@vscode/l10n";
import type { MathRenderer } from "./math.ts";
import { revealInLine } from "../../../../src/common/hiddenText.ts";
import { sanitizeFormula } from "./sanitizeFormula.ts";

/** The stylesheet of formulas and its fonts are beside the page's own. */
const stylesheet = "../katex.css";

/** Loads the stylesheet into the page; without it the formulas would be askew. */
function loadStyles(): Promise<void> {
	const link = document.createElement("link");
	link.rel = "stylesheet";
	link.href = new URL(stylesheet, import.meta.url).href;
	return new Promise((resolve, reject) => {
		link.addEventListener("load", () => resolve(), { once: true });
		link.addEventListener("error", reject, { once: true });
		document.head.append(link);
	});
}

/** The longest reason that is shown, in characters. */
const maxProblem = 300;

/**
 * Draws by KaTeX, which is given no trust: no links, no images, no attributes of the formula's own. Macros may expand 500 times and
 * lengths reach 20 em, so that a formula neither hangs the page nor covers it; what comes out is rebuilt from an allow-list.
 */
export function renderFormula(tex: string, isDisplay: boolean): ReturnType<MathRenderer> {
	try {
		const html = renderToString(tex, {
			displayMode: isDisplay,
			throwOnError: true,
			output: "htmlAndMathml",
			trust: false,
			strict: false,
			maxExpand: 500,
			maxSize: 20,
			macros: {},
			globalGroup: false,
		});
		return { drawing: sanitizeFormula(html) };
	} catch (error) {
		// The parser's own errors say where the formula goes wrong; anything else is too deep or too long for it.
		const reason = error instanceof ParseError ? error.rawMessage : "";
		return {
			problem: l10n
				.t("Can't draw this formula. {0}", revealInLine(reason.slice(0, maxProblem)))
				.trim(),
		};
	}
}

/** Makes the page ready to show formulas. */
export async function createMathRenderer(): Promise<MathRenderer> {
	await loadStyles();
	return renderFormula;
}
