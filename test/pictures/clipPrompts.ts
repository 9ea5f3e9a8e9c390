import type { ClipPrompt } from "./clipSheet.ts";

const fence = (info: string, code: string): string => `\`\`\`${info}\n${code}\n\`\`\``;

const queue = `export class Queue<T> {
	private readonly items: T[] = [];
	private waiting: ((item: T) => void)[] = [];

	push(item: T): void {
		const next = this.waiting.shift();
		if (next) {
			next(item);
		} else {
			this.items.push(item);
		}
	}

	async pop(): Promise<T> {
		const item = this.items.shift();
		return item ?? new Promise(resolve => this.waiting.push(resolve));
	}
}`;

const long = Array.from(
	{ length: 60 },
	(_, index) => `const value${index} = compute(${index}, "step ${index}"); // line ${index + 1}`,
).join("\n");

const wide = `const message = await client.chat({ model: "large", temperature: 0.2, messages: [{ role: "user", content: "Explain this in a sentence" }] });`;

const diff = `diff --git a/src/total.ts b/src/total.ts
index 3f1a2b4..9c0d1e2 100644
--- a/src/total.ts
+++ b/src/total.ts
@@ -1,9 +1,10 @@
 import { round } from "./round.ts";

-export function total(prices: number[]): number {
-\tlet sum = 0;
-\tfor (const price of prices) {
-\t\tsum += price;
-\t}
-\treturn round(sum);
+export function total(items: readonly Item[]): number {
+\tconst prices = items.map(item => item.price);
+\treturn round(prices.reduce((sum, price) => sum + price, 0));
 }
`;

const manyHunks = Array.from(
	{ length: 12 },
	(_, index) => `@@ -${index * 20 + 1},5 +${index * 20 + 1},5 @@ function part${index}() {
 	const before = ${index};
-	return compute(before);
+	return compute(before, ${index});
 	// the end of part ${index}`,
).join("\n");

const oneLine = 'const user = createUser({ name: "Ada", role: "admin" }, options);';
const severalLines = `const user = createUser(
	{
		name: "Ada",
		role: "admin",
	},
	options,
);`;
const signed = (sign: string, text: string): string => text.replaceAll(/^/gm, sign);
const broken = `${signed("-", oneLine)}\n${signed("+", severalLines)}\n save(user);`;
const joined = `${signed("-", severalLines)}\n${signed("+", oneLine)}\n save(user);`;

