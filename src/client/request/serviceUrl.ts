import * as l10n from "@vscode/l10n";
import { ServiceError } from "../contract/errors.ts";
import { isLoopbackHost } from "../transport/chooseTransport.ts";

/**
 * The address of one function of the service, always within the base address's own origin, so that the key can go nowhere
 * else (threat T2). Throws `ServiceError`: `invalidRequest` for an address that is none, `tls` for plain http to another
 * machine (row N3).
 */
export function serviceUrl(baseUrl: string, path: string): URL {
	if (!URL.canParse(baseUrl)) {
		throw refused(l10n.t("the address of the service is not an absolute URL"));
	}
	const url = new URL(baseUrl);
	if (url.protocol !== "https:" && url.protocol !== "http:") {
		throw refused(l10n.t("the address of the service must begin with https://"));
	}
	if (url.username !== "" || url.password !== "") {
		throw refused(l10n.t("the address of the service must not contain a user name or password"));
	}
	if (url.protocol === "http:" && !isLoopbackHost(url.hostname)) {
		throw new ServiceError("tls", {
			charge: "notSent",
			host: url.host,
			detail: l10n.t("plain http is possible only for a service on this machine"),
		});
	}
	url.search = "";
	url.hash = "";
	url.pathname = `${url.pathname.replace(/\/+$/, "")}/${path.replace(/^\/+/, "")}`;
	return url;
}

function refused(detail: string): ServiceError {
	return new ServiceError("invalidRequest", { charge: "notSent", detail });
}
