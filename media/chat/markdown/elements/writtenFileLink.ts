import * as l10n from "@vscode/l10n";
import { revealInLine } from "../../../../src/common/hiddenText.ts";
import type { WrittenFileLink } from "../../../../src/common/writtenFile.ts";

/** Kept outside the DOM, because attributes must not contain a model's text (docs/security.md). */
const links = new WeakMap<Element, WrittenFileLink>();

/** Fills a link that offers to save a file. It has its own words and no URL. */
export function fillWrittenFileLink(anchor: HTMLElement, link: WrittenFileLink): HTMLElement {
	anchor.tabIndex = 0;
	anchor.role = "button";
	anchor.title = l10n.t("Save {0} As…", revealInLine(link.name));
	anchor.append(l10n.t("Save As…"));
	links.set(anchor, link);
	return anchor;
}

/** Returns the file that a link saves; undefined for any other link. */
export function writtenFileOf(link: Element): WrittenFileLink | undefined {
	return links.get(link);
}
