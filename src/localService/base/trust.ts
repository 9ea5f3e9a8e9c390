import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import * as tls from "node:tls";

/** Missing in the oldest supported version of Node and in some editors. */
const { getCACertificates }: Partial<Pick<typeof tls, "getCACertificates">> = tls;

/** Certificate files of systems without a certificate store. */
const bundles = [
	"/etc/ssl/certs/ca-certificates.crt",
	"/etc/pki/tls/certs/ca-bundle.crt",
	"/etc/ssl/ca-bundle.pem",
];

const made = new Map<boolean, tls.SecureContext>();

/**
 * Creates a context that trusts Node's certificate authorities, those in `NODE_EXTRA_CA_CERTS` and, with `hasSystem`, the system's. Cached, because
 * loading takes up to a second.
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
		// Ignores a certificate store that can't be read.
		return [];
	}
}

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
