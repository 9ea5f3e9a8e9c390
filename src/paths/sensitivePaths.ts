import {
	codeEndings,
	codeFiles,
	codeFolders,
	codeNames,
	codePlaces,
	dataEndings,
	deploymentFolders,
	nativeEndings,
} from "./runningFiles.ts";

export type FileUse = "read" | "write";

/**
 * Why a path is sensitive. `runsCode`: it decides what runs on this machine or in a pipeline. `instructsAgents`: it contains instructions for agents.
 * `secret`: it contains keys or personal data. `shortName`: it may be another file's Windows short name.
 */
export type SensitiveReason = "runsCode" | "instructsAgents" | "secret" | "shortName";

/** Splits lines into their words. */
export function words(...lines: readonly string[]): ReadonlySet<string> {
	return new Set(lines.flatMap(line => line.split(" ")));
}

/** Folders of third-party code that a package manager or a person put there. */
const dependencyFolders = words(
	"node_modules bower_components jspm_packages web_modules site-packages dist-packages vendor pods venv virtualenv third_party",
	"third-party carthage elm-stuff __pypackages__ .venv .tox .nox .eggs .yarn .pnpm .pnpm-store .bundle .cargo .gradle .m2",
);

/** Whether a path is in a folder of dependencies. Matches as loosely as `secretRule`. */
export function isInDependency(path: string): boolean {
	return foldedComponents(path).some(component => dependencyFolders.has(component));
}

/** Folders of agents and their instructions. docs/security.md. */
const agentFolders =
	/^\.(?:claude|cursor|windsurf|codex|cutaway|kiro|junie|augment|agents?|continue|roo|cline|clinerules|gemini|qwen|opencode|trae|amazonq|aider|goose|openhands|factory|crush|warp|zencoder|tabnine|cody|devin|jules|copilot)/;

/** Markdown and text files that agents read, in any folder. */
const agentProse =
	/(?:^|\/)(?:prompts|agents|skills|subagents|chatmodes|instructions)\/(?:.*\/)?[^/]+\.(?:md|mdc|txt)$/;

/** Folders of keys and credentials. docs/security.md, read side. */
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
	// Git's own files contain URLs with passwords.
	".git",
]);

const agentFiles: readonly RegExp[] = [
	/^(?:agents?|claude|gemini|skill|conventions|qwen|warp|crush|copilot|codex|jules|goose|replit|windsurf|cursor|airules|llms(?:-full)?|rules|system-prompt)(?:\..+)?\.(?:md|mdc|txt)$/,
	/copilot-instructions\.md$/,
	/\.(?:prompt|chatmode|instructions|agent)\.md$|\.mdc$/,
	/^\.?(?:mcp|opencode|crush)\.jsonc?$/,
];

