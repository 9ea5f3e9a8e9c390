import { ParseError, renderToString } from "katex";
import * as l10n from "@vscode/l10n";
import type { MathRenderer } from "./math.ts";
import { revealInLine } from "../../../../src/common/hiddenText.ts";
import { sanitizeFormula } from "./sanitizeFormula.ts";

/** The stylesheet and fonts of formulas, beside the page's own. */
const stylesheet = "../katex.css";

/** Loads the stylesheet, without which formulas would be misaligned. */
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

/** The longest shown reason, in characters. */
const maxProblem = 300;

/**
 * Renders with KaTeX without `trust`: no links, images or attributes from formulas. Limits macros to 500 expansions and lengths to 20 em, so that a
 * formula can't block or cover the page. Rebuilds the result from an allowlist.
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
		// A parse error has a message for the user. Other errors mean that the formula is too deep or too long.
		const reason = error instanceof ParseError ? error.rawMessage : "";
		return {
			problem: l10n
				.t("Can't draw this formula. {0}", revealInLine(reason.slice(0, maxProblem)))
				.trim(),
		};
	}
}

/** Loads the stylesheet and returns the renderer. */
export async function createMathRenderer(): Promise<MathRenderer> {
	await loadStyles();
	return renderFormula;
}
