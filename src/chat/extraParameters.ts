import * as l10n from "@vscode/l10n";
import { toError } from "../common/errors.ts";
import { requestParameters } from "./log/chatMeta.ts";

/** Request fields that Cutaway sets itself. docs/interface.md §4.4. */
export const ownFields: ReadonlySet<string> = new Set([
	"messages",
	"model",
	"stream",
	"tools",
	"custom_tools",
	"functions",
	"files",
]);

/** Standard parameters with their own settings, so that none is set twice. */
const namedFields: ReadonlySet<string> = new Set(requestParameters.map(({ field }) => field));

/** The longest text of extra parameters, in UTF-16 units. */
export const maxExtraParametersLength = 20_000;

/** The parsed parameters, or a message with the location of the error. */
export type ReadParameters =
	| { readonly type: "read"; readonly parameters: Readonly<Record<string, unknown>> }
	| { readonly type: "wrong"; readonly sentence: string };

/** Parses extra parameters: a JSON object, or empty text. Rejects fields that Cutaway sets, because they would have no effect. */
export function readExtraParameters(text: string): ReadParameters {
	if (text.trim() === "") {
		return { type: "read", parameters: {} };
	}
	if (text.length > maxExtraParametersLength) {
		return wrong(l10n.t("Use at most {0} characters.", maxExtraParametersLength));
	}
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch (error) {
		const [line, column] = lineAndColumn(text, faultPosition(text, toError(error).message));
		return wrong(l10n.t("This is not JSON: look at line {0}, column {1}.", line, column));
	}
	if (typeof value !== "object" || value === null || Array.isArray(value)) {
		return wrong(l10n.t("Extra parameters are a JSON object, such as {0}.", '{ "seed": 7 }'));
	}
	const parameters = { ...value };
	const taken = Object.keys(parameters).find(name => ownFields.has(name) || namedFields.has(name));
	if (taken !== undefined) {
		const [line] = lineAndColumn(text, text.indexOf(JSON.stringify(taken)));
		return wrong(
			namedFields.has(taken)
				? l10n.t("Line {0}: “{1}” has its own field above.", line, taken)
				: l10n.t("Line {0}: “{1}” is set by Cutaway and can't be set here.", line, taken),
		);
	}
	return { type: "read", parameters };
}

function wrong(sentence: string): ReadParameters {
	return { type: "wrong", sentence };
}

/** Returns the position of a JSON syntax error: the parser's, or else the end of the longest prefix that is incomplete. */
function faultPosition(text: string, message: string): number {
	const named = namedPosition(message);
	if (named !== undefined) {
		return named;
	}
	let [good, bad] = [0, text.length + 1];
	while (bad - good > 1) {
		const middle = Math.floor((good + bad) / 2);
		[good, bad] = endsTooEarly(text.slice(0, middle)) ? [middle, bad] : [good, middle];
	}
	return good;
}

function namedPosition(message: string): number | undefined {
	const [, position] = /position (\d+)/.exec(message) ?? [];
	return position === undefined ? undefined : Number(position);
}

function endsTooEarly(beginning: string): boolean {
	try {
		JSON.parse(beginning);
		return true;
	} catch (error) {
		const { message } = toError(error);
		const isCut = /Unexpected end|Unterminated string/.test(message);
		return isCut || namedPosition(message) === beginning.length;
	}
}

/** Returns line and column of a position, counted from 1. */
function lineAndColumn(text: string, position: number): [line: number, column: number] {
	const before = text.slice(0, Math.max(0, position)).split("\n");
	return [before.length, (before.at(-1)?.length ?? 0) + 1];
}
