import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { bareWords } from "../host/bareWords.ts";
import { sourceFiles, stringModules, stringUses } from "../../scripts/strings.ts";

const root = resolve(import.meta.dirname, "../..");

const readJson = (file: string): unknown => JSON.parse(readFileSync(join(root, file), "utf8"));
const bundleSchema = z.record(z.string(), z.string().check(z.minLength(1)));

test("every sentence is one literal, looked up when it is shown, with a value for each of its places", () => {
	const faulty = stringUses(sourceFiles(stringModules)).filter(({ faults }) => faults.length > 0);
	expect(faulty).toEqual([]);
});

test("English sentences quote as English does", () => {
	const sentences = bundleSchema.parse(readJson("l10n/bundle.l10n.json"));
	const words = z.record(z.string(), z.string()).parse(readJson("package.nls.json"));
	const quoted = [...Object.keys(sentences), ...Object.values(words)];
	expect(quoted.filter(sentence => /[«»„]/.test(sentence))).toEqual([]);
});

/** Rooms whose words are for people; `src/tools` speaks to models and the local service's demo speaks English. */
const spokenRooms = [
	"src/attachments",
	"src/chat",
	"src/client",
	"src/common",
	"src/editor",
	"src/paths",
	"src/shared",
	"src/storage",
	"src/ui",
	"src/video",
	"media",
] as const;

