// @module-tag thorough
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { expect, test } from "vitest";
import { findSecrets, maskSecrets } from "../../../src/common/secretContent.ts";
import { secretRule } from "../../../src/paths/sensitivePaths.ts";
import { createRandom, type Random } from "../../helpers/random.ts";

const lower = "abcdefghijklmnopqrstuvwxyz";
const digits = "0123456789";
const hexadecimal = `${digits}abcdef`;
const word = `${lower}${lower.toUpperCase()}${digits}`;
const base64 = `${word}+/`;

/** Secrets by the form their makers document, made again so that no file of this project holds one. */
const forms: Readonly<Record<string, string>> = {
	aws: "AKIA{U16}",
	githubClassic: "ghp_{w36}",
	githubApp: "ghs_{w36}",
	githubFine: "github_pat_{w22}_{w59}",
	gitlab: "glpat-{w20}",
	slackBot: "xoxb-{d12}-{d12}-{w24}",
	slackHook: "https://hooks.slack.com/services/T{U8}/B{U8}/{w24}",
	discordHook: "https://discord.com/api/webhooks/{d18}/{w68}",
	stripe: "sk_live_{w24}",
	stripeHook: "whsec_{w32}",
	google: "AIza{w35}",
	googleOauth: "GOCSPX-{w28}",
	openAi: "sk-proj-{w64}",
	anthropic: "sk-ant-api03-{w80}",
	huggingFace: "hf_{a34}",
	npm: "npm_{w36}",
	pypi: "pypi-AgEIcHlwaS5vcmc{w80}",
	sendGrid: "SG.{w22}.{w43}",
	mailgun: "key-{h32}",
	mailchimp: "{h32}-us12",
	twilio: "SK{h32}",
	shopify: "shpat_{h32}",
	square: "sq0atp-{w22}",
	digitalOcean: "dop_v1_{h64}",
	databricks: "dapi{h32}",
	linear: "lin_api_{w40}",
	newRelic: "NRAK-{U27}",
	grafana: "glsa_{w32}_{h8}",
	postman: "PMAK-{h24}-{h34}",
	pulumi: "pul-{h40}",
	telegram: "{d10}:AA{w33}",
	vault: "hvs.{w90}",
	terraform: "{w14}.atlasv1.{w67}",
	azureStorage: "AccountKey={b86}==",
	supabase: "sbp_{h40}",
	atlassian: "ATATT3{w180}",
	airtable: "pat{w14}.{h64}",
	figma: "figd_{w40}",
	docker: "dckr_pat_{w27}",
	jwt: "eyJ{w30}.eyJ{w60}.{w43}",
	address: "postgres://app:{w14}@db.internal:5432/app",
	bearer: "Authorization: Bearer {w40}",
	hash: "$2b$12${w53}",
	rsa: "-----BEGIN RSA PRIVATE KEY-----\n{b64}\n{b64}\n{b40}\n-----END RSA PRIVATE KEY-----",
	openSsh: "-----BEGIN OPENSSH PRIVATE KEY-----\n{b64}\n{b64}\n-----END OPENSSH PRIVATE KEY-----",
	cutKey: "-----BEGIN PRIVATE KEY-----\n{b64}\n{b64}\n{b64}",
	serviceAccount:
		'{"private_key": "-----BEGIN PRIVATE KEY-----\\n{b64}\\n-----END PRIVATE KEY-----\\n"}',
};

/** Values of no known form, which only their name gives away. */
const assigned: Readonly<Record<string, string>> = {
	password: "DB_PASSWORD={w7}7!{w3}",
	yaml: 'password: "{a8}{d3}"',
	json: '{ "clientSecret": "{w8}4{w12}9{w15}" }',
	code: 'const apiKey = "{h16}7c3{h13}";',
	awsSecret: "aws_secret_access_key = {w18}3{b8}7{w12}",
	php: "define('AUTH_KEY', '{w20}5{w9}8{w20}');",
	xml: '<add key="Password" value="{a5}#{d3}{a4}" />',
	element: "<password>{a6}{d4}</password>",
	netrc: "machine api.internal login me password {w6}4{w6}",
	npmrc: "//registry.internal/:_authToken={h8}-1c2e-4f5b-9a7d-{h12}",
	basic: '"auth": "{w18}4{w10}7{w10}=="',
};

