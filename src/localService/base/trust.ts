import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import * as tls from "node:tls";

/** Younger than the oldest Node that runs this, and not the same in every editor. */
const { getCACertificates }: Partial<Pick<typeof tls, "getCACertificates">> = tls;

/** Where systems without a store of their own keep the authorities they trust. */
const bundles = [
	"/etc/ssl/certs/ca-certificates.crt",
	"/etc/pki/tls/certs/ca-bundle.crt",
	"/etc/ssl/ca-bundle.pem",
];

const made = new Map<boolean, tls.SecureContext>();

/**
 * Whom to trust: the authorities of Node, those of the file in `NODE_EXTRA_CA_CERTS` and, with `hasSystem`, those of the system. Read once;
 * that takes up to a second.
 */
export function trustedContext(hasSystem: boolean): tls.SecureContext {
	const known = made.get(hasSystem);
	const context = known ?? tls.createSecureContext({ ca: authorities(hasSystem) });
	made.set(hasSystem, context);
	return context;
}

function authorities(hasSystem: boolean): string[] {
	const own = listed("default");
	const all = [
		...(own.length > 0 ? own : tls.rootCertificates),
		...(hasSystem ? ofSystem() : []),
		...certificatesIn(process.env["NODE_EXTRA_CA_CERTS"]),
	];
	return [...new Set(all.map(certificate => certificate.trim()))];
}

function ofSystem(): readonly string[] {
	const found = listed("system");
	return found.length > 0 ? found : bundles.flatMap(certificatesIn);
}

function listed(type: "default" | "system"): readonly string[] {
	try {
		return getCACertificates?.(type) ?? [];
	} catch {
		// A store that cannot be read has nothing to add.
		return [];
	}
}

/** The certificates of a file that can be read; none where there is no such file. */
function certificatesIn(file: string | undefined): readonly string[] {
	try {
		const text = file ? readFileSync(file, "utf8") : "";
		return text.split(/(?=-----BEGIN CERTIFICATE-----)/).filter(isCertificate);
	} catch {
		return [];
	}
}

function isCertificate(text: string): boolean {
	try {
		return new X509Certificate(text).raw.length > 0;
	} catch {
		return false;
	}
}
