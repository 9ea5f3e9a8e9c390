/** A secret found in a text: its kind and position, in UTF-16 code units. */
export interface FoundSecret {
	readonly kind: string;
	readonly start: number;
	readonly end: number;
}

/** The longest text to scan. Tool results and messages are shorter. */
const maxScannedLength = 8 * 1024 * 1024;

/** Known token formats. Every repetition is bounded, so that matching takes linear time. */
const tokens: readonly (readonly [kind: string, pattern: string])[] = [
	["AWS", "(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}"],
	["GitHub", "gh[opsur]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{50,80}"],
	["GitLab", "gl(?:pat|dt|rt|ptt|cbt|oas|soat|imt|agent|ffct|ft)-[A-Za-z0-9_.-]{20,100}"],
	["Slack", "xox[abeoprs]-[A-Za-z0-9-]{20,250}|xapp-\\d-[A-Za-z0-9-]{20,250}"],
	["Slack", "hooks\\.slack\\.com/(?:services|workflows)/[A-Za-z0-9/+]{24,100}"],
	["Discord", "discord(?:app)?\\.com/api/webhooks/\\d{17,20}/[A-Za-z0-9_-]{60,80}"],
	["Discord", "[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}"],
	["Teams", "[a-z0-9-]{1,60}\\.webhook\\.office\\.com/webhookb2/[A-Za-z0-9@/-]{80,200}"],
	["Stripe", "[rs]k_(?:live|test)_[A-Za-z0-9]{20,247}|whsec_[A-Za-z0-9+/]{32,64}"],
	["Google", "AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{28}|ya29\\.[A-Za-z0-9_-]{30,300}"],
	[
		"OpenAI",
		"sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40,250}|sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}",
	],
	["Anthropic", "sk-ant-[A-Za-z0-9_-]{40,200}"],
	["OpenRouter", "sk-or-v1-[a-f0-9]{64}"],
	["secret key", "sk-[A-Za-z0-9]{32,64}"],
	["HuggingFace", "hf_[A-Za-z]{34,40}"],
	["Replicate", "r8_[A-Za-z0-9]{37,40}"],
	["Groq", "gsk_[A-Za-z0-9]{48,56}"],
	["xAI", "xai-[A-Za-z0-9]{70,90}"],
	["Perplexity", "pplx-[A-Za-z0-9]{40,60}"],
	["npm", "npm_[A-Za-z0-9]{36}"],
	["PyPI", "pypi-AgE[A-Za-z0-9_-]{50,250}"],
	["RubyGems", "rubygems_[a-f0-9]{48}"],
	["crates.io", "cio[A-Za-z0-9]{32}"],
	["Docker", "dckr_(?:pat|oat)_[A-Za-z0-9_-]{27,40}"],
	["SendGrid", "SG\\.[A-Za-z0-9_-]{20,24}\\.[A-Za-z0-9_-]{39,50}"],
	["Mailgun", "key-[a-f0-9]{32}"],
	["Mailchimp", "[a-f0-9]{32}-us\\d{1,2}"],
	["Brevo", "xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}"],
	["Postmark", "PMAK-[a-f0-9]{24}-[a-f0-9]{34}"],
	["Twilio", "SK[a-f0-9]{32}"],
	["Shopify", "shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"],
	["Square", "sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,43}|EAAA[A-Za-z0-9_-]{60}"],
	["PayPal", "access_token\\$(?:production|sandbox)\\$[a-z0-9]{16}\\$[a-f0-9]{32}"],
	["DigitalOcean", "do[opr]_v1_[a-f0-9]{64}"],
	["Doppler", "dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9._-]{40,80}"],
	["Databricks", "dapi[a-f0-9]{32}"],
	["Linear", "lin_(?:api|oauth)_[A-Za-z0-9]{40,64}"],
	["Notion", "ntn_[A-Za-z0-9]{40,60}|secret_[A-Za-z0-9]{43}"],
	["NewRelic", "NR(?:AK|JS|II)-[A-Za-z0-9_-]{19,42}"],
	["Grafana", "glsa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}|glc_[A-Za-z0-9+/]{32,250}"],
	["Pulumi", "pul-[a-f0-9]{40}"],
	["Sentry", "sntry[su]_[A-Za-z0-9+/=_-]{40,250}"],
	["Telegram", "\\d{8,10}:AA[A-Za-z0-9_-]{33}"],
	["Vault", "hv[bsr]\\.[A-Za-z0-9_-]{24,200}"],
	["Terraform", "[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_-]{60,70}"],
	["age", "AGE-SECRET-KEY-1[A-Z0-9]{58}"],
	["Azure", "(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{40,100}={0,2}"],
	["Azure", "[A-Za-z0-9_~.]{3}8Q~[A-Za-z0-9_~.-]{31,34}"],
	["Dynatrace", "dt0c01\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}"],
	["Fly.io", "fm[12]_[A-Za-z0-9+/=]{60,250}|fo1_[A-Za-z0-9_-]{40,60}"],
	["Heroku", "HRKU-[A-Za-z0-9_-]{36,70}"],
	["Supabase", "sbp_[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{22,50}"],
	["PlanetScale", "pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{32,64}"],
	[
		"Atlassian",
		"ATATT3[A-Za-z0-9_=-]{100,250}|ATBB[A-Za-z0-9]{28,32}|ATCTT3[A-Za-z0-9_=-]{60,250}",
	],
	["Facebook", "EAA[CGMB][A-Za-z0-9]{80,250}"],
	["Airtable", "pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}"],
	["Contentful", "CFPAT-[A-Za-z0-9_-]{43}"],
	["Figma", "figd_[A-Za-z0-9_-]{38,44}"],
	["JFrog", "AKCp[A-Za-z0-9]{69}|cmVmd[A-Za-z0-9]{59}"],
	["1Password", "ops_eyJ[A-Za-z0-9+/=_-]{100,250}"],
	["Netlify", "nfp_[A-Za-z0-9]{36,40}"],
	["WakaTime", "waka_[a-f0-9-]{36}"],
	["Prefect", "pnu_[A-Za-z0-9]{36}"],
	["Cloudinary", "cloudinary://\\d{10,20}:[A-Za-z0-9_-]{20,40}@"],
	// Excludes the hyphen, which Base64 headers need only for `>` and `~`. With it, matching takes quadratic time on repeated prefixes.
	["JWT", "eyJ[A-Za-z0-9_]{15,2000}\\.eyJ[A-Za-z0-9_-]{15,4000}\\.[A-Za-z0-9_-]{20,1000}"],
	[
		"password hash",
		"\\$(?:2[aby]\\$\\d\\d\\$[A-Za-z0-9./]{53}|[56]\\$[A-Za-z0-9./]{4,16}\\$[A-Za-z0-9./]{43,86})",
	],
];

