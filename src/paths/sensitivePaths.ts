/** Intended use of a file. */
export type FileUse = "read" | "write";

/**
 * Why a path is sensitive: `runsCode`, it decides what runs on this machine or in a pipeline; `instructsAgents`, it tells
 * agents what to do; `secret`, it holds keys or personal data; `shortName`, it may be another file's Windows short name.
 */
export type SensitiveReason = "runsCode" | "instructsAgents" | "secret" | "shortName";

/** Folders whose whole content decides what runs. docs/security.md. */
const codeFolders: ReadonlySet<string> = new Set([
	".vscode",
	".vscode-server",
	".vs",
	".zed",
	".fleet",
	".git",
	".github",
	".gitlab",
	".circleci",
	".devcontainer",
	".idea",
	".run",
	".husky",
	".githooks",
	".yarn",
	".mvn",
	".cargo",
	".direnv",
	"node_modules",
	"ruby_lsp",
]);

/** Folders that hold instructions or settings of agents. docs/security.md. */
const agentFolders: ReadonlySet<string> = new Set([".claude", ".cursor", ".windsurf", ".codex"]);

/** Folders that hold keys or what opens something. docs/security.md, read side. */
const secretFolders: ReadonlySet<string> = new Set([
	".aws",
	".azure",
	".gcp",
	".gcloud",
	".kube",
	".docker",
	".ssh",
	".gnupg",
	".password-store",
	".terraform.d",
	// What Git keeps for itself holds addresses with passwords in them.
	".git",
]);

const codeFiles: readonly RegExp[] = [
	/^package\.json$/,
	/^(server\.xml|web\.config|build\.rs|conftest\.py|sitecustomize\.py|usercustomize\.py|setup\.(py|cfg)|pyproject\.toml)$/,
	/^cargo\.toml$/,
	/^\.git(attributes|modules|config|ignore)$/,
	/^\.(npmrc|yarnrc|yarnrc\.ya?ml|envrc|nvmrc|tool-versions|editorconfig)$/,
	/^\.pnpmfile\./,
	/^pnpm-workspace\.yaml$/,
	/\.code-workspace$/,
	/\.(cs|fs|vb|vcx)proj$/,
	/\.(proj|targets|props)$/,
	/\.gradle(\.kts)?$/,
	/^gradle\.properties$/,
	/\.lock$/,
	/-lock\.(ya?ml|json)$/,
	/^\.gitlab-ci\.ya?ml$/,
	/^(azure-pipelines|bitbucket-pipelines|\.travis|appveyor|cloudbuild|docker-compose|compose|\.pre-commit-config)\.ya?ml$/,
	/^(gnu)?makefile$/,
	/\.mk$/,
	/^cmakelists\.txt$/,
	/\.config\.[cm]?[jt]s$/,
	/^\.(eslintrc|babelrc|prettierrc|swcrc|mocharc)/,
	/^tsconfig.*\.json$/,
	/^(docker|container|jenkins|vagrant|rake|gem|just|pod|fast)file(\.|$)/,
	/\.(ps1|psm1|sh|bash|zsh|fish|bat|cmd|vbs|reg|desktop|command|service)$/,
	/^\.(bash|zsh|z|fish)?(rc|profile|_profile|env|login|logout)$/,
];

const agentFiles: readonly RegExp[] = [
	/^(agents|claude|gemini|skill)(\..+)?\.md$/,
	/^\.clinerules/,
	/^\.(cursor|windsurf)rules$/,
	/^\.roo/,
	/copilot-instructions\.md$/,
	/\.(prompt|chatmode|instructions|agent)\.md$/,
	/^\.?mcp\.json$/,
];

