import * as z from "zod/mini";

const nothing = z.strictObject({});

/** A code block of an answer; `info` is what follows its opening fence, which a path may be part of. */
const codeBlock = z.strictObject({
	turnId: z.string().check(z.maxLength(64)),
	text: z.string().check(z.minLength(1), z.maxLength(1_000_000)),
	info: z.string().check(z.maxLength(200)),
});

/** The most paths that are asked for at once. */
export const maxNamedPaths = 64;

/** The longest path, in characters. */
export const maxNamedPath = 400;

const path = z.string().check(z.minLength(1), z.maxLength(maxNamedPath));
const line = z.optional(z.int().check(z.minimum(1), z.maximum(10_000_000)));

/** Actions on the code blocks of answers, and on the files that answers name. */
export const codeRequests = {
	/** Which files of the workspace the paths of an answer mean: the label of each, null for a path that means none. */
	nameFiles: {
		params: z.strictObject({ paths: z.array(path).check(z.maxLength(maxNamedPaths)) }),
		result: z.strictObject({ labels: z.array(z.nullable(z.string())) }),
	},
	/** Opens a file of the workspace, by its label, at a line. */
	openFile: { params: z.strictObject({ label: path, line, endLine: line }), result: nothing },
	/** Copies code from a code block to the clipboard. */
	copyCode: { params: z.strictObject({ text: z.string() }), result: nothing },
	/** Puts code from an answer into the editor, at the cursor. */
	insertCode: {
		params: z.strictObject({ text: z.string().check(z.minLength(1), z.maxLength(1_000_000)) }),
		result: nothing,
	},
	/** Proposes code from an answer as a change of the file it names, or of the one that is open; asks on a card. */
	applyCode: { params: codeBlock, result: nothing },
	/** Asks for a path and proposes a file with code from an answer. */
	createFileFromCode: { params: codeBlock, result: nothing },
} as const;
