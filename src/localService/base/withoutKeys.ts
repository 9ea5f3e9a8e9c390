/**
 * A text of a server without the user's key for it, which some servers repeat when they refuse it (threat T4). `headers` are those
 * that carry the key.
 */
export function withoutKeys(text: string, headers: Readonly<Record<string, string>>): string {
	return Object.values(headers)
		.map(value => value.replace(/^\S+ /, ""))
		.filter(secret => secret.length >= 4)
		.reduce((clean, secret) => clean.replaceAll(secret, "[redacted]"), text);
}
