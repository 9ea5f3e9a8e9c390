/**
 * Removes the user's key from a server's message, because some servers repeat a rejected key. `headers` are those that contain the key.
 * docs/security.md.
 */
export function withoutKeys(text: string, headers: Readonly<Record<string, string>>): string {
	return Object.values(headers)
		.map(value => value.replace(/^\S+ /, ""))
		.filter(secret => secret.length >= 4)
		.reduce((clean, secret) => clean.replaceAll(secret, "[redacted]"), text);
}