/** Names of files that hold keys or personal data, each with the rule as a user reads it. docs/security.md, read side. */
const secretFiles: readonly (readonly [rule: string, pattern: RegExp])[] = [
	[".env*", /^\.env/],
	...endings("env", "pem", "key", "p12", "pfx", "ppk", "jks", "keystore", "kdbx"),
	...endings("asc", "gpg", "ovpn", "sqlite", "sqlite3", "db", "db3"),
	// A private key is called so with any ending or none; `id_map.ts` is code.
	["id_*", /^id_(?:(?:rsa|dsa|ecdsa|ed25519)|[^.]*(?:\.(?:pub|bak|old|orig|save|txt))?$)/],
	...dotFiles("npmrc", "netrc", "pgpass", "pypirc", "htpasswd", "dockercfg"),
	...dotFiles("git-credentials", "my.cnf"),
	["*.tfstate", /\.tfstate(?:\.|$)/],
	["*.tfvars", /\.tfvars(?:\.|$)/],
	["credentials*", /^credentials(?:\.[a-z]+)?$/],
	["secrets*", /^secrets?(?:\.[a-z]+)?$/],
	["service-account*.json", /^service[-_]?account.*\.json$/],
	[
		".env*",
		/^(?:\.flaskenv|\.dev\.vars.*|env\.(?:local|prod|production|dev|development|staging|test))$/,
	],
	[
		"*secret*",
		/^[._]?secrets?(?:$|(?:[._-][\w-]+)*\.(?:json|ya?ml|toml|ini|cfg|conf|properties|txt|xml|plist|enc|env)$)/,
	],
	["client_secret*.json", /^client[-_]secret.*\.json$/],
	["*firebase-adminsdk*.json", /firebase-adminsdk.*\.json$/],
	[
		"*credentials*",
		/^[._]?[\w-]*credentials?(?:\.(?:json|ya?ml|toml|ini|xml|txt|csv|properties|enc|db))?$/,
	],
	["token.json", /^\.?(?:token|tokens|auth|oauth|oauth2|api[-_]?keys?)\.(?:json|ya?ml|txt|toml)$/],
	[
		"passwords*",
		/^[._]?(?:passwords?|passwd|shadow|htpasswd|wallet\.dat|vault[-_]pass(?:word)?)(?:\.(?:txt|csv|json|ya?ml|xlsx?|md|kdb|bak))?$/,
	],
	["kubeconfig", /^(?:.+[.-])?kubeconfig(?:\.ya?ml)?$|^kube\.?config$/],
	...endings(
		"p8",
		"der",
		"pkcs12",
		"pk8",
		"bks",
		"kdb",
		"keytab",
		"har",
		"pcap",
		"pcapng",
		"dmp",
		"mobileprovision",
		"agekey",
	),
	...endings("sql", "dump", "sqlitedb", "mdb", "accdb", "rdp", "pgdump"),
	["core dump", /^(?:vg)?core\.\d+$/],
	...dotFiles(
		"gitconfig",
		"yarnrc.yml",
		"yarnrc.yaml",
		"vault-token",
		"vault_pass",
		"boto",
		"s3cfg",
		"terraformrc",
		"sentryclirc",
	),
	...dotFiles(
		"claude.json",
		"mcp.json",
		"rclone.conf",
		"curlrc",
		"wgetrc",
		"mylogin.cnf",
		"pgservice.conf",
		"gemrc",
		"msmtprc",
		"fetchmailrc",
	),
	...dotFiles(
		"dockerconfigjson",
		"databrickscfg",
		"snowsql",
		"tugboat",
		"esmtprc",
		"remote-sync.json",
		"ftpconfig",
		"authinfo",
	),
	["*_history", /^[._]\w*_?(?:history|hsts)$|^(?:fish_history|consolehost_history\.txt)$/],
	...dotFiles(
		"histfile",
		"lesshst",
		"viminfo",
		"dbshell",
		"ftppass",
		"tower_cli.cfg",
		"passwd-s3fs",
	),
	["rclone.conf", /^(?:rclone|terraform|s3cmd|wg\d|wpa_supplicant)\.(?:conf|rc)$/],
	["local.settings.json", /^(?:local\.settings|appsettings(?:\..+)?)\.json$/],
	["application*.properties", /^(?:application|bootstrap)(?:-.+)?\.(?:properties|ya?ml)$/],
	["*.properties", /^(?:gradle|local|keystore|signing|key|sentry|secure)\.properties$/],
	["wp-config.php", /^wp-config(?:-.+)?\.php$/],
	["wrangler.toml", /^wrangler\.(?:toml|jsonc?)$/],
	["*.tfrc.json", /\.tfrc\.json$/],
	["oauth_creds.json", /^(?:oauth_creds|logins)\.json$/],
	...endings("keychain", "keychain-db"),
	["sftp.json", /^(?:sftp|ftp-sync|sftp-config)\.json$/],
	["hosts.yml", /^hosts\.ya?ml$/],
	["master.key", /^(?:master|production|staging)\.key$/],
];