/** Patterns of files that contain keys or personal data, each with the rule as shown to users. docs/security.md, read side. */
const secretFiles: readonly (readonly [rule: string, pattern: RegExp])[] = [
	[".env*", /^\.env/],
	...endings("env", "pem", "key", "p12", "pfx", "ppk", "jks", "keystore", "kdbx"),
	...endings("asc", "gpg", "ovpn", "sqlite", "sqlite3", "db", "db3"),
	// Private keys have such names with any extension or none; `id_map.ts` is code.
	["id_*", /^id_(?:(?:rsa|dsa|ecdsa|ed25519)|[^.]*(?:\.(?:pub|bak|old|orig|save|txt))?$)/],
	...dotFiles("npmrc", "netrc", "pgpass", "pypirc", "htpasswd", "dockercfg"),
	...dotFiles("git-credentials", "my.cnf"),
	["*.tfstate", /\.tfstate(?:\.|$)/],
	["*.tfvars", /\.tfvars(?:\.|$)/],
	["credentials*", /^credentials(?:\.[a-z]+)?$/],
	["secrets*", /^secrets?(?:\.[a-z]+)?$/],
	["service-account*.json", /(?:^|[-_.])service[-_]?(?:account|key).*\.json$/],
	[
		".env*",
		/^(?:\.flaskenv|\.dev\.vars.*|env\.(?:local|prod|production|dev|development|staging|test))$/,
	],
	[
		"*secret*",
		/^[._]?secrets?(?:$|(?:[._-][\w-]+)*\.(?:json|ya?ml|toml|ini|cfg|conf|properties|txt|xml|plist|enc|env)$)/,
	],
	["client_secret*.json", /^client[-_]secret.*\.json$/],
	["*firebase-adminsdk*.json", /firebase-(?:adminsdk|.*key).*\.json$/],
	[
		"*credentials*",
		/^[._]?[\w-]*credentials?(?:\.(?:json|ya?ml|toml|ini|xml|txt|csv|properties|enc|db))?$/,
	],
	["token.json", /^\.?(?:token|tokens|auth|oauth|oauth2|api[-_]?keys?)\.(?:json|ya?ml|txt|toml)$/],
	[
		"passwords*",
		/^[._]?(?:passwords?|passwd|shadow|htpasswd|wallet\.dat|vault[-_]pass(?:word)?)(?:\.(?:txt|csv|json|ya?ml|xlsx?|md|kdb|bak))?$/,
	],
	["browser profile", /^(?:login data|web data|key[34]\.db|signons\.sqlite)$/],
	["docker-config.json", /^\.?docker-config\.json$/],
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
	// Keys and tokens by what they are called, in files of data or without an ending.
	[
		"*_key",
		keyNames(
			"keys?",
			"private ssh deploy rsa dsa ecdsa ed25519 host jwt api access account sa gcp aws store age root",
		),
	],
	["*_token", keyNames("tokens?", "access auth bearer refresh github gh gitlab npm bot api")],
	["*_codes", keyNames("(?:codes?|phrases?)", "recovery backup pass seed")],
	["*_rsa", /^[\w.-]*[_-](?:rsa|dsa|ecdsa|ed25519)(?:[_-]key)?(?:\.(?:enc|pub|txt))?$/],
	[
		"cookies*",
		/^(?:cookie[s_-]?(?:jar)?|cookies|mnemonic|bearer|storagestate|kaggle|rootkey|accesstokens|azureprofile)\.?(?:txt|json|csv|binarycookies)?$/,
	],
	...endings(
		..."hprof heapsnapshot heapprofile heapdump jfr mdmp hdmp cap saz chls tfplan publishsettings cscfg pubxml.user".split(
			" ",
		),
		..."jceks pvk snk pgp pkcs8 jwk jwks age kirbi ccache truststore bcfks sso agilekeychain 1pif 1pux opvault psafe3".split(
			" ",
		),
		..."rdg remmina nmconnection mobileconfig provisionprofile wgconf kdb5 rdb ldif bson ibd mdf ldf fdb sdf realm".split(
			" ",
		),
		..."postman_environment.json private.env.json".split(" "),
	),
	[
		"heapdump",
		/^(?:heapdump|krb5cc_.+|gshadow-?|shadow-|opasswd|(?:chap|pap)-secrets|ipsec\.secrets|otr\.private_key|oai_config_list)$/,
	],
	["settings.xml", /^settings-security\.xml$/],
	[
		"*.htpasswd",
		/^(?:[\w-]*\.htpasswd.*|\.?htdigest|\.(?:rhosts|shosts|cvspass|erlang\.cookie|odbc\.ini|muttrc|winscp\.ini))$/,
	],
	["database.yml", /^(?:databases?|mongoid|parameters|ngrok|datasources)\.ya?ml$/],
	[
		"LocalSettings.php",
		/^(?:localsettings|configuration|config\.inc|settings\.(?:local|inc)|database|db|db[-_]?config|env)\.php$/,
	],
	[
		"filezilla.xml",
		/^(?:filezilla|sitemanager|recentservers|webservers|datasources(?:\.local)?|tomcat-users|hibernate\.cfg|unattend|autounattend|sysprep|accounts|publish_over_ssh.*)\.xml$/,
	],
	[
		"winscp.ini",
		/^(?:winscp|ws_ftp|odbc)\.ini$|^(?:pip|pgpass|pg_service|krb5|redis|flyway)\.conf$|^(?:my|mysql|debian)\.cnf$/,
	],
	["web.config", /^(?:web|connectionstrings|.+\.secret)\.config$/],
	[
		"db.properties",
		/^(?:jdbc|db|database|datasource|users|(?:mgmt|jboss)-users|liquibase|teamcity)\.properties$/,
	],
	[
		"http-client.env.json",
		/^(?:(?:http|rest)-client.*\.env|postman_environment|insomnia|google-services|msal_token_cache|gc(?:p|loud)|gcp-(?:key|sa)|keystore|wallet|robomongo|logins?|auth|application_default_credentials)\.(?:json|bin|csv)$/,
	],
	["vault.yml", /^(?:vault|passphrases?|logins?|pass|pwd)\.(?:ya?ml|txt|csv)$/],
];

