/** File extensions of languages that differ from the language's name. */
const endings: Readonly<Record<string, string>> = {
	bash: "sh",
	"c#": "cs",
	"c++": "cpp",
	csharp: "cs",
	javascript: "js",
	kotlin: "kt",
	markdown: "md",
	perl: "pl",
	plaintext: "txt",
	powershell: "ps1",
	python: "py",
	ruby: "rb",
	rust: "rs",
	shell: "sh",
	text: "txt",
	typescript: "ts",
	yaml: "yml",
};

/** Suggests a file name for a code block. `info` is its info string. */
export function suggestedFileName(info: string): string {
	const [, language = ""] = /^\s*([\w+#-]+)/.exec(info) ?? [];
	const name = language.toLowerCase();
	const ending = endings[name] ?? (/^[a-z]\w{0,4}$/.test(name) ? name : "txt");
	return `untitled.${ending}`;
}
