import * as z from "zod/mini";
import { textSources } from "./attachment.ts";
import { revealInLine } from "../../common/hiddenText.ts";
import { fence } from "../../common/plainMarkdown.ts";

/** Lines of a document, inclusive and counted from 1. */
const lineNumber = z.int().check(z.minimum(1));
const lineRangeSchema = z.object({ first: lineNumber, last: lineNumber });

const count = z.int().check(z.minimum(0));

/** Turn record of an attachment whose text was part of the message. */
const textAttachmentSchema = z.object({
	kind: z.literal("text"),
	name: z.string(),
	path: z.string(),
	language: z.exactOptional(z.string()),
	lines: z.exactOptional(lineRangeSchema),
	source: z.exactOptional(z.enum(textSources)),
	/** The text that was sent, cut to the limits. */
	text: z.string(),
	/** Bytes of the whole text. */
	size: count,
	/** SHA-256 of the sent text, in hex. */
	hash: z.string(),
	/** Characters cut off at the end; estimated for a file that wasn't read completely. */
	omittedCharacters: count,
});

/** Turn record of an uploaded file. docs/interface.md §2.3. */
const fileAttachmentSchema = z.object({
	kind: z.literal("file"),
	name: z.string(),
	path: z.string(),
	/** Path of the file; absent for bytes without a file. */
	resolvedPath: z.exactOptional(z.string()),
	mimeType: z.string(),
	/** In bytes. */
	size: count,
	/** SHA-256 of the content, in hex. */
	hash: z.string(),
	fileId: z.string(),
	/** The service and key that the id belongs to, as returned by `fileAccountOf`. */
	account: z.string(),
	/** Belongs to an earlier turn and was uploaded again. */
	isCarried: z.exactOptional(z.literal(true)),
});

/** A file of an earlier turn that the service lost and that is gone or changed. Later requests don't reference it. */
const lostFileSchema = z.object({
	kind: z.literal("lostFile"),
	name: z.string(),
	path: z.string(),
	mimeType: z.string(),
	size: count,
	hash: z.string(),
});

export const turnAttachmentSchema = z.discriminatedUnion("kind", [
	textAttachmentSchema,
	fileAttachmentSchema,
	lostFileSchema,
]);
export type TextAttachment = z.infer<typeof textAttachmentSchema>;
export type FileAttachment = z.infer<typeof fileAttachmentSchema>;
export type TurnAttachment = z.infer<typeof turnAttachmentSchema>;

/** Returns the files that the service has after the turns, oldest first: each content and name once, in its newest version. */
export function currentFiles(attachments: readonly TurnAttachment[]): readonly FileAttachment[] {
	const current = new Map<string, FileAttachment>();
	for (const attachment of attachments) {
		const key = JSON.stringify([attachment.hash, attachment.name]);
		if (attachment.kind === "file") {
			current.set(key, attachment);
		} else if (attachment.kind === "lostFile") {
			current.delete(key);
		}
	}
	return [...current.values()];
}

/** The shortest fence. Code blocks of the question itself, which may be run or rendered, have three backticks. */
const minFenceLength = 4;

/** Returns a question as it is sent: its text, then each attached text in a fence that the text can't close, under a heading with its location. */
export function questionContent(prompt: string, attachments: readonly TurnAttachment[]): string {
	const texts = attachments.filter(each => each.kind === "text");
	return [prompt, ...texts.map(fencedText)].join("\n\n");
}

function fencedText(attachment: TextAttachment): string {
	const { text, language = "", omittedCharacters } = attachment;
	return [
		`Attached: ${headOf(attachment)}`,
		fence(text, `${language} attached`.trimStart(), minFenceLength),
		...(omittedCharacters > 0 ? [cutNote(text.length, omittedCharacters)] : []),
	].join("\n");
}

function headOf({ name, path, lines }: TextAttachment): string {
	// The name comes from disk and must not look like the user's text.
	const place = revealInLine(path === "" ? name : path);
	if (lines === undefined) {
		return place;
	}
	return lines.first === lines.last
		? `${place}, line ${lines.first}`
		: `${place}, lines ${lines.first}–${lines.last}`;
}

function cutNote(shown: number, omitted: number): string {
	return `[Cut: the first ${shown} characters are shown, about ${omitted} more are left out.]`;
}
