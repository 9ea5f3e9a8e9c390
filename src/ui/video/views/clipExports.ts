import * as l10n from "@vscode/l10n";
import { AbortError } from "../../../common/errors.ts";
import type { Log } from "../../../common/log.ts";
import {
	type ClipExport,
	type ClipExportFailure,
	maxExportBytes,
	type VideoPushes,
	type VideoRequests,
} from "../../../shared/video.ts";
import type { RequestHandlers } from "../../../shared/rpc.ts";
import { formatSize } from "../../base/amounts.ts";
import type { WebviewHost } from "../../webview/webviewHost.ts";

/** The page that creates the file. */
interface ExportingPage {
	readonly host: Pick<WebviewHost<VideoRequests, VideoPushes>, "push">;
}

interface RunningExport {
	readonly page: ExportingPage;
	readonly parts: Buffer[];
	readonly onProgress: (share: number) => void;
	readonly file: PromiseWithResolvers<Buffer>;
}

type ExportHandlers = Pick<
	RequestHandlers<VideoRequests>,
	"exportProgress" | "exportPart" | "exportFailed"
>;

/** Exports of clips by preview pages: requests them and assembles the received parts. */
export class ClipExports {
	private readonly log: Log;
	private readonly running = new Map<number, RunningExport>();
	private nextId = 1;
	/** Handlers of the pages' messages. Messages about an ended export are ignored. */
	readonly handlers: ExportHandlers = {
		exportProgress: ({ id, share }) => {
			this.running.get(id)?.onProgress(share);
			return {};
		},
		exportPart: ({ id, base64, isLast }) => {
			this.take(id, Buffer.from(base64, "base64"), isLast);
			return {};
		},
		exportFailed: ({ id, reason, detail }) => {
			this.log.warn("A clip could not be exported", { reason, detail });
			this.running.get(id)?.file.reject(new Error(exportFailureSentence(reason)));
			return {};
		},
	};

	constructor(log: Log) {
		this.log = log;
	}

	/** Makes a page create a file. Throws an error with a message for the user if that fails, and `AbortError` if the signal aborts. */
	async run(
		page: ExportingPage,
		request: Omit<ClipExport, "id">,
		signal: AbortSignal,
		onProgress: (share: number) => void,
	): Promise<Buffer> {
		const id = this.nextId++;
		const file = Promise.withResolvers<Buffer>();
		this.running.set(id, { page, parts: [], onProgress, file });
		const stop = (): void => {
			void page.host.push("stopExport", { id });
			file.reject(new AbortError());
		};
		signal.addEventListener("abort", stop, { once: true });
		try {
			if (!(await page.host.push("export", { id, ...request }))) {
				file.reject(new Error(exportFailureSentence("failed")));
			}
			return await file.promise;
		} finally {
			signal.removeEventListener("abort", stop);
			this.running.delete(id);
		}
	}

	/** Fails the exports of a page that is gone. */
	fail(page: ExportingPage, reason: Error): void {
		for (const { page: own, file } of this.running.values()) {
			if (own === page) {
				file.reject(reason);
			}
		}
	}

	private take(id: number, part: Buffer, isLast: boolean): void {
		const running = this.running.get(id);
		if (!running) {
			return;
		}
		running.parts.push(part);
		if (running.parts.reduce((sum, { length }) => sum + length, 0) > maxExportBytes) {
			running.file.reject(new Error(exportFailureSentence("tooLarge")));
		} else if (isLast) {
			running.file.resolve(Buffer.concat(running.parts));
		}
	}
}

/** Returns the message for the user. */
function exportFailureSentence(reason: ClipExportFailure): string {
	return {
		cannotPlay: l10n.t(
			"The editor can't play this clip, so it can't be exported. Save it as it is.",
		),
		tooLarge: l10n.t(
			"The file would have more than {0}. Choose a smaller width or another format.",
			formatSize(maxExportBytes),
		),
		cannotEncode: l10n.t(
			"This editor has no encoder for MP4. Choose animated WebP, or save the clip as it is.",
		),
		failed: l10n.t("The clip couldn't be exported. Export it again, or save it as it is."),
	}[reason];
}