/** English on purpose, by how the words begin, with the files they are in. */
const englishOnPurpose: readonly {
	readonly why: string;
	readonly files: RegExp;
	readonly words: RegExp;
}[] = [
	{ why: "the name of a model", files: /^src\/common\/modelSetup\.ts/, words: /^Qwen/ },
	{
		why: "the name of a model",
		files: /^media\/chat\/widgets\/modelName\.ts/,
		words: /^LLM [\d.]+ Turbo$/,
	},
	{
		why: "a model reads it",
		files:
			/^(?:src\/chat\/chatRequest|src\/chat\/toolLoop\/(?:toolLoop|toolMessages)|src\/attachments\/contract\/turnAttachment|src\/editor\/(?:applyChanges|gitChanges|gitExtension)|src\/paths\/pathForm|src\/attachments\/files\/skills|src\/ui\/tools\/(?:chatTools|externalTools|languageModelTools|toolPlace))\.ts/,
		words:
			/^(?:A file changed meanwhile|A name in the path|Attached: |Device paths|Error: |Git is not there|Instructions of this project|Network paths|Skills, each a file|No folder is open|The editor('s Git extension| refused)|The (?:path|tool|user|workspace) |Your last message was cut off)/,
	},
	{ why: "a model reads it", files: /^src\/ui\/scm\/commitQuestion\.ts/, words: /^/ },
	{
		why: "the test prompt, which a model reads",
		files: /^src\/ui\/models\/diagnoseModels\.ts/,
		words: /^Answer with the one word/,
	},
	{
		why: "a model reads it",
		files: /^src\/video\/storyboard\/sceneDocument\.ts/,
		words: /^(?:Make a storyboard|Begin each|Below that|Answer with)/,
	},
	{
		why: "a document, whose form is the same in every language",
		files: /^src\/video\/storyboard\/sceneDocument\.ts/,
		words: /^Storyboard: /,
	},
	{
		why: "a mistake of ours, which the log may hold and nobody is shown",
		files:
			/^(?:media\/(?:chat|gallery)\/main|media\/chat\/markdown\/stream\/inlineFrames|media\/video\/main|src\/chat\/(?:conversation|chatRequest)|src\/chat\/contract\/turn|src\/common\/(?:errors|disposable)|src\/storage\/(?:fileSystem|folderWatch)|src\/ui\/connection\/secrets|src\/video\/job\/account|src\/attachments\/[\w/]+|src\/client\/transport\/[\w/]+)\.ts/,
		words:
			/^(?:A folder |A listener |A request needs|An (?:event listener|upload is)|Message … started|No address$|Nothing is read|Only what was|Pasted bytes|The (?:disk took|file was deleted|key (?:is|store)|page has|root frame)|There is no (?:message|turn)|Un(?:expected value|known content))/,
	},
	{
		why: "a format of others",
		files: /^(?:src\/attachments\/files\/fileFormat|src\/client\/files)\.ts/,
		words: /^(?:Content-|SQLite )/,
	},
	{
		why: "the local service's demo understands English",
		files: /^src\/ui\/app\/suggestions\.ts/,
		words: /^Show a sample edit/,
	},
	{
		why: "names: of themes",
		files: /^src\/ui\/clipLooks\/themeColors\.ts/,
		words: /^(?:Dark|Light) Modern$/,
	},
	{
		why: "a name: of a server",
		files: /^src\/common\/videoEngines\.ts/,
		words: /^(?:OpenRouter|ComfyUI) \(/,
	},
	{
		why: "names: of providers and programs",
		files: /^src\/ui\/models\/(?:modelProviders|modelRows)\.ts/,
		words: /^(?:LM Studio|\w+)$/,
	},
	{
		why: "a name: of the extension, of a file on disk",
		files:
			/^(?:src\/ui\/video\/views\/videoStatusBarPicture|src\/video\/download\/videoFileName)\.ts/,
		words: /^(?:Cutaway|Video)\b/,
	},
];

test("no words for a user pass by the strings of their language", () => {
	const found = bareWords(sourceFiles(spokenRooms)).filter(
		({ place, words }) =>
			!englishOnPurpose.some(allowed => allowed.files.test(place) && allowed.words.test(words)),
	);
	expect(found).toEqual([]);
});

/** Fields of the manifest that VS Code shows, wherever they are. */
const shownFields: ReadonlySet<string> = new Set([
	"title",
	"shortTitle",
	"label",
	"description",
	"markdownDescription",
	"enumDescriptions",
	"markdownEnumDescriptions",
	"enumItemLabels",
	"patternErrorMessage",
	"markdownDeprecationMessage",
	"deprecationMessage",
	"altText",
	"contents",
	"contextualTitle",
	"accessibilityHelpContent",
	"displayName",
	"userDescription",
]);

/** The name is the same in every language. */
const name = "Cutaway";

/** Words of the manifest in fields that are shown; a tool's schema is for models. */
function shownWords(value: unknown, path: readonly string[]): [string, string][] {
	const field = path.findLast(part => Number.isNaN(Number(part))) ?? "";
	if (typeof value === "string") {
		const isViewName = path.includes("views") && field === "name";
		return shownFields.has(field) || isViewName ? [[path.join("."), value]] : [];
	}
	if (typeof value !== "object" || value === null || field === "inputSchema") {
		return [];
	}
	return Object.entries(value).flatMap(([key, inner]) => shownWords(inner, [...path, key]));
}

test("the manifest takes every word that VS Code shows from package.nls.json, and nothing there is left over", () => {
	const words = shownWords(readJson("package.json"), []).filter(([, word]) => word !== name);
	expect(words.filter(([, word]) => !/^%[^%]+%$/.test(word))).toEqual([]);
	expect(Object.keys(z.parse(bundleSchema, readJson("package.nls.json"))).toSorted()).toEqual(
		[...new Set(words.map(([, word]) => word.slice(1, -1)))].toSorted(),
	);
});

test("Spanish says usted throughout, except in questions to the model", () => {
	const familiar =
		/(?<![\p{L}])(?:tú|tus?|contigo|elijas|inténtalo|lees)(?![\p{L}])|(?:^|[.] )Elige /iu;
	const words = ["l10n/bundle.l10n.es.json", "package.nls.es.json"].flatMap(file =>
		Object.values(z.parse(bundleSchema, readJson(file))),
	);
	expect(words.filter(word => familiar.test(word))).toEqual([]);
});