/** Endings under which editors and people keep earlier or packed versions of a file. */
const keptCopy = /(?:\.(?:bak|backup|old|orig|save|swp|copy|tmp|\d|gz|bz2|xz|zst)|~)$/;

const shortName = /^[^.~ ]{1,6}~\d{1,3}(\.[^.]{0,3})?$/;

/**
 * The rule by which a path may hold secrets, such as `.env*` or `.ssh`, or undefined. Matches as loosely as the loosest
 * file system: letter case, Unicode form, invisible characters, trailing dots and spaces and `:streams` make no
 * difference, on any system. Never touches the disk. docs/security.md, CVE-2025-59944.
 */
export function secretRule(path: string): string | undefined {
	return secretRuleOf(foldedComponents(path));
}

/** Why a path needs a user's eye before it is used so, or undefined; matches as loosely as `secretRule`. docs/security.md. */
export function sensitiveReason(path: string, use: FileUse): SensitiveReason | undefined {
	const components = foldedComponents(path);
	const name = components.at(-1) ?? "";
	const secret = secretRuleOf(components);
	// That what Git keeps decides what runs matters more to whoever is asked about a change of it.
	if (secret !== undefined && (use === "read" || secret !== ".git")) {
		return "secret";
	}
	if (components.some(component => shortName.test(component))) {
		return "shortName";
	}
	if (use === "read") {
		return undefined;
	}
	if (
		components.some(component => agentFolders.has(component)) ||
		matchesAny(agentFiles, components)
	) {
		return "instructsAgents";
	}
	const isCode = components.some(component => codeFolders.has(component));
	return isCode || matches(codeFiles, name) ? "runsCode" : undefined;
}

function secretRuleOf(components: readonly string[]): string | undefined {
	const name = components.at(-1) ?? "";
	return (
		components.find(component => secretFolders.has(component)) ??
		ruleOfName(name) ??
		ruleOfName(name.replace(keptCopy, ""))
	);
}

function ruleOfName(name: string): string | undefined {
	return secretFiles.find(([, pattern]) => pattern.test(name))?.[0];
}

/** A path's names in the one spelling that every spelling a file system may take for the same file shares. */
function foldedComponents(path: string): string[] {
	return path
		.normalize("NFKC")
		.replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/gu, "")
		.toUpperCase()
		.toLowerCase()
		.normalize("NFKC")
		.split(/[\\/]+/)
		.map(component => component.replace(/(?<=[^:]):.*$/, "").replace(/(?<=[^. ])[. ]+$/, ""))
		.filter(component => component !== "" && component !== ".");
}

function endings(...names: readonly string[]): (readonly [string, RegExp])[] {
	return names.map(name => [`*.${name}`, new RegExp(`\\.${name}$`)]);
}

function dotFiles(...names: readonly string[]): (readonly [string, RegExp])[] {
	return names.map(name => [`.${name}`, new RegExp(`^[._]${name.replace(".", "\\.")}$`)]);
}

function matches(patterns: readonly RegExp[], name: string): boolean {
	return patterns.some(pattern => pattern.test(name));
}

function matchesAny(patterns: readonly RegExp[], names: readonly string[]): boolean {
	return names.some(name => matches(patterns, name));
}
