import * as l10n from "@vscode/l10n";
import { isHouseHost } from "../../common/publicAddress.ts";

/** A validated address, or the reason why it is invalid, as a sentence. */
export type EndpointCheck =
	| { readonly ok: true; readonly baseUrl: string; readonly origin: string; readonly label: string }
	| { readonly ok: false; readonly sentence: string };

/**
 * Parses an endpoint's address: absolute, https (or http for this machine and the user's network, docs/security.md), without user name, query or fragment. Removes a
 * trailing slash and `/v1`, because all paths of the interface start with `/v1`.
 */
export function parseEndpoint(text: string, mayHaveQuery = false): EndpointCheck {
	const trimmed = text.trim();
	const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
	if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
		return {
			ok: false,
			sentence: l10n.t("Enter a complete address, such as https://service.example.com."),
		};
	}
	if (url.protocol === "http:" && !isHouseHost(url.hostname)) {
		return {
			ok: false,
			sentence: l10n.t(
				"Use https. Plain http is possible only for this machine and your own network.",
			),
		};
	}
	if (url.username || url.password) {
		return {
			ok: false,
			sentence: l10n.t(
				"Remove the user name and password from the address. You'll enter the key next.",
			),
		};
	}
	if ((url.search && !mayHaveQuery) || url.hash) {
		return { ok: false, sentence: l10n.t("Remove everything after ? or # from the address.") };
	}
	const path = url.pathname.replace(/\/+$/, "").replace(/\/v1$/, "");
	return { ok: true, baseUrl: url.origin + path + url.search, origin: url.origin, label: url.host };
}

/** Returns why a typed address is invalid, for an input box; undefined for none and for a valid one. */
export function addressFault(text: string, mayHaveQuery = false): string | undefined {
	const checked = parseEndpoint(text, mayHaveQuery);
	return text.trim() === "" || checked.ok ? undefined : checked.sentence;
}
