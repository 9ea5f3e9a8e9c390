import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { AbortError } from "../../common/errors.ts";

/** A page that was read, or the address that it leads to instead. */
export type FetchPage = (
	address: string,
	signal: AbortSignal,
) => Promise<{ readonly title: string; readonly text: string } | { readonly to: string }>;

/** A text to attach. */
export interface NamedText {
	readonly name: string;
	readonly text: string;
}

/** The longest address that is read, as long as a tool's. */
const maxAddress = 2000;

/** How often a page may lead on to another address. */
const maxRedirects = 5;

/** Characters of a name. */
const maxName = 60;

/** The address of a web page that a text is, as it is asked for; undefined for anything else. */
export function pageAddress(text: string): string | undefined {
	const url = /^https?:\/\/\S+$/i.test(text) ? URL.parse(text) : null;
	if (!url?.hostname.includes(".") || url.username !== "" || url.password !== "") {
		return undefined;
	}
	url.hash = "";
	return url.href.length > maxAddress ? undefined : url.href;
}

/**
 * Reads a page once, as a text to attach. A page that leads on is followed to its own host; another host is shown first, and
 * `mayFollow` decides. Throws the sentence when there is no page, and `AbortError`.
 */
export async function readPageText(
	readPage: FetchPage,
	asked: string,
	mayFollow: (address: string) => Promise<boolean>,
	signal: AbortSignal,
): Promise<NamedText> {
	let address = asked;
	for (let followed = 0; followed <= maxRedirects; followed += 1) {
		const page = await readPage(address, signal);
		if (!("to" in page)) {
			const { host } = new URL(address);
			const title = page.title.trim() || host;
			const name = title.length > maxName ? `${title.slice(0, maxName).trim()}…` : title;
			return { name, text: `${title}\n${address}\n\n${page.text}` };
		}
		const next = pageAddress(URL.parse(page.to, address)?.href ?? "");
		// An address is read without encryption only where the user wrote it so.
		if (next === undefined || (next.startsWith("http:") && asked.startsWith("https:"))) {
			throw new Error(l10n.t("The page leads to an address that can't be read."));
		}
		if (new URL(next).host !== new URL(address).host && !(await mayFollow(next))) {
			throw new AbortError();
		}
		address = next;
	}
	throw new Error(l10n.t("The page leads on too often."));
}

/** The same with its progress, Cancel, and the question before another host is asked. */
export async function readPageWithProgress(
	readPage: FetchPage,
	address: string,
): Promise<NamedText> {
	const options = {
		location: vscode.ProgressLocation.Notification,
		title: l10n.t("Reading {0}", new URL(address).host),
		cancellable: true,
	};
	return await vscode.window.withProgress(options, async (_progress, token) => {
		const stopper = new AbortController();
		token.onCancellationRequested(() => stopper.abort());
		return await readPageText(readPage, address, mayFollow, stopper.signal);
	});
}

async function mayFollow(address: string): Promise<boolean> {
	const read = l10n.t("Read That Page");
	const choice = await vscode.window.showWarningMessage(
		l10n.t("The page leads on to another host."),
		{ modal: true, detail: address },
		read,
	);
	return choice === read;
}
