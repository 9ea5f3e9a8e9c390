import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";

/**
 * The longest host, query with fragment, and everything after the origin of a link that opens without a prompt of our own (docs/security.md). Paths
 * of ordinary pages are longer than their queries.
 */
const maxQuiet = { host: 64, query: 64, all: 200 } as const;

/** Opens an https link in the browser. Shows one that carries much data in full before (docs/security.md). */
export async function openLink(text: string): Promise<void> {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url?.protocol !== "https:" || url.username || url.password) {
		void vscode.window.showWarningMessage(l10n.t("Only https links can be opened."));
		return;
	}
	const carried = carriedCharacters(url);
	if (carried > 0) {
		const open = l10n.t("Open");
		const choice = await vscode.window.showWarningMessage(
			l10n.t("Open this link to {0}?", shortHost(url.host)),
			{
				modal: true,
				detail: l10n.t("It sends {0} characters of data to that site:\n\n{1}", carried, url.href),
			},
			open,
		);
		if (choice !== open) {
			return;
		}
	}
	await vscode.env.openExternal(vscode.Uri.parse(url.href, true));
}

/** Returns the number of characters that a link carries to its site; 0 if not more than an ordinary link. */
function carriedCharacters({ host, pathname, search, hash }: URL): number {
	const query = search.length + hash.length;
	const all = pathname.length + query;
	const isLongHost = host.length > maxQuiet.host;
	return isLongHost || query > maxQuiet.query || all > maxQuiet.all
		? all + (isLongHost ? host.length : 0)
		: 0;
}

/** Keeps the end of the host, which identifies the owner. */
function shortHost(host: string): string {
	return host.length > maxQuiet.host ? `…${host.slice(-maxQuiet.host)}` : host;
}
