import * as z from "zod/mini";
import { parseJson } from "../../common/json.ts";
import type { requestNumbers } from "../../common/modelSetup.ts";
import type { FileSystem } from "../../storage/fileSystem.ts";
import { ifThere, opened, sealed } from "../../storage/atomicFile.ts";
import { timeSchema as time } from "../contract/toolRecord.ts";
import { serverTools } from "../../client/contract/schemas.ts";

/** The longest system prompt in UTF-16 units. It is sent with every request and stored with every turn. */
export const maxSystemPromptLength = 32_000;

/** A model id of at most 200 characters. */
export const modelIdSchema = z.string().check(z.trim(), z.minLength(1), z.maxLength(200));

/** Sampling temperature, 0 to 2; null uses the service's default. docs/interface.md §4.4. */
export const temperatureSchema = z.nullable(z.number().check(z.minimum(0), z.maximum(2)));

/** Nucleus sampling, 0 to 1; null uses the service's default. docs/interface.md §4.4. */
export const topPSchema = z.nullable(z.number().check(z.minimum(0), z.maximum(1)));

/** The most tokens of an answer, at least 1; null uses the service's default. docs/interface.md §4.4. */
export const maxTokensSchema = z.nullable(z.int().check(z.minimum(1)));

/** The standard parameters with a setting of their own: the setting, the field of a chat's options and of its form, and that of the request. */
export const requestParameters = [
	{
		setting: "chat.temperature",
		option: "temperature",
		field: "temperature",
		schema: temperatureSchema,
	},
	{ setting: "chat.topP", option: "topP", field: "top_p", schema: topPSchema },
	{ setting: "chat.maxTokens", option: "maxTokens", field: "max_tokens", schema: maxTokensSchema },
] as const satisfies readonly (Record<string, unknown> & {
	readonly field: (typeof requestNumbers)[number];
})[];
export type RequestParameter = (typeof requestParameters)[number];

/** The first message of every request in a chat; empty for none. Role `system`, docs/interface.md §2.2. */
export const systemPromptSchema = z.string().check(z.maxLength(maxSystemPromptLength));

/** A user's options for a chat. Missing fields follow the current settings; null uses the service's default even if the settings have a value. */
export const chatOptionsSchema = z.object({
	model: z.exactOptional(modelIdSchema),
	serverTools: z.exactOptional(z.array(z.enum(serverTools))),
	temperature: z.exactOptional(temperatureSchema),
	topP: z.exactOptional(topPSchema),
	maxTokens: z.exactOptional(maxTokensSchema),
	extraParameters: z.exactOptional(z.record(z.string(), z.unknown())),
	systemPrompt: z.exactOptional(systemPromptSchema),
	projectInstructions: z.exactOptional(z.boolean()),
});
export type ChatOptions = z.infer<typeof chatOptionsSchema>;

/**
 * Metadata of a chat: its name, and whether it is pinned, archived or deleted. Stored in a separate file, so that any window can change it without
 * the right to write the log: a change appends a line in a single write, and the last line counts. Lines also start with a line break, so that an
 * incomplete one damages no other: `{"v":1,"sum":"1a2b3c4d","record":{…}}`, where `sum` is the CRC-32 of the record's bytes.
 */

const chatMetaRecordSchema = z.discriminatedUnion("type", [
	/** An empty title restores that of the first message. */
	z.object({ type: z.literal("renamed"), at: time, title: z.string() }),
	z.object({ type: z.literal("pinned"), at: time, isPinned: z.boolean() }),
	z.object({ type: z.literal("archived"), at: time, isArchived: z.boolean() }),
	/** The chat is hidden. Its files are removed much later. */
	z.object({ type: z.literal("deleted"), at: time }),
	z.object({ type: z.literal("restored"), at: time }),
	z.object({ type: z.literal("options"), at: time, options: chatOptionsSchema }),
]);

/** A change of a chat's metadata. Times are in milliseconds since 1970. */
export type ChatMetaRecord = z.infer<typeof chatMetaRecordSchema>;

export interface ChatMeta {
	/** The user's name for the chat, or undefined. */
	readonly title: string | undefined;
	readonly isPinned: boolean;
	readonly isArchived: boolean;
	/** Time of the deletion in milliseconds since 1970, or undefined. */
	readonly deletedAt: number | undefined;
	readonly options: ChatOptions;
}

export const plainMeta: ChatMeta = {
	title: undefined,
	isPinned: false,
	isArchived: false,
	deletedAt: undefined,
	options: {},
};

/** Reads a chat's metadata, or the defaults if the file doesn't exist. Rejects with the system's error. */
export async function readMeta(files: FileSystem, path: string): Promise<ChatMeta> {
	const bytes = await ifThere(files.read(path));
	return bytes === undefined ? plainMeta : decodeMeta(bytes);
}

/** Appends a change. When it resolves, the change would survive a power cut. Rejects with the system's error. */
export async function appendMeta(
	files: FileSystem,
	folder: string,
	path: string,
	record: ChatMetaRecord,
): Promise<void> {
	await files.append(path, encodeMeta(record));
	await files.syncFolder(folder);
}

function encodeMeta(record: ChatMetaRecord): Buffer {
	return Buffer.from(`\n${sealed(metaVersion, "record", JSON.stringify(record))}\n`);
}

/** Decodes the file. Skips lines that are unreadable or written by a newer version. */
function decodeMeta(bytes: Uint8Array): ChatMeta {
	return Buffer.from(bytes)
		.toString("utf8")
		.split("\n")
		.map(decodeLine)
		.filter(record => record !== undefined)
		.reduce(applyMeta, plainMeta);
}

function applyMeta(meta: ChatMeta, record: ChatMetaRecord): ChatMeta {
	switch (record.type) {
		case "renamed":
			return { ...meta, title: record.title === "" ? undefined : record.title };
		case "pinned":
			return { ...meta, isPinned: record.isPinned };
		case "archived":
			return { ...meta, isArchived: record.isArchived };
		case "deleted":
			return { ...meta, deletedAt: record.at };
		case "restored":
			return { ...meta, deletedAt: undefined };
		case "options":
			return { ...meta, options: record.options };
	}
}

const metaVersion = 1;

function decodeLine(line: string): ChatMetaRecord | undefined {
	const record = opened(metaVersion, "record", line);
	return record === undefined ? undefined : chatMetaRecordSchema.safeParse(parseJson(record)).data;
}
