import * as l10n from "@vscode/l10n";
import { detailsHeader } from "../contract/schemas.ts";
import { ServiceError } from "../contract/errors.ts";
import type { Connection } from "../contract/serviceClient.ts";

/** A header name (RFC 9110 §5.6.2). */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Headers that can't carry the key, because the request uses them. */
const ownNames = new Set([
	"accept",
	"accept-encoding",
	"connection",
	"content-length",
	"content-type",
	"expect",
	"host",
	"keep-alive",
	"te",
	"trailer",
	"transfer-encoding",
	"upgrade",
]);

/** Creates the headers, with the key if there is one. Throws `invalidRequest` for an invalid one, without repeating the key. */
export function requestHeaders(
	connection: Pick<Connection, "apiKey" | "auth" | "hasDetails">,
	request: {
		readonly accept: string;
		readonly contentType?: string;
		readonly asksForDetails?: true;
		readonly conversation?: string;
	},
): Record<string, string> {
	const headers: Record<string, string> = {
		accept: request.accept,
		// Compression would delay streamed text.
		"accept-encoding": "identity",
		...(request.contentType === undefined ? {} : { "content-type": request.contentType }),
		...(connection.hasDetails && request.asksForDetails
			? { [detailsHeader]: encodeURIComponent(request.conversation?.toWellFormed() ?? "") }
			: {}),
	};
	return connection.apiKey
		? { ...headers, ...keyHeader(connection.auth, connection.apiKey) }
		: headers;
}

function keyHeader(auth: Connection["auth"], apiKey: string): Record<string, string> {
	const name = auth.header.toLowerCase();
	if (!token.test(name) || ownNames.has(name)) {
		throw refused(l10n.t("the header for the key isn't valid"));
	}
	const value = `${auth.scheme} ${apiKey}`.trim();
	if (!/^[\x20-\x7e]+$/.test(value)) {
		throw refused(l10n.t("the header for the key isn't valid"));
	}
	return { [name]: value };
}

function refused(detail: string): ServiceError {
	return new ServiceError("invalidRequest", { charge: "notSent", detail });
}