/** Files whose folder tells that they contain secrets. */
const secretPlaces: readonly (readonly [rule: string, pattern: RegExp])[] = [
	[".m2/settings.xml", /(?:^|\/)\.m2\/settings\.xml$/],
	[
		".auth",
		/(?:^|\/)\.(?:auth|kaggle|subversion|purple|irssi|ngrok2|stripe|huggingface|netlify|fly|mc|bluemix)\/./,
	],
	[
		"settings.php",
		/(?:^|\/)sites\/[^/]+\/settings[^/]*\.php$|(?:^|\/)app\/etc\/(?:env\.php|local\.xml)$/,
	],
	[".hg/hgrc", /(?:^|\/)\.(?:hg\/hgrc|svn\/auth|bzr\/authentication\.conf|config\/hub)/],
	["huggingface/token", /(?:^|\/)huggingface\/(?:stored_)?tokens?$/],
];

/** Returns a pattern of names that consist of one of the words and an ending word, such as `deploy_key`, before or between other words. */
function keyNames(last: string, firsts: string): RegExp {
	return new RegExp(
		`^[._]?(?:[\\w.]+[._-])?(?:${firsts.split(" ").join("|")})[._-]?${last}(?:[._-](?:rsa|dsa|ecdsa|ed25519))?(?:\\.(?:json|ya?ml|toml|ini|cfg|txt|xml|csv|enc|bak|asc|properties))?$`,
	);
}

/** Extensions of backups and compressed copies. */
const keptCopy = /(?:\.(?:bak|backup|old|orig|save|swp|copy|tmp|\d|gz|bz2|xz|zst)|~)$/;

const shortName = /^[^.~ ]{1,6}~\d{1,3}(\.[^.]{0,3})?$/;

/**
 * Returns the rule by which a path may contain secrets, such as `.env*` or `.ssh`, or undefined. Matches as loosely as the loosest file system:
 * ignores letter case, Unicode form, invisible characters, trailing dots and spaces and `:streams` on every system. Doesn't touch the disk.
 * docs/security.md, CVE-2025-59944.
 */
export function secretRule(path: string): string | undefined {
	return secretRuleOf(foldedComponents(path));
}

/** Returns why a use of a path needs the user's approval, or undefined. Matches as loosely as `secretRule`. docs/security.md. */
export function sensitiveReason(path: string, use: FileUse): SensitiveReason | undefined {
	const components = foldedComponents(path);
	const name = components.at(-1) ?? "";
	const secret = secretRuleOf(components);
	// For writes, report `.git` as code that runs rather than as secrets.
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
		components.some(component => agentFolders.test(component)) ||
		matches(agentFiles, name) ||
		agentProse.test(components.join("/"))
	) {
		return "instructsAgents";
	}
	return components.some(decidesWhatRuns) || isInHooks(components) || isCodeFile(components)
		? "runsCode"
		: undefined;
}

/** Whether a name is a dotfile, a dot-folder or a known folder of code. */
function decidesWhatRuns(component: string): boolean {
	return (
		/^\.(?!\.?$)/.test(component) || codeFolders.has(component) || dependencyFolders.has(component)
	);
}

/** Whether a file is a hook of Git or an agent. Hooks of a page's framework are page source. */
function isInHooks(components: readonly string[]): boolean {
	const isOfPage = /\.(?:tsx?|jsx|vue|svelte|s?css|less|mdx?|snap)$|^use.*\.js$/;
	return components.slice(0, -1).includes("hooks") && !isOfPage.test(components.at(-1) ?? "");
}

/** Whether a file runs or configures what does. At the top of a workspace, any data is taken for the configuration of a tool. */
function isCodeFile(components: readonly string[]): boolean {
	const name = components.at(-1) ?? "";
	// Numbers of versions follow the ending of a library.
	const [, ending = ""] = /\.([^.]+)$/.exec(name.replace(/(?<=\.so)(?:\.\d+)+$/, "")) ?? [];
	const folders = components.slice(0, -1);
	const isConfiguration =
		folders.length === 0 || folders.some(folder => deploymentFolders.has(folder));
	return (
		codeNames.has(name) ||
		codeEndings.has(ending) ||
		nativeEndings.has(ending) ||
		(isConfiguration && dataEndings.has(ending)) ||
		matches(codeFiles, name) ||
		matches(codePlaces, components.join("/"))
	);
}

function secretRuleOf(components: readonly string[]): string | undefined {
	const name = components.at(-1) ?? "";
	return (
		components.find(component => secretFolders.has(component)) ??
		ruleOfPlace(components.join("/")) ??
		ruleOfName(name) ??
		ruleOfName(name.replace(keptCopy, ""))
	);
}

function ruleOfPlace(path: string): string | undefined {
	return secretPlaces.find(([, pattern]) => pattern.test(path))?.[0];
}

function ruleOfName(name: string): string | undefined {
	return secretFiles.find(([, pattern]) => pattern.test(name))?.[0];
}

/** Returns a path's names in one normal form for all spellings that a file system may accept for the same file. */
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
