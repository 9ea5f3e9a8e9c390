import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";

/**
 * The longest host, query with fragment, and all that follows the origin, that open without a question of our own (threat T17).
 * Paths of ordinary pages are longer than what else an address of them holds.
 */
const maxQuiet = { host: 64, query: 64, all: 200 } as const;

/**
 * Opens a link from an answer in the browser. Only https is opened; a link that carries much data in any of its parts is
 * shown whole first, because an answer may have been written to carry data out (threat T17).
 */
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

/** How much a link carries to its site; 0 when that is no more than links of ordinary pages do. */
function carriedCharacters({ host, pathname, search, hash }: URL): number {
	const query = search.length + hash.length;
	const all = pathname.length + query;
	const isLongHost = host.length > maxQuiet.host;
	return isLongHost || query > maxQuiet.query || all > maxQuiet.all
		? all + (isLongHost ? host.length : 0)
		: 0;
}

/** The end of a host says whose it is. */
function shortHost(host: string): string {
	return host.length > maxQuiet.host ? `…${host.slice(-maxQuiet.host)}` : host;
}
