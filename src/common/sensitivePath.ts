/**
 * Which files a person is asked about before anything of them leaves the machine: keys, credentials, stores of them, and
 * the folders where such things are kept. Fault matrix §1g, read-side list.
 */
const sensitiveFolders: ReadonlySet<string> = new Set([
	".aws",
	".azure",
	".gcp",
	".kube",
	".docker",
	".ssh",
	".gnupg",
]);

/** Patterns of file names with the rule as a person reads it. */
const sensitiveNames: readonly (readonly [rule: string, pattern: RegExp])[] = [
	[".env*", /^\.env/],
	["*.pem", /\.pem$/],
	["*.key", /\.key$/],
	["*.p12", /\.p12$/],
	["*.pfx", /\.pfx$/],
	["*.ppk", /\.ppk$/],
	["*.jks", /\.jks$/],
	["id_*", /^id_/],
	["*.sqlite", /\.sqlite3?$/],
	["*.db", /\.db3?$/],
	[".npmrc", /^\.npmrc$/],
	[".netrc", /^[._]netrc$/],
	["*.tfstate", /\.tfstate(?:\.|$)/],
];

/**
 * The rule of the read-side list that a path falls under, such as `.env*` or `.ssh`; undefined when there is none. Spellings
 * that some file system takes for the same name fall under the same rule: other case, composed or decomposed letters,
 * characters that do not show, trailing dots and blanks, a named stream. Never touches the disk.
 */
export function sensitiveRule(path: string): string | undefined {
	const parts = path.split(/[/\\]/).map(foldName);
	const name = parts.at(-1) ?? "";
	return (
		parts.find(part => sensitiveFolders.has(part)) ??
		sensitiveNames.find(([, pattern]) => pattern.test(name))?.[0]
	);
}

function foldName(name: string): string {
	return name
		.normalize("NFKC")
		.replaceAll(/[\p{Cc}\p{Cf}]/gu, "")
		.replace(/(?<=.):.*$/, "")
		.replace(/[. ]+$/, "")
		.toLowerCase();
}
