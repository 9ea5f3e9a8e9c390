import type { LanguageId } from "./language.ts";
import { member, type Reader, reader, variable } from "./reader.ts";

/** Makes the names of a language alike that doesn't distinguish capital letters. */
function folded(read: Reader): Reader {
	return (...head) => {
		const found = read(...head);
		return found && { ...found, name: found.name.toLowerCase() };
	};
}

/** Adds the number of arguments, which is a part of a function's name. */
function withArity(read: Reader): Reader {
	return (head, ...rest) => {
		const found = read(head, ...rest);
		return found && { ...found, parameters: `${arityOf(head)}` };
	};
}

function arityOf(head: string): number {
	const open = head.indexOf("(");
	const before = open === -1 ? head : head.slice(0, open);
	if (open === -1 || /\b(?:do|when)\b|->|,/.test(before)) {
		return 0;
	}
	let [depth, commas, isEmpty] = [0, 0, true];
	for (const character of head.slice(open + 1)) {
		if (depth === 0 && character === ")") {
			break;
		}
		depth += "([{<".includes(character) ? 1 : ")]}>".includes(character) ? -1 : 0;
		commas += depth === 0 && character === "," ? 1 : 0;
		isEmpty &&= /\s/.test(character);
	}
	return isEmpty ? 0 : commas + 1;
}

/** Creates a reader for lines that are known by a part of them, in one form. */
function keyed(pattern: RegExp, formOf: (key: string) => string): Reader {
	return head => {
		const key = pattern.exec(head)?.[1];
		return key === undefined ? undefined : { kind: "key", name: formOf(key) };
	};
}

