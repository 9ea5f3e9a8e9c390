import * as z from "zod/mini";

const nothing = z.strictObject({});

/** A code block of an answer. `info` is its info string, which may contain a path. */
const codeBlock = z.strictObject({
	turnId: z.string().check(z.maxLength(64)),
	text: z.string().check(z.minLength(1), z.maxLength(1_000_000)),
	info: z.string().check(z.maxLength(200)),
});

/** The most paths per request. */
export const maxNamedPaths = 64;

/** The longest path, in characters. */
export const maxNamedPath = 400;

const path = z.string().check(z.minLength(1), z.maxLength(maxNamedPath));
const line = z.optional(z.int().check(z.minimum(1), z.maximum(10_000_000)));

/** Actions on the code blocks of answers, and on files that answers name. */
export const codeRequests = {
	/** Finds the workspace files for paths in an answer. Returns a label for each, or null if there is no file. */
	nameFiles: {
		params: z.strictObject({ paths: z.array(path).check(z.maxLength(maxNamedPaths)) }),
		result: z.strictObject({ labels: z.array(z.nullable(z.string())) }),
	},
	/** Opens a workspace file, by its label, at a line. */
	openFile: { params: z.strictObject({ label: path, line, endLine: line }), result: nothing },
	copyCode: { params: z.strictObject({ text: z.string() }), result: nothing },
	insertCode: {
		params: z.strictObject({ text: z.string().check(z.minLength(1), z.maxLength(1_000_000)) }),
		result: nothing,
	},
	/** Proposes code from an answer as a change of the file it names, or of the open file, on a card. */
	applyCode: { params: codeBlock, result: nothing },
	/** Shows the findings of a question's answer as comments in the editor. */
	showFindings: {
		params: z.strictObject({ turnId: z.string().check(z.maxLength(64)) }),
		result: nothing,
	},
	/** Asks for a path and proposes a new file with code from an answer. */
	createFileFromCode: { params: codeBlock, result: nothing },
} as const;
