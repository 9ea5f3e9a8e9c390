import { readFile } from "node:fs/promises";
import { maxShownImageBytes } from "../../common/modelSetup.ts";
import type { WireMessage } from "../openai/wireRequest.ts";
import type { MountedFile } from "../python/codeInterpreter.ts";

/** An image in the format of OpenAI's messages. */
export interface ImagePart {
	readonly type: "image_url";
	readonly image_url: { readonly url: string };
}

/** The most images in a request; the last ones attached are used. */
const maxImages = 8;

/** Supported formats by their first bytes in hexadecimal. A name or type may be wrong, and the server would then reject the request. */
const formats: readonly (readonly [type: string, head: RegExp])[] = [
	["image/png", /^89504e470d0a1a0a/],
	["image/jpeg", /^ffd8ff/],
	["image/gif", /^47494638/],
	["image/webp", /^52494646.{8}57454250/],
];

/** Reads the images among a request's files, for a model that supports them. Omits missing files. */
export async function readImages(files: readonly MountedFile[]): Promise<readonly ImagePart[]> {
	const wanted = files
		.filter(({ type, size }) => type.startsWith("image/") && size <= maxShownImageBytes)
		.slice(-maxImages);
	const parts = await Promise.all(wanted.map(({ path }) => readImage(path)));
	return parts.filter(part => part !== undefined);
}

async function readImage(path: string): Promise<ImagePart | undefined> {
	// A file that was just deleted can't be shown.
	const bytes = await readFile(path).catch(() => undefined);
	const head = bytes?.subarray(0, 12).toString("hex") ?? "";
	const [type] = formats.find(([, pattern]) => pattern.test(head)) ?? [];
	return bytes && type !== undefined
		? { type: "image_url", image_url: { url: `data:${type};base64,${bytes.toString("base64")}` } }
		: undefined;
}

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

export function holdImages(messages: readonly WireMessage[]): boolean {
	return messages.some(({ content }) => Array.isArray(content));
}
