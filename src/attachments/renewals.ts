import { throwIfAborted } from "../common/async.ts";
import { isAbortError, toError } from "../common/errors.ts";
import type { AttachmentTrayDependencies, RenewalOptions } from "./contract/attachmentTray.ts";
import { fileAccountOf } from "./upload/uploader.ts";
import type { TrayUploads } from "./trayUploads.ts";
import {
	currentFiles,
	type FileAttachment,
	type TurnAttachment,
} from "./contract/turnAttachment.ts";

/** Ensures that the current service has the files of earlier turns. */
export class Renewals {
	private readonly dependencies: Pick<AttachmentTrayDependencies, "connection" | "log">;
	private readonly uploads: TrayUploads;

	constructor(
		dependencies: Pick<AttachmentTrayDependencies, "connection" | "log">,
		uploads: TrayUploads,
	) {
		this.dependencies = dependencies;
		this.uploads = uploads;
	}

	/** Updates a message's attachments for the current service. Returns the same list if nothing changed. */
	async renew(
		attachments: readonly TurnAttachment[],
		{ earlier = [], areForgotten = false, signal }: RenewalOptions,
	): Promise<readonly TurnAttachment[]> {
		if (areForgotten) {
			await forget(this.uploads, [...earlier, ...attachments]);
		}
		const renewed = await this.renewAll(attachments, signal);
		const known = new Set(renewed.map(keyOf));
		const before = currentFiles(earlier).filter(file => !known.has(keyOf(file)));
		const carried = await this.changesOf(before, signal);
		const isSame = carried.length === 0 && renewed.every((each, at) => each === attachments[at]);
		return isSame ? attachments : [...carried, ...renewed];
	}

	/** Returns the files of earlier turns that were uploaded again or are lost, oldest first. */
	async changesOf(
		earlier: readonly TurnAttachment[],
		signal: AbortSignal | undefined,
	): Promise<readonly TurnAttachment[]> {
		const files = currentFiles(earlier);
		const renewed = await this.renewAll(files, signal);
		return renewed
			.filter((each, index) => each !== files[index])
			.map(each => (each.kind === "file" ? { ...each, isCarried: true } : each));
	}

	private async renewAll(
		attachments: readonly TurnAttachment[],
		signal: AbortSignal | undefined,
	): Promise<readonly TurnAttachment[]> {
		throwIfAborted(signal);
		const ending = signal ?? new AbortController().signal;
		return Promise.all(
			attachments.map(async each =>
				each.kind === "file" ? renewFile(this.dependencies, this.uploads, each, ending) : each,
			),
		);
	}
}

/** Returns the file's record for the current service, or that it is lost. */
async function renewFile(
	{ connection, log }: Pick<AttachmentTrayDependencies, "connection" | "log">,
	uploads: TrayUploads,
	file: FileAttachment,
	signal: AbortSignal,
): Promise<TurnAttachment> {
	try {
		const account = fileAccountOf(await connection());
		const known = await uploads.records.find(account, file.hash);
		if (known !== undefined) {
			const isSame = account === file.account && known === file.fileId;
			return isSame ? file : { ...file, account, fileId: known };
		}
		return await sendAgain(uploads, file, signal);
	} catch (error) {
		if (isAbortError(error)) {
			throw error;
		}
		const { name, path, mimeType, size, hash } = file;
		log.info("A file of an earlier turn could not be sent again", { reason: toError(error).name });
		return { kind: "lostFile", name, path, mimeType, size, hash };
	}
}

async function forget(
	{ records }: TrayUploads,
	attachments: readonly TurnAttachment[],
): Promise<void> {
	for (const each of attachments) {
		if (each.kind === "file") {
			await records.forget(each.account, each.hash, each.fileId);
		}
	}
}

function keyOf({ hash, name }: TurnAttachment): string {
	return JSON.stringify([hash, name]);
}

async function sendAgain(
	uploads: TrayUploads,
	file: FileAttachment,
	signal: AbortSignal,
): Promise<FileAttachment> {
	if (file.resolvedPath === undefined) {
		throw new Error("Pasted bytes are not kept");
	}
	const { name, mimeType, resolvedPath: path } = file;
	const { account, fileId } = await uploads.uploadAgain(
		{ path, name, mimeType },
		file.hash,
		signal,
	);
	return { ...file, account, fileId };
}
