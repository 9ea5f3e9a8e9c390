import * as vscode from "vscode";
import * as z from "zod/mini";
import type { NetworkSetup } from "../../client/transport/networkSetup.ts";
import type { Settings } from "../base/settings.ts";

/**
 * Returns the proxy and certificate settings for requests of the local service, which don't pass through VS Code. Ignores workspace settings, which
 * could otherwise redirect all requests.
 */
export function readNetworkSetup(settings: Pick<Settings, "get">): NetworkSetup {
	const network = settings.get("network");
	const isOff = userSetting("proxySupport") === "off";
	return {
		mode: isOff ? "direct" : network,
		proxy: textOf("proxy"),
		noProxy: z.safeParse(z.array(z.string()), userSetting("noProxy")).data ?? [],
		proxyAuthorization: textOf("proxyAuthorization"),
		isProxyChecked: userSetting("proxyStrictSSL") !== false,
		hasSystemCertificates: network === "auto" && userSetting("systemCertificates") !== false,
	};
}

function textOf(name: string): string {
	return z.safeParse(z.string(), userSetting(name)).data ?? "";
}

function userSetting(name: string): unknown {
	const section = vscode.workspace.getConfiguration("http");
	const inspected = section.inspect(name);
	return inspected?.workspaceValue === undefined && inspected?.workspaceFolderValue === undefined
		? section.get(name)
		: (inspected.globalValue ?? inspected.defaultValue);
}