const frames: readonly ((secret: string) => string)[] = [
	secret => `# settings\nPORT=3000\nVALUE=${secret}\nDEBUG=1\n`,
	secret => `service:\n  name: shop\n  setting: ${secret}\n  replicas: 2\n`,
	secret => `export const settings = {\n\tname: "shop",\n\tvalue: \`${secret}\`,\n};\n`,
	secret => `import os\n\ndef connect():\n    return open("""${secret}""")\n`,
	secret => `## Notes\n\nUse this one: ${secret}\n\nand restart.\n`,
	secret => `curl -s --data '${secret}' \\\n  https://api.internal/v1\n`,
];

/** A secret of a form, and the longest part of it that nobody can guess. */
function made(form: string, random: Random): { readonly text: string; readonly core: string } {
	const sets: Readonly<Record<string, string>> = {
		w: word,
		d: digits,
		h: hexadecimal,
		b: base64,
		a: `${lower}${lower.toUpperCase()}`,
		U: `${lower.toUpperCase()}234567`,
	};
	let core = "";
	const text = form.replaceAll(/\{([wdhbaU])(\d+)\}/g, (_, set: string, count: string) => {
		const characters = [...(sets[set] ?? "")];
		const part = Array.from({ length: Number(count) }, () => random.pick(characters)).join("");
		core = part.length > core.length ? part : core;
		return part;
	});
	return { text, core };
}

test("of 58 kinds of secrets in files of six kinds, at least 95 of 100 are found and masked", () => {
	const random = createRandom(14);
	const missed: string[] = [];
	let planted = 0;
	const plant = (kind: string, core: string, file: string): void => {
		planted += 1;
		if (findSecrets(file).length === 0 || maskSecrets(file).includes(core)) {
			missed.push(kind);
		}
	};
	for (let round = 0; round < 20; round += 1) {
		for (const [kind, form] of Object.entries(forms)) {
			const { text, core } = made(form, random);
			plant(kind, core, random.pick(frames)(text));
		}
		for (const [kind, form] of Object.entries(assigned)) {
			const { text, core } = made(form, random);
			plant(kind, core, `first = 1\n${text}\nlast = 2\n`);
		}
	}
	expect(Object.keys({ ...forms, ...assigned })).toHaveLength(58);
	expect(missed.length / planted, missed.join(" ")).toBeLessThanOrEqual(0.05);
});

const modules = resolve(import.meta.dirname, "../../../node_modules");

test("of 5,000 ordinary source files, at most one in a hundred is taken to hold a secret", () => {
	const files = readdirSync(modules, { recursive: true, withFileTypes: true })
		.filter(entry => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name))
		.filter(path => /\.(?:[cm]?[jt]s|json|md|css|py|ya?ml|html|sh)$/.test(path))
		.filter(path => statSync(path).size < 200_000)
		.sort();
	const step = Math.max(1, Math.floor(files.length / 5000));
	const chosen = files.filter((_, index) => index % step === 0).slice(0, 5000);
	// A user is asked for a name as well as for what is in it.
	const asked = chosen.filter(
		path =>
			secretRule(relative(modules, path)) !== undefined ||
			findSecrets(readFileSync(path, "utf8")).length > 0,
	);
	expect(chosen).toHaveLength(5000);
	expect(asked.length / chosen.length, asked.join("\n")).toBeLessThanOrEqual(0.01);
}, 60_000);

