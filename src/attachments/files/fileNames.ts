export interface NamedFormat {
	readonly mimeType: string;
	/** VS Code's language id; undefined for anything but text. */
	readonly language?: string;
	/** Whether it is text with data to process, rather than prose or code. */
	readonly isData?: true;
}

/** Returns a file's format by its name, or undefined if the name doesn't reveal it. */
export function formatOfName(name: string): NamedFormat | undefined {
	const lower = name.toLowerCase();
	const extension = /\.([a-z0-9_+-]+)$/.exec(lower)?.[1] ?? "";
	return wholeNames.get(lower) ?? extensions.get(extension);
}

function code(language: string, mimeType = "text/plain"): NamedFormat {
	return { mimeType, language };
}

function data(mimeType: string, language?: string): NamedFormat {
	return { mimeType, isData: true, language };
}

const wholeNames: ReadonlyMap<string, NamedFormat> = new Map([
	["dockerfile", code("dockerfile")],
	["makefile", code("makefile")],
	["cmakelists.txt", code("cmake")],
]);

const office = "application/vnd.openxmlformats-officedocument";

/** MIME types registered with IANA. Source code without a registered type is `text/plain`. */
const extensions: ReadonlyMap<string, NamedFormat> = new Map(
	Object.entries<NamedFormat>({
		c: code("c", "text/x-c"),
		h: code("c", "text/x-c"),
		cc: code("cpp"),
		cpp: code("cpp"),
		hpp: code("cpp"),
		cs: code("csharp"),
		css: code("css", "text/css"),
		dart: code("dart"),
		diff: code("diff"),
		patch: code("diff"),
		ex: code("elixir"),
		go: code("go"),
		html: code("html", "text/html"),
		htm: code("html", "text/html"),
		java: code("java"),
		js: code("javascript", "text/javascript"),
		cjs: code("javascript", "text/javascript"),
		mjs: code("javascript", "text/javascript"),
		jsx: code("javascriptreact", "text/javascript"),
		jl: code("julia"),
		kt: code("kotlin"),
		less: code("less"),
		lua: code("lua"),
		log: code("log"),
		md: code("markdown", "text/markdown"),
		php: code("php"),
		pl: code("perl"),
		ps1: code("powershell"),
		py: code("python", "text/x-python"),
		r: code("r"),
		rb: code("ruby"),
		rs: code("rust"),
		scala: code("scala"),
		scss: code("scss"),
		sh: code("shellscript", "application/x-sh"),
		bash: code("shellscript", "application/x-sh"),
		sql: code("sql", "application/sql"),
		svelte: code("svelte"),
		swift: code("swift"),
		tex: code("latex"),
		toml: code("toml", "application/toml"),
		ts: code("typescript"),
		mts: code("typescript"),
		cts: code("typescript"),
		tsx: code("typescriptreact"),
		txt: code("plaintext"),
		vue: code("vue"),
		yaml: code("yaml", "application/yaml"),
		yml: code("yaml", "application/yaml"),
		ini: code("ini"),
		xml: code("xml", "application/xml"),
		svg: code("xml", "image/svg+xml"),
		json: code("json", "application/json"),
		jsonc: code("jsonc", "application/json"),
		csv: data("text/csv", "csv"),
		tsv: data("text/tab-separated-values", "tsv"),
		jsonl: data("application/jsonl", "jsonl"),
		ndjson: data("application/x-ndjson", "jsonl"),
		geojson: data("application/geo+json", "json"),
		ipynb: data("application/x-ipynb+json", "json"),
		docx: { mimeType: `${office}.wordprocessingml.document` },
		xlsx: { mimeType: `${office}.spreadsheetml.sheet` },
		pptx: { mimeType: `${office}.presentationml.presentation` },
		odt: { mimeType: "application/vnd.oasis.opendocument.text" },
		ods: { mimeType: "application/vnd.oasis.opendocument.spreadsheet" },
		odp: { mimeType: "application/vnd.oasis.opendocument.presentation" },
		epub: { mimeType: "application/epub+zip" },
		jar: { mimeType: "application/java-archive" },
		doc: { mimeType: "application/msword" },
		xls: { mimeType: "application/vnd.ms-excel" },
		ppt: { mimeType: "application/vnd.ms-powerpoint" },
		npy: { mimeType: "application/x-npy" },
		feather: { mimeType: "application/vnd.apache.arrow.file" },
		arrow: { mimeType: "application/vnd.apache.arrow.file" },
		tar: { mimeType: "application/x-tar" },
		wasm: { mimeType: "application/wasm" },
	}),
);
