import * as z from "zod/mini";

/** The share of a model's context that the descriptions of tools may take. */
const toolShare = 1 / 3;
/** Characters of a token of JSON and English, on average. */
const charactersPerToken = 4;
/** No context is taken to be shorter: descriptions that fit into the share of this one fit into every other. */
const shortestContext = 4_096;

/** The functions that a model is offered, and the names of those it is not. */
export interface OfferedFunctions {
	readonly kept: readonly object[];
	readonly leftOut: readonly string[];
}

/** Whether a model's context has to be known before it is offered these functions. */
export function mayBeTooMany(functions: readonly object[]): boolean {
	return tokensOf(functions) > shortestContext * toolShare;
}

/** As many of the functions as a third of the context has room for, the first ones first; `contextLength` in tokens, undefined where it is not known. */
export function functionsThatFit(
	functions: readonly object[],
	contextLength: number | undefined,
): OfferedFunctions {
	let room = (contextLength ?? Infinity) * toolShare;
	const kept: object[] = [];
	const leftOut: string[] = [];
	for (const described of functions) {
		const tokens = tokensOf([described]);
		if (tokens <= room) {
			room -= tokens;
			kept.push(described);
		} else {
			leftOut.push(namedSchema.parse(described).function.name);
		}
	}
	return { kept, leftOut };
}

const namedSchema = z.object({ function: z.object({ name: z.string() }) });

function tokensOf(functions: readonly object[]): number {
	return JSON.stringify(functions).length / charactersPerToken;
}