test.each([
	"const password = await readPassword();",
	"password: string;",
	"token = process.env.API_TOKEN",
	"API_KEY=${API_KEY}",
	"API_KEY=your-api-key-here",
	'placeholder="Enter your password"',
	"AKIAIOSFODNN7EXAMPLE",
	"const header = '-----BEGIN PRIVATE KEY-----';",
	"https://user:password@example.com",
	"sha512-9f1c0c9e3a6f8a",
])("%s is no secret", text => {
	expect(findSecrets(text)).toEqual([]);
});

test("what is masked keeps the lines around it and their number", () => {
	const { text: secret } = made("{b64}\n{b64}", createRandom(1));
	const text = `a\n-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----\nb\n`;
	expect(maskSecrets(text)).toBe("a\n[masked]\n[masked]\n[masked]\n[masked]\nb\n");
	expect(maskSecrets("nothing\nhere")).toBe("nothing\nhere");
});

/** How many measurements there are, and the CPU time in microseconds that one takes at least. */
const measurements = 5;
const measurementTime = 10_000;

/** CPU time of looking at a text so many times, in microseconds; what else the machine does counts little. */
function cpuTimeOf(text: string, count: number): number {
	const before = process.cpuUsage();
	for (let index = 0; index < count; index += 1) {
		findSecrets(text);
	}
	const { user, system } = process.cpuUsage(before);
	return user + system;
}

function median(values: readonly number[]): number {
	return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}

test.each([
	"-----BEGIN PRIVATE KEY-----",
	"-----BEGIN PRIVATE KEY-----\n",
	"password",
	"password=",
	"password = 'a",
	"token-",
	"eyJ",
	"eyJ-",
	"eyJaaaaaaaaaaaaaaaaaaa.",
	"ghp_",
	"://a:",
	"Bearer a",
	"a",
	"a-",
	"0:AA",
])("four times as much of %j repeated takes at most four and a half times as long", piece => {
	const short = piece.repeat(Math.ceil(12_500 / piece.length));
	// Two steps of four at once, with as much text on either side, tell growth from chance.
	const long = short.repeat(16);
	cpuTimeOf(short, 16);
	const looks = Math.ceil(measurementTime / Math.max(1000, cpuTimeOf(long, 1)));
	const growths = Array.from({ length: measurements }, () =>
		Math.sqrt((16 * cpuTimeOf(long, looks)) / cpuTimeOf(short, 16 * looks)),
	);
	expect(median(growths)).toBeLessThanOrEqual(4.5);
});

test("beginnings of tokens in a row take at most thirty times as long as plain words", () => {
	const plain = cpuTimeOf("a.b ".repeat(250_000), 3);
	expect(cpuTimeOf("eyJ-".repeat(250_000), 3)).toBeLessThan(30 * plain);
});

test.each([
	"DATABASE_URL=postgres://postgres:postgres@localhost:5432/app",
	"mysql://root:root@127.0.0.1:3306/x",
	"amqp://guest:guest@localhost",
	"http://admin:admin@localhost:8080",
	"postgres://app:app@db:5432/app",
	"redis://default:Str0ng.Words@[::1]:6379",
	"mongodb://root:Str0ng.Words@host.docker.internal/x",
	"postgres://app:Str0ng.Words@api.localhost/x",
])("the password of the machine's own server is no secret: %s", text => {
	expect(findSecrets(text)).toEqual([]);
});

test.each([
	"postgres://app:Str0ng.Words@db.example.org/x",
	"postgres://app:Str0ng.Words@localhost.example.org/x",
	"postgres://app:Str0ng.Words@127.0.0.1.example.org/x",
	"postgres://app:Str0ng.Words@mylocalhost/x",
	"https://:Str0ng.Words@db.internal/x",
])("a password of another machine is a secret: %s", text => {
	expect(findSecrets(text.replace("example.org", "acme.org")).map(({ kind }) => kind)).toEqual([
		"password",
	]);
	expect(maskSecrets(text.replace("example.org", "acme.org"))).toContain(":[masked]@");
});