/** Clips of every kind of prompt. */
export const clipPrompts: readonly ClipPrompt[] = [
	{ name: "a sentence", prompt: "A lighthouse at dusk, waves breaking slowly against the rocks" },
	{ name: "two words, calm", prompt: "Ship it.", motionStrength: 1 },
	{ name: "code, calm", prompt: fence("ts", queue), motionStrength: 1 },
	{ name: "one line of code", prompt: fence("ts", "const answer = 42;") },
	{ name: "focus on some lines", prompt: fence("ts {5-9,15}", queue) },
	{ name: "focus far down", prompt: fence("js {41-44}", long), duration: 3 },
	{ name: "focus in two places", prompt: fence("js {3,52-54}", long), duration: 4 },
	{ name: "focus on a broken line", prompt: fence("ts {2}", `let a;\n${wide}\nlet b;`) },
	{ name: "focus on the first line", prompt: fence("python {1}", "import os\nprint(os.getcwd())") },
	{ name: "typing: code at motion 5", prompt: fence("ts", queue), motionStrength: 5, duration: 4 },
	{
		name: "typing: a line at motion 5",
		prompt: fence("ts", "const answer = 42;"),
		motionStrength: 5,
	},
	{
		name: "terminal: a session",
		prompt: fence(
			"console",
			"$ git switch -c fix/total\nSwitched to a new branch 'fix/total'\n$ npm test -- --watch=false\n\n ✓ total adds prices (3 ms)\n ✓ total of nothing is zero (1 ms)\n\nTests: 2 passed, 2 total\n$ git push",
		),
		duration: 3,
	},
	{
		name: "terminal: bash with prompts",
		prompt: `Install it\n${fence("bash", "$ npm install --global cutaway\nadded 12 packages in 2s\n$ cutaway --version\n1.0.0")}`,
	},
	{
		name: "terminal: longer than the window",
		prompt: fence(
			"shell-session",
			`user@host:~/app$ ls -1\n${Array.from({ length: 40 }, (_, index) => `file-${index}.txt`).join("\n")}\nuser@host:~/app$ exit`,
		),
	},
	{
		name: "terminal: long lines",
		prompt: fence("terminal", `PS C:\\Users\\ada> ${wide}\n${"output ".repeat(30)}`),
	},
	{
		name: "bash without prompts",
		prompt: fence("bash", 'set -e\nfor file in *.txt; do\n  wc -l "$file"\ndone'),
	},
	{ name: "change: a diff", prompt: fence("diff", diff), duration: 3 },
	{ name: "change: a bare diff", prompt: diff },
	{
		name: "change: two blocks",
		prompt: `Callbacks become promises\n${fence("js", 'fs.readFile(path, "utf8", (error, text) => {\n  if (error) throw error;\n  show(text);\n});')}\n${fence("js", 'const text = await fs.readFile(path, "utf8");\nshow(text);')}`,
		duration: 3,
	},
	{
		name: "change: lines trade places",
		prompt: `${fence("py", "import sys\nimport os\n\ndef main():\n    print(os.getcwd())\n    return 0")}\n${fence("py", "import os\nimport sys\n\ndef main(arguments):\n    print(arguments, os.getcwd())")}`,
	},
	{
		name: "change: a line moves up",
		prompt: fence("diff", "+log.info();\n start(config);\n listen(port);\n-log.info();\n end();"),
		duration: 4,
	},
	{ name: "change: a line is broken into several", prompt: fence("diff", broken), duration: 4 },
	{ name: "change: lines are joined into one", prompt: fence("diff", joined), duration: 4 },
	{ name: "change: more than fits", prompt: fence("diff", manyHunks), duration: 2 },
	{ name: "change: on four pages", prompt: fence("diff", manyHunks), duration: 4 },
	{ name: "change: only additions", prompt: fence("diff", "+const a = 1;\n+const b = 2;") },
	{
		name: "change: long lines",
		prompt: fence(
			"diff",
			` const before = 1;\n-${wide}\n+${wide.replace("large", "small")}\n const after = 2;`,
		),
	},
	{
		name: "change: one word",
		prompt: fence("diff", "-retries = 3\n+retries = 5"),
		motionStrength: 5,
	},
	{
		name: "a title and a list",
		prompt:
			"# Release 2.4\n\n- Clips show how code changes\n- Commands are typed in a terminal\n- Lines that matter stay lit",
	},
	{
		name: "a page of prose",
		prompt: "The keeper climbs the stairs at dusk and lights the lamp. ".repeat(14).trim(),
	},
	{
		name: "more prose than fits",
		prompt: "The keeper climbs the stairs at dusk and lights the lamp. ".repeat(60).trim(),
		duration: 3,
	},
	{
		name: "one long word",
		prompt: "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
	},
	{ name: "an address", prompt: `See https://example.com/${"a-long-path/".repeat(9)}` },
	{ name: "Arabic", prompt: "سفينة من ورق على نهر هادئ عند الفجر" },
	{ name: "Hebrew with a number", prompt: "סירת נייר על נהר שקט, 12 בבוקר" },
	{
		name: "Greek and Cyrillic",
		prompt: "Χάρτινη βάρκα στο ποτάμι. Бумажный кораблик на тихой реке.",
	},
	{
		name: "Japanese",
		prompt: "夕暮れの灯台、波が岩に静かに砕ける。「明日も晴れるだろう」と彼は言った。",
	},
	{
		name: "Chinese with a title",
		prompt: "# 发布说明\n\n剪辑现在可以显示代码如何变化，终端会输入命令，重要的行保持高亮。",
	},
	{ name: "Korean", prompt: "해 질 녘의 등대, 파도가 바위에 조용히 부서진다" },
	{ name: "Hindi", prompt: "शाम के समय प्रकाशस्तंभ, लहरें चट्टानों पर धीरे से टूटती हैं" },
	{ name: "Thai", prompt: "ประภาคารยามพลบค่ำ คลื่นซัดกระทบโขดหินอย่างแผ่วเบา น้ำทะเลใสมาก" },
	{
		name: "a few letters without drawing",
		prompt: "The sign 漢 means China, and 🎉 is a party 🇩🇪",
	},
	{ name: "nothing but blanks", prompt: "   " },
	{ name: "HTML", prompt: '<main class="card">\n  <h1>Hello</h1>\n  <p>World</p>\n</main>' },
	{ name: "JSON", prompt: '{\n  "name": "cutaway",\n  "version": "1.0.0",\n  "private": true\n}' },
	{
		name: "Python with Japanese comments",
		prompt: fence(
			"python",
			"# 合計を計算する\ndef total(prices):\n    return sum(prices)  # 終わり\n\nprint(total([1, 2, 3]))",
		),
	},
	{ name: "code longer than two pages", prompt: fence("js", long), duration: 2 },
	{
		name: "code with tabs and deep blocks",
		prompt: fence(
			"go",
			'func main() {\n\tfor i := 0; i < 3; i++ {\n\t\tif i > 1 {\n\t\t\tfmt.Println("deep", i)\n\t\t}\n\t}\n}',
		),
	},
	{ name: "one line wider than the window", prompt: fence("ts", wide) },
	{
		name: "a caption longer than the title",
		prompt: `${"How does this work, and why is it so long? ".repeat(4)}\n${fence("ts", queue)}`,
	},
	{ name: "an empty line of a diff", prompt: fence("diff", " a();\n \n-\n+b();\n c();") },
	{ name: "focus on everything", prompt: fence("ts {1-99}", queue) },
	{ name: "four thousand letters", prompt: "x".repeat(4000), duration: 4 },
	{ name: "lively prose", prompt: "Waves break against the rocks", motionStrength: 5 },
];
