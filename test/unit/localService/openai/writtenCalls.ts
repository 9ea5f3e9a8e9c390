/** A form in which models write calls, as a server without its parser passes them on. */
export interface WrittenSample {
	readonly name: string;
	/** `read_file` with the path `a.ts`. */
	readonly call: string;
	/** The same, and `list_files` with the path `src`, the line 2 and `all`. */
	readonly calls: string;
	/** The marks of a call around what can't be read. */
	readonly broken?: string;
	/** The marks at the end of `call` that may be cut. */
	readonly closings?: string;
	/** Whether the calls are the whole answer. */
	readonly isWhole?: boolean;
}

const a = '{"name":"read_file","arguments":{"path":"a.ts"}}';
const b = '{"name":"list_files","arguments":{"path":"src","line":2,"all":true}}';
const inputA = '{"path":"a.ts"}';
const inputB = '{"path":"src","line":2,"all":true}';
const pythonA = 'read_file(path="a.ts")';
const pythonB = "list_files(path='src', line=2, all=True)";

/** DeepSeek's marks, in older and newer spelling. */
function dsml(mark: string, section: string): WrittenSample {
	const [open, close] = [`<${mark}`, `</${mark}`];
	const parameter = (name: string, isText: boolean, value: string): string =>
		`${open}parameter name="${name}" string="${isText}">${value}${close}parameter>\n`;
	const invoke = (name: string, parameters: string): string =>
		`${open}invoke name="${name}">\n${parameters}${close}invoke>\n`;
	const first = invoke("read_file", parameter("path", true, "a.ts"));
	const second = invoke(
		"list_files",
		parameter("path", true, "src") +
			parameter("line", false, "2") +
			parameter("all", false, "true"),
	);
	return {
		name: `DeepSeek with ${open}${section}>`,
		call: `${open}${section}>\n${first}${close}${section}>`,
		calls: `${open}${section}>\n${first}${second}${close}${section}>`,
		broken: `${open}${section}>\n${open}invoke name="read_file">\n${open}parameter name="path" a.ts`,
		closings: `${close}${section}>`,
	};
}

function around(opening: string, closing: string, name: string): WrittenSample {
	return {
		name,
		call: `${opening}[${a}]${closing}`,
		calls: `${opening}[${a}, ${b}]${closing}`,
		broken: `${opening}[{"name":"read_file","arguments":{"path"${closing}`,
		closings: closing,
	};
}

function json(opening: string, closing: string, name: string): WrittenSample {
	return {
		name,
		call: `${opening}${a}${closing}`,
		calls: `${opening}${a}${closing}\n${opening}${b}${closing}`,
		broken: `${opening}{"name":"read_file","arguments":{"path"${closing}`,
		closings: closing,
	};
}

const tagged = (name: string, inputs: Readonly<Record<string, string>>): string =>
	`<function=${name}>\n${Object.entries(inputs)
		.map(([key, value]) => `<parameter=${key}>\n${value}\n</parameter>\n`)
		.join("")}</function>\n`;
const listed = (name: string, inputs: Readonly<Record<string, string>>): string =>
	`<tool_call>${name}\n${Object.entries(inputs)
		.map(([key, value]) => `<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>\n`)
		.join("")}</tool_call>`;
const inputs = { path: "src", line: "2", all: "true" };

function xml(name: string, opening: string, closing: string): WrittenSample {
	const first = tagged("read_file", { path: "a.ts" });
	return {
		name,
		call: `${opening}\n${first}${closing}`,
		calls: `${opening}\n${first}${closing}\n${opening}\n${tagged("list_files", inputs)}${closing}`,
		broken: `${opening}\n<function=read_file>\n<parameter=path a.ts\n</function>\n${closing}`,
		closings: closing,
	};
}

function deepSeek(name: string, start: string, between: string, end: string): WrittenSample {
	const one = `<｜tool▁call▁begin｜>${start}read_file${between}${inputA}${end}<｜tool▁call▁end｜>`;
	const other = `<｜tool▁call▁begin｜>${start}list_files${between}${inputB}${end}<｜tool▁call▁end｜>`;
	return {
		name,
		call: `<｜tool▁calls▁begin｜>${one}<｜tool▁calls▁end｜>`,
		calls: `<｜tool▁calls▁begin｜>${one}\n${other}<｜tool▁calls▁end｜>`,
		broken: `<｜tool▁calls▁begin｜>${one.replace('"}', "")}<｜tool▁calls▁end｜>`,
		closings: "<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
	};
}

