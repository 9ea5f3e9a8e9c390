import { mkdir, realpath, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Attachment } from "../../src/attachments/contract/attachment.ts";
import { AttachmentTray } from "../../src/attachments/tray.ts";
import type { AttachmentTrayDependencies } from "../../src/attachments/contract/attachmentTray.ts";
import { systemClock } from "../../src/common/async.ts";
import { DocumentError } from "../../src/documents/documentText.ts";
import { silentLog } from "../../src/common/log.ts";
import { connectionTo } from "./clientHarness.ts";
import { type FileService, startFileService } from "./fileService.ts";
import { makeTempFolder } from "./tempFolder.ts";

/** A tray over real files and a real service. */
export interface AttachmentBench {
	readonly service: FileService;
	readonly tray: AttachmentTray;
	/** The workspace's folder, links resolved. */
	readonly workspace: string;
	/** A folder beside it. */
	readonly outside: string;
	/** Writes a file of the workspace, or at an absolute path, and returns where. */
	write(path: string, content: string | Uint8Array): Promise<string>;
	/** Attaches one path and returns its state. */
	add(path: string): Promise<Attachment>;
	/** How the attachment with this name is now. */
	named(name: string): Attachment;
	/** Another tray on the same disk and service. */
	another(options?: Partial<AttachmentTrayDependencies>): AttachmentTray;
}

/** Makes a bench; everything it holds is let go of when the test is over. */
export async function makeAttachmentBench(
	options: Partial<AttachmentTrayDependencies> = {},
): Promise<AttachmentBench> {
	const service = await startFileService();
	const root = await realpath(await makeTempFolder());
	const workspace = join(root, "work");
	const outside = join(root, "work-elsewhere");
	await Promise.all([mkdir(workspace), mkdir(outside)]);
	const another = (more: Partial<AttachmentTrayDependencies> = {}): AttachmentTray => {
		const tray = new AttachmentTray({
			connection: () => Promise.resolve(connectionTo(service.url)),
			recordsFolder: join(root, "records"),
			workspaceFolders: () => [workspace],
			readDocument: () => Promise.reject(new DocumentError("damaged", "")),
			clock: systemClock,
			log: silentLog,
			...options,
			...more,
		});
		onTestFinished(() => tray.dispose());
		return tray;
	};
	const tray = another();
	return {
		service,
		tray,
		workspace,
		outside,
		another,
		write: async (path, content) => {
			const absolute = path.startsWith("/") ? path : join(workspace, path);
			await mkdir(dirname(absolute), { recursive: true });
			await writeFile(absolute, content);
			return absolute;
		},
		add: async path => {
			const { ids } = await tray.addPaths([path]);
			return found(tray, ({ id }) => id === ids[0]);
		},
		named: name => found(tray, attachment => attachment.name === name),
	};
}

/** The failure an attachment is in; fails the test when it is otherwise. */
export function failureIn({ state }: Attachment) {
	if (state.type !== "failed") {
		throw new Error(`It is ${state.type}`);
	}
	return state.failure;
}

/** What `prepare` gave to go with a question; fails the test when it was blocked. */
export async function preparedOf(
	tray: AttachmentTray,
	options?: Parameters<AttachmentTray["prepare"]>[0],
) {
	const preparation = await tray.prepare(options);
	if (preparation.type !== "prepared") {
		const states = tray.attachments.map(({ state }) => state);
		throw new Error(`The question was blocked: ${JSON.stringify(states)}`);
	}
	return preparation.attachments;
}

function found(tray: AttachmentTray, matches: (attachment: Attachment) => boolean): Attachment {
	const attachment = tray.attachments.find(matches);
	if (!attachment) {
		throw new Error("There is no such attachment");
	}
	return attachment;
}
