import * as l10n from "@vscode/l10n";
import {
	AbortError,
	brokenConnectionCode,
	systemCode,
	unknownHostCode,
} from "../../common/errors.ts";
import { isConfirmed, whileCancellable } from "../base/dialogs.ts";
import { shorten } from "../../common/shortText.ts";

/** Reads a page, or returns the URL that it redirects to. */
export type FetchPage = (
	address: string,
	signal: AbortSignal,
) => Promise<{ readonly title: string; readonly text: string } | { readonly to: string }>;

export interface NamedText {
	readonly name: string;
	readonly text: string;
	/** URL of a page. */
	readonly address?: string;
}

const maxAddress = 2000;

const maxRedirects = 5;

const maxName = 60;

/** Returns a web page's normalized URL if a text is one, otherwise undefined. */
export function pageAddress(text: string): string | undefined {
	const url = /^https?:\/\/\S+$/i.test(text) ? URL.parse(text) : null;
	if (!url?.hostname.includes(".") || url.username !== "" || url.password !== "") {
		return undefined;
	}
	url.hash = "";
	return url.href.length > maxAddress ? undefined : url.href;
}

/**
 * Reads a page as text to attach. Follows redirects on the same host; another host requires `mayFollow`. Throws an error with a message for the user
 * if there is no page, and `AbortError`.
 */
export async function readPageText(
	readPage: FetchPage,
	asked: string,
	mayFollow: (address: string) => Promise<boolean>,
	signal: AbortSignal,
): Promise<NamedText> {
	let address = asked;
	for (let followed = 0; followed <= maxRedirects; followed += 1) {
		const page = await readPage(address, signal).catch((error: unknown) =>
			rethrowPlain(error, address),
		);
		if (!("to" in page)) {
			const { host } = new URL(address);
			const title = page.title.trim() || host;
			return {
				name: shorten(title, maxName),
				text: `${title}\n${address}\n\n${page.text}`,
				address,
			};
		}
		const next = pageAddress(URL.parse(page.to, address)?.href ?? "");
		// Uses http only if the user entered it.
		if (next === undefined || (next.startsWith("http:") && asked.startsWith("https:"))) {
			throw new Error(l10n.t("The page redirects to an address that can't be read."));
		}
		if (new URL(next).host !== new URL(address).host && !(await mayFollow(next))) {
			throw new AbortError();
		}
		address = next;
	}
	throw new Error(l10n.t("The page redirects too often."));
}

/** Throws an error again, that of the network with a sentence in the user's language. */
function rethrowPlain(error: unknown, address: string): never {
	const code = systemCode(error instanceof Error ? error.cause : undefined);
	const { host } = new URL(address);
	if (unknownHostCode.test(code)) {
		throw new Error(l10n.t("{0} wasn't found. Check the address and your connection.", host));
	}
	if (brokenConnectionCode.test(code)) {
		throw new Error(l10n.t("Can't reach {0}. Check your connection, or try again later.", host));
	}
	throw error;
}

/** Reads a page with progress, Cancel, and a prompt before another host. Resolves to undefined if the user cancels. */
export function readPageWithProgress(
	readPage: FetchPage,
	address: string,
): Promise<NamedText | undefined> {
	const mayFollow = (to: string): Promise<boolean> =>
		isConfirmed(l10n.t("The page redirects to another site."), l10n.t("Read That Page"), to);
	return whileCancellable(l10n.t("Reading {0}", new URL(address).host), signal =>
		readPageText(readPage, address, mayFollow, signal),
	);
}