/** Readers of single languages. They come before the common ones. */
export const languageReaders: Partial<Record<LanguageId, readonly Reader[]>> = {
	c: [
		reader(/^#\s*define\s+(\w+)/, "value", "#", variable),
		reader(/^(?:typedef\s+)?(?:struct|enum|union)\s+(\w+)\s*\{/, "data"),
	],
	cpp: [
		reader(/^#\s*define\s+(\w+)/, "value", "#", variable),
		reader(/^(TEST(?:_\w+)?\s*\([^)]*\))/, "titled"),
		reader(/^(?:template\s*<.*?>\s*)?(?:class|struct)\s+(\w+)[^;]*\{/, "group"),
	],
	cs: [
		reader(/^(?:[\w\s]*?)\b(?:class|struct|record|interface)\s+(\w+)/, "group"),
		reader(/^(?:file-scoped )?namespace\s+([\w.]+)\s*;/, "value", "namespace "),
	],
	css: [
		reader(/^(@(?:media|supports|layer|container|scope)\b[^{;]*)\{/, "group"),
		reader(/^(@[\w-]+(?![\w-])[^{;:]*)\{/, "data"),
		reader(/^([$@][\w-]+|--[\w-]+)\s*:/, "value", "", variable),
		(head, _, isInGroup) =>
			isInGroup
				? reader(/^([\w-]+)\s*:[^{]*;?$/, "value", "", variable)(head, head, isInGroup)
				: undefined,
		reader(/^([^{;]+)\{/, "data"),
	],
	cmake: [
		folded(reader(/^(?:function|macro)\s*\(\s*(\w+)/i, "value")),
		folded(
			reader(
				/^(?!(?:else|if|end|foreach|while|include|message)\w*\s*\()(\w+\s*\(\s*[\w${}:./-]+)/i,
				"titled",
			),
		),
	],
	csv: [keyed(/^("(?:[^"]|"")*"|[^,;\t]*)/, key => key.replace(/^"(.*)"$/s, "$1"))],
	docker: [
		reader(/^FROM\s+(?:--\S+\s+)?\S+\s+AS\s+(\S+)/i, "key", "FROM "),
		reader(/^FROM\s+(?:--\S+\s+)?((?:[^\s:@]|:\d+\/)+)/i, "key", "FROM "),
		reader(/^((?:ENV|ARG|LABEL)\s+[\w.-]+)/i, "key"),
		reader(/^(CMD|ENTRYPOINT|WORKDIR|USER|EXPOSE|HEALTHCHECK|STOPSIGNAL)\b/i, "key"),
	],
	elixir: [
		reader(/^def(?:module|protocol)\s+([\w.]+)/, "group"),
		reader(/^(defimpl\s+.*?)\s+do$/, "group"),
		withArity(reader(/^def(?:p|macrop?|guardp?|delegate|n|np)?\s+([\w?!]+)/, "value")),
		reader(/^(@\w+)\s/, "value", "", variable),
		reader(/^((?:schema|describe|scope|pipeline|embedded_schema)\b.*?)\s+do$/, "group"),
		reader(/^(field\s+:\w+)/, "value", "", variable),
		reader(/^(defstruct|defexception)\b/, "titled"),
	],
	erlang: [
		withArity(reader(/^([a-z]\w*|'[^']+')\s*\(/, "value")),
		reader(/^-((?:record|define|type|opaque)\(\s*\w+)/, "data", "-"),
		reader(/^-(module|behaviou?r|export)\b/, "key", "-"),
	],
	fortran: [
		folded(reader(/^(?!end\b)(?:[\w() ]*\s)?(?:subroutine|function)\s+(\w+)/i, "value")),
		folded(reader(/^(?:module|program)\s+(\w+)/i, "group")),
	],
	fsharp: [
		reader(/^let\s+(?:(?:rec|inline|private|mutable|internal)\s+)*(\(?[\w'|]+\)?)/, "value"),
		reader(/^(?:type|exception)\s+(?:private\s+)?(?:\([^)]*\)\s*|'\w+\s+)?(\w+)/, "data"),
		reader(/^module\s+(?:rec\s+|type\s+)?([\w.]+)\s*(?::.*)?=/, "group"),
		reader(/^(module|namespace)\s/, "key"),
		reader(/^val\s+(\w+)/, "value", "val "),
	],
	go: [
		reader(/^func\s*\(\s*\w*\s*(\*?\s*\w+(?:\[[^\]]*\])?\s*\)\s*\w+)/, "value"),
		reader(/^type\s+(\w+)/, "data"),
		reader(/^(?:[\w.]+\s+)?("[^"]+")$/, "key"),
	],
	haskell: [
		reader(/^module\s+([\w.]+)/, "key", "module "),
		reader(/^(?:data|newtype|type(?:\s+(?:family|alias))?)\s+(?:instance\s+)?(\w+)/, "data"),
		reader(/^((?:class|instance)\s.*?)\s+where\b/, "titled"),
		reader(/^([a-z_][\w']*)(?:\s+[^=|]*?)?\s*(?:=(?!=)|\||$)/, "value"),
	],
	hcl: [
		reader(/^(locals|terraform)\s*\{/, "group"),
		reader(/^([\w-]+(?:\s+"[^"]*")*)\s*\{/, "titled"),
		reader(/^([\w-]+)\s*=(?!=)/, "value", "", variable),
	],
	groovy: [
		reader(/^(?:[\w\s@]*?)\b(?:class|interface|trait|object|enum)\s+(\w+)/, "group"),
		reader(/^(?:[\w\s]*?)\bpackage\s+([\w.]+)/, "value", "package "),
	],
	html: [
		reader(/^<(script(?=[^>]*\ssrc=)[^>]*)>/, "titled"),
		reader(/^<(html|head|script|style)\b/, "group", "<"),
		reader(/^<[\w-]+[^>]*\sid=["']([^"']+)["']/, "titled", "#"),
		reader(/^<(body|header|main|footer|nav|title|aside|template)\b/, "titled", "<"),
	],
	ignore: [keyed(/^(\S.*)$/, key => key.replace(/^(!?)\/?(.*?)\/?$/, "$1$2"))],
	java: [
		reader(/^(?:[\w\s@]*?)\b(?:class|record|interface|@interface)\s+(\w+)/, "group"),
		reader(/^(?:[\w\s]*?)\bpackage\s+([\w.]+)/, "value", "package "),
	],
	js: [
		reader(/^(?:export\s+)?(?:declare\s+)?(?:abstract\s+)?class\s+(\w+)/, "group"),
		reader(/^(export\s+default)\s+(?!function|class|async|abstract|interface)/, "value"),
		reader(/^(module\.exports(?:\.\w+)?)\s*=/, "value"),
	],
	json: [reader(/^"((?:[^"\\]|\\.)*)"\s*:/, "key"), reader(/^(\{)\s*$/, "group")],
	julia: [
		reader(/^(?:mutable\s+)?struct\s+(\w+)/, "data"),
		reader(/^(?:bare)?module\s+(\w+)/, "group"),
		reader(/^(?:function|macro)\s+([\w.!]+)/, "value"),
		reader(/^([\w.!]+)\([^=]*\)\s*(?:::\s*\w+\s*)?=(?!=)/, "value"),
		reader(/^(?:const\s+|global\s+)?(\w+)\s*=(?!=)/, "value", "", variable),
	],
	kotlin: [
		reader(/^(?:[\w\s]*?)\b(?:class|object|interface)\s+(\w+)/, "group"),
		reader(/^(?:[\w\s]*?)\bfun\s+(?:<[^>]*>\s*)?((?:\w+\.)?(?:\w+|`[^`]+`))/, "value"),
	],
	lisp: [
		reader(/^\((?:ns|in-ns|defpackage|in-package)\s+([^\s()]+)/, "key", "ns "),
		reader(/^\(def\S*\s+(?:\^\S+\s+)*\(?([^\s()]+)/, "value"),
	],
	lua: [
		reader(/^(?:local\s+)?function\s+([\w.:]+)/, "value"),
		reader(/^(?:local\s+)?([\w.]+)\s*=\s*function\b/, "value"),
		reader(/^(?:local\s+)?([\w.]+)\s*=(?!=)/, "value", "", variable),
	],
	make: [
		reader(/^(?:export\s+|override\s+)*([\w.-]+)\s*(?:[:?+!]?=)/, "key", "", variable),
		reader(/^\.PHONY\s*:\s*(\S+)/, "titled", ".PHONY "),
		reader(/^([^:=#\s][^:=#]*?)\s*::?(?!=)/, "key"),
		reader(/^(define\s+\w+)/, "key"),
	],
	matlab: [
		reader(/^function\s+(?:\[?[\w,\s~]*\]?\s*=\s*)?([\w.]+)/, "value"),
		reader(/^classdef\s+(?:\([^)]*\)\s*)?(\w+)/, "group"),
		reader(/^(\w+)\s*=(?!=)/, "value", "", variable),
	],
	pascal: [
		folded(
			reader(/^(?:class\s+)?(?:procedure|function|constructor|destructor)\s+([\w.]+)/i, "value"),
		),
		folded(reader(/^(unit|program|library|interface|implementation)\b/i, "key")),
	],
	perl: [
		reader(/^sub\s+([\w:]+)/, "value"),
		reader(/^package\s+([\w:]+)\s*;/, "value", "package "),
		reader(/^(?:my|our|local)\s+([$@%]\w+)/, "value", "", variable),
	],
	php: [
		reader(/^(?:[\w\s]*?)\b(?:class|interface|trait)\s+(\w+)/, "group"),
		reader(/^(?:[\w\s]*?)\bfunction\s+&?(\w+)/, "value"),
		reader(
			/^(?:public|private|protected|static|readonly|var|\s|\??[\w\\|]+)*?(\$\w+)\s*(?:=.*)?;/s,
			"value",
			"",
			variable,
		),
		reader(/^(?:[\w\s]*?)\bconst\s+(?:\w+\s+)?(\w+)\s*=/, "value", "", variable),
		reader(/^(Route::\w+\(\s*["'][^"']*["'])/, "titled"),
		reader(/^namespace\s+([\w\\]+)/, "value", "namespace "),
	],
	powershell: [
		folded(reader(/^(?:function|filter)\s+([\w:-]+)/i, "value")),
		folded(reader(/^class\s+(\w+)/i, "group")),
		folded(reader(/^enum\s+(\w+)/i, "data")),
		folded(reader(/^(param)\s*\(/i, "titled")),
		folded(reader(/^(?:\[[\w.[\]]+\]\s*)?(\$[\w:]+)\s*=(?!=)/, "value", "", variable)),
	],
	python: [
		reader(/^(if\s+__name__\b.*):/, "titled"),
		reader(/^(?:async\s+)?def\s+(\w+)\s*\(\s*(?:self|cls)\b/, "value", "", member),
		reader(/^(?:async\s+)?def\s+(\w+)/, "value"),
		reader(/^class\s+(\w+)/, "group"),
		reader(/^([A-Za-z_][\w.]*)\s*(?::[^=]+)?=(?!=)/, "value", "", variable),
	],
	r: [
		reader(/^["`]?([\w.]+)["`]?\s*(?:<<?-|=)\s*function\b/, "value"),
		reader(/^([\w.$]+)\s*(?:<<?-|=(?!=))/, "value", "", variable),
	],
	requirements: [
		keyed(/^([A-Za-z0-9][\w.-]*)/, key => key.toLowerCase().replaceAll(/[-_.]+/g, "-")),
		keyed(/^(--?\w.*)$/, key => key),
	],
	ruby: [
		reader(/^((?:RSpec\.)?(?:describe|context)\s+[A-Z][\w:]*)/, "group"),
		reader(/^(?:class|module)\s+([\w:<\s]+?)\s*(?:<.*)?$/, "group"),
		reader(/^(?:private\s+)?def\s+((?:self\.)?[\w?!=]+|[^\w\s]+)/, "value"),
		reader(/^([A-Z]\w*|@+\w+)\s*=(?!=)/, "value", "", variable),
		reader(
			/^((?:has_many|has_one|belongs_to|scope|validates|attr_\w+)\s+:\w+)/,
			"value",
			"",
			variable,
		),
		reader(/^(task\s+:?\w+)/, "titled"),
	],
	rust: [
		reader(/^((?:unsafe\s+)?impl\b[^{]*)\{/, "group"),
		reader(/^(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*\{/, "group"),
		reader(/^(?:pub(?:\([^)]*\))?\s+)?(?:unsafe\s+)?trait\s+(\w+)/, "group"),
		reader(
			/^(?:pub(?:\([^)]*\))?\s+)?(?:const|static)\s+(?:mut\s+)?(?!fn\b)(\w+)/,
			"value",
			"",
			variable,
		),
	],
	shell: [
		reader(/^function\s+([\w:.-]+)|^([\w:.-]+)\s*\(\)/, "value"),
		reader(
			/^(?:export\s+|readonly\s+|local\s+|declare\s+(?:-\w+\s+)?)*(\w+)\+?=/,
			"value",
			"",
			variable,
		),
		reader(/^alias\s+([\w.-]+)=/, "value", "alias "),
	],
	sql: [
		(head, _, isInGroup) =>
			isInGroup
				? reader(
						/^(?!(?:constraint|primary|foreign|unique|check|select|from|where)\b)["`[]?(\w+)["`\]]?\s+\w/i,
						"key",
					)(head, head, isInGroup)
				: undefined,
		reader(
			/^create\s+(?:or\s+(?:replace|alter)\s+)?(?:(?:temp\w*|unique|materialized|unlogged|clustered)\s+)*(?:table|view|function|proc(?:edure)?|index|trigger|type|schema|sequence|policy)\s+(?:if\s+not\s+exists\s+)?(?:concurrently\s+)?([\w."`[\]]+)/i,
			"data",
		),
		reader(/^alter\s+(?:view|function|proc(?:edure)?|trigger)\s+([\w."`[\]]+)/i, "data", "alter "),
	],
	swift: [
		reader(/^(?:[\w\s]*?)\b(?:class|struct|protocol|actor)\s+(?!func\b|var\b)(\w+)/, "group"),
		reader(/^(?:[\w\s]*?)\bfunc\s+(\w+)/, "value"),
	],
	toml: [
		reader(/^\[\[?\s{0,20}([^\]]+?)\s{0,20}\]\]?\s*(?:#.*)?$/, "group", "["),
		reader(/^(?:export\s+)?("[^"]+"|[\w.-]+)\s*[=:]/, "key"),
	],
	vb: [
		folded(
			reader(
				/^(?!(?:end|exit)\b)(?:[\w ]*\s)?((?:sub|function|property(?:\s+(?:get|let|set))?)\s+\w+)/i,
				"value",
			),
		),
		folded(reader(/^(?!end\b)(?:[\w ]*\s)?(?:class|module|namespace)\s+([\w.]+)/i, "group")),
		folded(reader(/^(?!end\b)(?:[\w ]*\s)?(?:structure|enum|interface|type)\s+(\w+)/i, "data")),
		folded(
			reader(
				/^(?:dim|const|private|public|friend)\s+(?:(?:const|shared|readonly|withevents)\s+)*(\w+)/i,
				"value",
				"",
				variable,
			),
		),
	],
	yaml: [
		reader(
			/^-\s+(?:uses|image)\s*:\s*["']?([^@\s"']+?)(?:[:@][^/\s]*)?["']?\s*(?:\s#.*)?$/,
			"titled",
			"- ",
		),
		reader(
			/^-\s+(?:"?(?:name|id|key|alias|run|task|job|job_name|title|hosts|path|url|host|repo|alert|record|package-ecosystem)"?)\s*:\s*(?![|>][-+\d]*\s*$)["']?(\S.*?)["']?\s*(?:\s#.*)?$/,
			"titled",
			"- ",
		),
		reader(/^("[^"]+"|'[^']+'|[\w.$/*-][^:#]*?)\s*:(?:\s|$)/, "key"),
	],
};