const invoke = (name: string, values: Readonly<Record<string, string>>, prefix = ""): string =>
	`<${prefix}invoke name="${name}">\n${Object.entries(values)
		.map(([key, value]) => `<${prefix}parameter name="${key}">${value}</${prefix}parameter>\n`)
		.join("")}</${prefix}invoke>\n`;

/** GLM's marks as Hunyuan 3 and K2 Horizon write them, with marks around all calls. */
function inSection(name: string, change: (call: string) => string): WrittenSample {
	const one = listed("read_file", { path: "a.ts" });
	const end = change("</tool_call>\n</tool_calls>");
	return {
		name,
		call: change(`<tool_calls>\n${one}\n</tool_calls>`),
		calls: change(`<tool_calls>\n${one}\n${listed("list_files", inputs)}\n</tool_calls>`),
		broken: change(`<tool_calls>\n${one.replace("<arg_value>", "<arg_val>")}\n</tool_calls>`),
		closings: end.slice(end.indexOf("\n")),
	};
}

const kimiArgument = (key: string, type: string, value: string): string =>
	`<|open|>argument key="${key}" type="${type}"<|sep|>${value}<|close|>argument<|sep|>`;
const kimiCall = (name: string, index: number, values: string): string =>
	`<|open|>call tool="${name}" index="${index}"<|sep|>${values}<|close|>call<|sep|>`;
const kimiFirst = kimiCall("read_file", 1, kimiArgument("path", "string", "a.ts"));
const kimiSecond = kimiCall(
	"list_files",
	2,
	kimiArgument("path", "string", "src") +
		kimiArgument("line", "number", "2") +
		kimiArgument("all", "boolean", "true"),
);
const kimiTools = (calls: string): string => `<|open|>tools<|sep|>${calls}<|close|>tools<|sep|>`;
const solar = (name: string, input: string): string =>
	`<|tool_call:begin|>a1b2<|tool_call:name|>${name}<|tool_call:args|>${input}<|tool_call:end|>`;
const miniCpm = (name: string, values: Readonly<Record<string, string>>): string =>
	`<function name="${name}">${Object.entries(values)
		.map(([key, value]) => `<param name="${key}">${value}</param>`)
		.join("")}</function>`;
const inkling = (name: string, input: string): string =>
	`<|message_model|>${name}<|content_invoke_tool_json|>{"name":"${name}","args":${input}}<|end_message|>`;

const miniMaxToken = "]<]minimax[>[";
const miniMax = (name: string, values: Readonly<Record<string, string>>): string =>
	`${miniMaxToken}<invoke name="${name}">${Object.entries(values)
		.map(([key, value]) => `${miniMaxToken}<${key}>${value}${miniMaxToken}</${key}>`)
		.join("")}${miniMaxToken}</invoke>\n`;

