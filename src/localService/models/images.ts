import { readFile } from "node:fs/promises";
import { maxShownImageBytes } from "../../common/models.ts";
import type { WireMessage } from "../openai/wireRequest.ts";
import type { MountedFile } from "../python/codeInterpreter.ts";

/** An image as OpenAI takes it in a message. */
export interface ImagePart {
	readonly type: "image_url";
	readonly image_url: { readonly url: string };
}

/** The most images of a request; the ones attached last count. */
const maxImages = 8;

/** Formats that models read, by their first bytes in hexadecimal; a name or a type may be wrong, and a server would refuse the question. */
const formats: readonly (readonly [type: string, head: RegExp])[] = [
	["image/png", /^89504e470d0a1a0a/],
	["image/jpeg", /^ffd8ff/],
	["image/gif", /^47494638/],
	["image/webp", /^52494646.{8}57454250/],
];

/** The images among the files of a request, for a model that sees them. A file that is gone is left out. */
export async function readImages(files: readonly MountedFile[]): Promise<readonly ImagePart[]> {
	const wanted = files
		.filter(({ type, size }) => type.startsWith("image/") && size <= maxShownImageBytes)
		.slice(-maxImages);
	const parts = await Promise.all(wanted.map(({ path }) => readImage(path)));
	return parts.filter(part => part !== undefined);
}

async function readImage(path: string): Promise<ImagePart | undefined> {
	// A file that was deleted a moment ago is told with the others, and cannot be shown.
	const bytes = await readFile(path).catch(() => undefined);
	const head = bytes?.subarray(0, 12).toString("hex") ?? "";
	const [type] = formats.find(([, pattern]) => pattern.test(head)) ?? [];
	return bytes && type !== undefined
		? { type: "image_url", image_url: { url: `data:${type};base64,${bytes.toString("base64")}` } }
		: undefined;
}

/** The messages with the images in the user's last one. */
export function withImages(
	messages: readonly WireMessage[],
	images: readonly ImagePart[],
): readonly WireMessage[] {
	const last = messages.findLastIndex(({ role }) => role === "user");
	return messages.map((message, index) =>
		index === last && images.length > 0
			? { ...message, content: [{ type: "text", text: message["content"] }, ...images] }
			: message,
	);
}

/** Whether a model is to see images with these messages. */
export function holdImages(messages: readonly WireMessage[]): boolean {
	return messages.some(({ content }) => Array.isArray(content));
}
