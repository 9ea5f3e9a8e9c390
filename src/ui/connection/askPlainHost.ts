import * as l10n from "@vscode/l10n";
import { isConfirmed } from "../base/dialogs.ts";
import { plainHostOf } from "./plainHosts.ts";
import type { ApiKeys } from "./secrets.ts";

/** Returns whether requests may go to an address. Asks once for each host whose requests would travel unencrypted. */
export async function mayReach(
	keys: Pick<ApiKeys, "plain" | "holds">,
	address: string,
): Promise<boolean> {
	const host = plainHostOf(address);
	if (host === undefined || keys.plain.allows(address)) {
		return true;
	}
	const isAllowed = await isConfirmed(
		l10n.t("Send to {0} without encryption?", host),
		l10n.t("Send Unencrypted"),
		l10n.t(
			"{0} is reached over plain http. Your messages, files and results of tools travel unencrypted: whoever is on the network in between can read and change them, and the answers. Allow it only for a machine of your own, in a network you trust. Cutaway asks once for each host.",
			host,
		),
	);
	if (!isAllowed) {
		return false;
	}
	keys.plain.allow(address, "text");
	if (await keys.holds(new URL(address).origin)) {
		await maySendKey(keys, address);
	}
	return true;
}

/** Returns whether a key may go to an address. Asks once for each host that would get it unencrypted. */
export async function maySendKey(keys: Pick<ApiKeys, "plain">, address: string): Promise<boolean> {
	const host = plainHostOf(address);
	if (host === undefined || keys.plain.allowsKey(address)) {
		return true;
	}
	const isAllowed = await isConfirmed(
		l10n.t("Send the key for {0} without encryption, too?", host),
		l10n.t("Send the Key Unencrypted"),
		l10n.t(
			"{0} is reached over plain http. Whoever is on the network in between can read the key and use it.",
			host,
		),
	);
	if (isAllowed) {
		keys.plain.allow(address, "key");
	}
	return isAllowed;
}