export const written: readonly WrittenSample[] = [
	...[miniMaxToken, ""].map(first => ({
		name: `MiniMax M3${first === "" ? " without its first token" : ""}`,
		call: `${first}<tool_call>\n${miniMax("read_file", { path: "a.ts" })}${miniMaxToken}</tool_call>`,
		calls: `${first}<tool_call>\n${miniMax("read_file", { path: "a.ts" })}${miniMax("list_files", inputs)}${miniMaxToken}</tool_call>`,
		broken: `${first}<tool_call>\n${miniMaxToken}<invoke name="read_file">${miniMaxToken}<path>a.ts${miniMaxToken}</tool_call>`,
		closings: `${miniMaxToken}</tool_call>`,
	})),
	dsml("｜DSML｜", "function_calls"),
	dsml("｜DSML｜", "tool_calls"),
	dsml("｜｜DSML｜｜", "function_calls"),
	dsml("｜DSML｜ ", "calls"),
	dsml("｜GCML｜", "tool_calls"),
	deepSeek("DeepSeek V3.1", "", "<｜tool▁sep｜>", ""),
	deepSeek("DeepSeek V3 and R1", "function<｜tool▁sep｜>", "\n```json\n", "\n```"),
	...["minimax:tool_call", "function_calls", "antml:function_calls", "dots_function_call"].map(
		section => {
			const prefix = section.startsWith("antml:") ? "antml:" : "";
			const one = invoke("read_file", { path: "a.ts" }, prefix);
			const other = invoke("list_files", inputs, prefix);
			return {
				name: `calls in <${section}>`,
				call: `<${section}>\n${one}</${section}>`,
				calls: `<${section}>\n${one}${other}</${section}>`,
				broken: `<${section}>\n${one.replace('path">', "path ")}</${section}>`,
				closings: `</${section}>`,
			};
		},
	),
	{
		name: "calls with a prefix and without marks around them",
		call: invoke("read_file", { path: "a.ts" }, "antml:").trim(),
		calls:
			invoke("read_file", { path: "a.ts" }, "antml:") +
			invoke("list_files", inputs, "antml:").trim(),
	},
	{
		name: "Kimi K2",
		call: `<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>${inputA}<|tool_call_end|><|tool_calls_section_end|>`,
		calls: `<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>${inputA}<|tool_call_end|><|tool_call_begin|>functions.list_files:1<|tool_call_argument_begin|>${inputB}<|tool_call_end|><|tool_calls_section_end|>`,
		broken:
			'<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path"<|tool_call_end|>',
		closings: "<|tool_call_end|><|tool_calls_section_end|>",
	},
	{
		name: "Gemma 4",
		call: '<|tool_call>call:read_file{path:<|"|>a.ts<|"|>}<tool_call|>',
		calls:
			'<|tool_call>call:read_file{path:<|"|>a.ts<|"|>}<tool_call|><|tool_call>call:list_files{path:"src",line:2,all:true}<tool_call|>',
		broken: '<|tool_call>call:read_file{path:<|"|>a.ts}<tool_call|>',
		closings: "<tool_call|>",
	},
	{
		name: "FunctionGemma",
		call: "<start_function_call>call:read_file{path:<escape>a.ts<escape>}<end_function_call>",
		calls:
			"<start_function_call>call:read_file{path:<escape>a.ts<escape>}<end_function_call><start_function_call>call:list_files{path:<escape>src<escape>,line:2,all:true}<end_function_call>",
		broken: "<start_function_call>call:read_file{path:<escape>a.ts}<end_function_call>",
		closings: "<end_function_call>",
	},
	around("<|tool_call|>", "", "Granite 3"),
	around("<|tool_call|>", "<|/tool_call|>", "Phi-4"),
	around("<tool_calls>", "</tool_calls>", "Hunyuan and Jamba"),
	around("<TOOLCALL>", "</TOOLCALL>", "Nemotron"),
	{
		name: "Cohere",
		call: '<|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "read_file", "parameters": {"path": "a.ts"}}\n]<|END_ACTION|>',
		calls: `<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "read_file", "parameters": ${inputA}}, {"tool_call_id": "1", "tool_name": "list_files", "parameters": ${inputB}}]<|END_ACTION|>`,
		broken: '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": read_file}]<|END_ACTION|>',
		closings: "<|END_ACTION|>",
	},
	json("<tool_calls>\n", "\n</tool_calls>", "MiniMax M1"),
	json("<function_call>", "</function_call>", "Granite 20B"),
	json("<|action_start|><|plugin|>", "<|action_end|>", "InternLM"),
	json("<|message_sep|>function call<|role_sep|>\n", "", "GigaChat 3"),
	json("<|function_call|>", "", "GigaChat 3 in short"),
	around("<|tool_call_start|>", "<|tool_call_end|>", "Pangu"),
	{
		name: "Apertus",
		call: `<|tools_prefix|>[{"read_file": ${inputA}}]<|tools_suffix|>`,
		calls: `<|tools_prefix|>[{"read_file": ${inputA}}, {"list_files": ${inputB}}]<|tools_suffix|>`,
		closings: "<|tools_suffix|>",
	},
	inSection("Hunyuan 3", text =>
		text
			.replaceAll(/(<tool_call>\w+)\n/g, "$1<tool_sep>\n")
			.replaceAll(/<\/?\w+/g, "$&:opensource"),
	),
	inSection("Hunyuan 4", text =>
		text.replaceAll(/(<tool_call>\w+)\n/g, "$1").replaceAll(/<\/?\w+/g, "$&:6124c78e"),
	),
	inSection("K2 Horizon", text => text.replaceAll(/<(\/?)/g, "<$1ifm|")),
	{
		name: "Kimi K3",
		call: kimiTools(kimiFirst),
		calls: kimiTools(kimiFirst + kimiSecond),
		broken: kimiTools(kimiFirst.replace('key="path"', "path")),
		closings: "<|close|>tools<|sep|>",
	},
	{
		name: "Kimi K3 behind its answer",
		call: `<|close|>response<|sep|>${kimiTools(kimiFirst)}<|close|>message<|sep|>`,
		calls: `<|close|>response<|sep|>${kimiTools(kimiFirst + kimiSecond)}`,
	},
	{
		name: "MiniCPM 5",
		call: miniCpm("read_file", { path: "<![CDATA[a.ts]]>" }),
		calls: `${miniCpm("read_file", { path: "a.ts" })}\n${miniCpm("list_files", inputs)}`,
		broken: miniCpm("read_file", { path: "a.ts" }).replace('path">', "path "),
	},
	{
		name: "Solar Open",
		call: `<|begin|>assistant<|tool_calls|>${solar("read_file", inputA)}<|calls|>`,
		calls: `<|tool_calls|>${solar("read_file", inputA)}${solar("list_files", inputB)}`,
		broken: `<|tool_calls|>${solar("read_file", '{"path"')}`,
	},
	{
		name: "Inkling",
		call: inkling("read_file", inputA),
		calls: inkling("read_file", inputA) + inkling("list_files", inputB),
		broken: inkling("read_file", '{"path"'),
		closings: "<|end_message|>",
	},
	{ name: "Phi-4-mini", call: `functools[${a}]`, calls: `functools[${a}, ${b}]`, isWhole: true },
	{
		name: "Llama 4",
		call: `[${pythonA}]`,
		calls: `[${pythonA}, ${pythonB}]`,
	},
	{
		name: "Llama 4 with its marks",
		call: `<|python_start|>[${pythonA}]<|python_end|>`,
		calls: `<|python_start|>[${pythonA}, ${pythonB}]<|python_end|>`,
		broken: "<|python_start|>[read_file(a.ts)]<|python_end|>",
		closings: "<|python_end|>",
	},
	{
		name: "LFM2",
		call: `<|tool_call_start|>[${pythonA}]<|tool_call_end|>`,
		calls: `<|tool_call_start|>[${pythonA},${pythonB}]<|tool_call_end|>`,
		broken: '<|tool_call_start|>[read_file(path="a.ts]<|tool_call_end|>',
		closings: "<|tool_call_end|>",
	},
	{
		name: "Olmo 3",
		call: `<function_calls>\n${pythonA}\n</function_calls>`,
		calls: `<function_calls>\n${pythonA}\n${pythonB}\n</function_calls>`,
		broken: '<function_calls>\nread_file("a.ts")\n</function_calls>',
		closings: "</function_calls>",
	},
	{
		name: "gpt-oss",
		call: `<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>${inputA}<|call|>`,
		calls: `<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>${inputA}<|call|><|start|>assistant<|channel|>commentary to=functions.list_files <|constrain|>json<|message|>${inputB}<|call|>`,
		broken:
			'<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path"<|call|>',
		closings: "<|call|>",
	},
	{
		name: "Step 3",
		call: `<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="read_file"><steptml:parameter name="path">a.ts</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>`,
		calls: `<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="read_file"><steptml:parameter name="path">a.ts</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="list_files"><steptml:parameter name="path">src</steptml:parameter><steptml:parameter name="line">2</steptml:parameter><steptml:parameter name="all">true</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>`,
		closings: "<｜tool_calls_end｜>",
	},
	xml("Qwen3-Coder", "<tool_call>", "</tool_call>"),
	xml("Seed-OSS", "<seed:tool_call>", "</seed:tool_call>"),
	{
		name: "GLM",
		call: listed("read_file", { path: "a.ts" }),
		calls: `${listed("read_file", { path: "a.ts" })}\n${listed("list_files", inputs)}`,
		broken: "<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_val>a.ts</arg_val>\n</tool_call>",
	},
	json("<tool_call>", "</tool_call>", "Hermes"),
	around("[TOOL_CALLS] ", "", "Mistral"),
	around("[TOOL_CALLS]", "[/TOOL_CALLS]", "Mistral with a mark at the end"),
	{
		name: "one brace too many",
		call: `<tool_call>\n${a}}\n</tool_call>`,
		calls: `<tool_call>\n${a}}\n</tool_call>\n<tool_call>\n${b}\n</tool_call>`,
		closings: "</tool_call>",
	},
	{
		name: "arguments in a string",
		call: `<tool_call>${JSON.stringify({ name: "read_file", arguments: inputA })}</tool_call>`,
		calls: `<tool_call>${JSON.stringify({ name: "read_file", arguments: inputA })}</tool_call><tool_call>${b}</tool_call>`,
	},
	{ name: "bare JSON", call: `[${a}]`, calls: `[${a}, ${b}]`, isWhole: true },
];