const tokenPattern = new RegExp(
	`(?<![A-Za-z0-9_])(?:${tokens.map(([, pattern]) => `(${pattern})`).join("|")})(?![A-Za-z0-9_])`,
	"g",
);

const privateKey =
	/-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-[23]:/g;

/** End of a private key, and the greatest length of one. */
const privateKeyEnd = /-----END [A-Z0-9 ]{0,40}-----|Private-MAC: [a-f0-9]{1,64}/;
const maxPrivateKeyLength = 16 * 1024;

/** `scheme://user:password@host` */
const address =
	/:\/\/([^\s:/@"'`<>{}$]{0,80}):([^\s:/@"'`<>{}$]{3,120})@(\[[0-9a-f:.]{2,45}\]|[A-Za-z0-9][A-Za-z0-9.-]{0,252}|\[)/gi;

/** Names of this machine, as its own programs and containers use them. */
const ownHost =
	/^(?:localhost|(?:.*\.)?localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\]|host\.docker\.internal|host\.containers\.internal)\.?$/i;

const authorization = /\b(?:Basic|Bearer|Token)[ \t]{1,3}([A-Za-z0-9+/_.~-]{16,512}={0,2})/g;

/** `password=`, `"apiKey": "…"`, `DB_PASS := …`, `<password>…`, `:password => '…'`, `--token …`, `define("PASSWORD", "…")`. */
const assignment = new RegExp(
	[
		"(passw(?:or)?d|passphrase|passwd|pass|pwd|secret|token|api[_-]?key|access[_-]?key|account[_-]?key|private[_-]?key|signing[_-]?key",
		"|encryption[_-]?key|master[_-]?key|secret[_-]?key|auth[_-]?key|client[_-]?secret|credentials?|connection[_-]?string|_auth)",
		"([A-Za-z0-9_-]{0,24})[\"'\\]]{0,2}(?:[ \\t]{0,8}(?:value[ \\t]?)?(?::=|=>|=|:|>|,)[ \\t]{0,8}|[ \\t]{1,3})",
		"(?:\"([^\"\\r\\n]{6,256})\"|'([^'\\r\\n]{6,256})'|`([^`\\r\\n]{6,256})`|([^\\s\"'`<>,;(){}[\\]]{8,256}))",
	].join(""),
	"gi",
);

/** Finds private keys, tokens of known formats, passwords in URLs and random values of names like `password`. Linear time. */
export function findSecrets(text: string): readonly FoundSecret[] {
	const scanned = text.slice(0, maxScannedLength);
	const found = [
		...privateKeys(scanned),
		...knownTokens(scanned),
		...passwordsOfAddresses(scanned),
		...valuesOf(scanned, authorization, "authorization", looksRandom),
		...assignments(scanned),
	];
	return merged(found.sort((one, other) => one.start - other.start));
}

function merged(sorted: readonly FoundSecret[]): FoundSecret[] {
	const whole: FoundSecret[] = [];
	for (const next of sorted) {
		const last = whole.at(-1);
		if (last && next.start < last.end) {
			whole[whole.length - 1] = { ...last, end: Math.max(last.end, next.end) };
		} else {
			whole.push(next);
		}
	}
	return whole;
}

/** Masks every secret in a text. Line breaks are kept. */
export function maskSecrets(text: string): string {
	let masked = "";
	let done = 0;
	for (const { start, end } of findSecrets(text)) {
		masked += text.slice(done, start) + text.slice(start, end).replaceAll(/[^\r\n]+/g, "[masked]");
		done = end;
	}
	return masked + text.slice(done);
}

/** A diff line that contains only Base64, with or without quotes, like the lines of a private key. */
const base64Line =
	/^[ +-]{1,2}[ \t"'`>#*]{0,80}([A-Za-z0-9+/]{4,200}={0,2})["'`\\n+,;) \t\r]{0,20}$/;

/** The shortest line that starts a key. Following lines of a key may be shorter. */
const minKeyLine = 40;

/** Masks the lines of a private key in a diff. The key's first line may be outside the hunk. */
export function maskKeyLines(diff: string): string {
	let isKey = false;
	const lines = diff.split("\n").map(line => {
		const body = base64Line.exec(line)?.[1] ?? "";
		isKey = body.length >= minKeyLine || (isKey && body !== "");
		return isKey ? `${line.slice(0, 1)}[masked]` : line;
	});
	return lines.join("\n");
}

/** Whether a text contains the first line of a private key. Unreadable text counts as containing one. */
export function holdsPrivateKey(text: string | undefined): boolean {
	return text === undefined || text.search(privateKey) !== -1;
}

function privateKeys(text: string): FoundSecret[] {
	const starts = [...text.matchAll(privateKey)].map(({ index }) => index);
	return starts.flatMap((start, at) => {
		// Scans each part of the text once, however many headers there are.
		const body = text.slice(
			start,
			Math.min(starts[at + 1] ?? Infinity, start + maxPrivateKeyLength),
		);
		const last = privateKeyEnd.exec(body);
		const length = last ? last.index + last[0].length : keyLinesLength(body);
		// A header alone, as in a message or a parser, is not a key.
		const isKey = /[A-Za-z0-9+/=]{24}/.test(body.slice(0, length));
		return isKey ? [{ kind: "PEM", start, end: start + length }] : [];
	});
}

function keyLinesLength(body: string): number {
	return (
		/^[^\r\n]{0,200}(?:(?:\r?\n|\\n)[ \t+-]{0,40}[A-Za-z0-9+/=]{16,200}){0,200}/.exec(body)?.[0]
			.length ?? 0
	);
}

function knownTokens(text: string): FoundSecret[] {
	return [...text.matchAll(tokenPattern)]
		.filter(([token]) => !isPlaceholder(token) && variety(token) >= 10)
		.map(match => {
			const at = match.findIndex((group, index) => index > 0 && group !== undefined);
			const kind = tokens[at - 1]?.[0] ?? "token";
			return { kind, start: match.index, end: match.index + match[0].length };
		});
}

/** A password that is the user's name, or of a server on this machine, is no secret: `postgres:postgres@localhost`. */
function passwordsOfAddresses(text: string): FoundSecret[] {
	return [...text.matchAll(address)].flatMap(
		({ index, 1: user = "", 2: value = "", 3: host = "" }) => {
			const start = index + "://".length + user.length + ":".length;
			const isOpen = user.toLowerCase() === value.toLowerCase() || ownHost.test(host);
			return isOpen || isPlaceholder(value)
				? []
				: [{ kind: "password", start, end: start + value.length }];
		},
	);
}

function valuesOf(
	text: string,
	pattern: RegExp,
	kind: string,
	isSecret: (value: string) => boolean,
): FoundSecret[] {
	return [...text.matchAll(pattern)].flatMap(match => {
		const value = match[1] ?? "";
		const start = match.index + match[0].lastIndexOf(value);
		return isSecret(value) ? [{ kind, start, end: start + value.length }] : [];
	});
}

function assignments(text: string): FoundSecret[] {
	return [...text.matchAll(assignment)].flatMap(match => {
		const [whole, name = "", rest = "", ...values] = match;
		const value = values.find(group => group !== undefined) ?? "";
		const isQuoted = values[3] === undefined;
		const isPassword = /^pass|^pwd/i.test(name);
		if (namesNoSecret(rest) || !(isPassword ? looksChosen(value, isQuoted) : looksRandom(value))) {
			return [];
		}
		const end = match.index + whole.length - (isQuoted ? 1 : 0);
		return [{ kind: name.toLowerCase(), start: end - value.length, end }];
	});
}

/** Whether the rest of a name, as in `passwordHint` or `tokenType`, shows that the value isn't a secret. */
function namesNoSecret(rest: string): boolean {
	return /(?:name|type|kind|url|uri|path|file|hint|label|field|length|size|id|ids|regex|pattern|expir\w*|endpoint|version|index|count|class|message|error|text|title|description|format|prefix)$/i.test(
		rest,
	);
}

const placeholder =
	/example|sample|dummy|placeholder|redacted|masked|changeme|change[_-]me|your[_-]|[_-]here|insert|replace|xxx|\*\*\*|\.\.\.|…|<[^>]*>|\$\{|\$\(|\{\{|%\(|%[A-Z_]+%|process\.env|os\.environ|getenv|123456789|abcdefgh|000000|test[_-]?(?:key|token|secret|pass)|(.)\1{5}/i;

function isPlaceholder(value: string): boolean {
	return placeholder.test(value) || /^(?:password|pass|passwd|secret|token|user|key)$/i.test(value);
}

function variety(value: string): number {
	return new Set(value).size;
}

/** Returns the Shannon entropy per character, in bits. */
function entropy(value: string): number {
	const counts = new Map<string, number>();
	for (const character of value) {
		counts.set(character, (counts.get(character) ?? 0) + 1);
	}
	return [...counts.values()].reduce((sum, count) => {
		const share = count / value.length;
		return sum - share * Math.log2(share);
	}, 0);
}

/** Whether a value looks generated: long, mixed letters and digits, high entropy. */
function looksRandom(value: string): boolean {
	return (
		value.length >= 16 &&
		/^[A-Za-z0-9+/=_.~!@#$%^&*:-]+$/.test(value) &&
		(value.match(/\d/g) ?? []).length >= 2 &&
		/[A-Za-z]/.test(value) &&
		!isPlaceholder(value) &&
		!isCode(value) &&
		entropy(value) >= 3.2
	);
}

/** Whether a value looks like a password that a user chose: letters with digits or symbols, but not code or a sentence. */
function looksChosen(value: string, isQuoted: boolean): boolean {
	const hasDigit = /\d/.test(value);
	const hasSign = /[!@#$%^&*?+=~]/.test(value);
	const isMixed = hasDigit || (isQuoted && hasSign);
	return (
		value.length >= (isQuoted ? 6 : 8) &&
		/[A-Za-z]/.test(value) &&
		isMixed &&
		!/\s/.test(value) &&
		!isPlaceholder(value) &&
		!isCode(value) &&
		entropy(value) >= 2.5
	);
}

/** Whether a value is a path, a variable or member name, a call, a version, or a URL without a password. */
function isCode(value: string): boolean {
	return (
		/^(?:[a-z_$][\w$]{0,60}\.){1,8}[\w$]{0,60}$/i.test(value) ||
		/^(?:https?:\/\/|\.{0,2}\/|[a-z]:\\|@[a-z])/i.test(value) ||
		/^[A-Za-z_$][a-z]{0,30}(?:[A-Z_-][a-z]{1,30}){0,10}\d{0,2}$/.test(value) ||
		/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/.test(value) ||
		/[([{]|=>|\|\||&&|===|\\[wdsu]/.test(value)
	);
}
