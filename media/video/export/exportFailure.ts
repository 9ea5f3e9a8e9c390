import type { ClipExportFailure } from "../../../src/shared/video.ts";

export class ExportFailure extends Error {
	override readonly name = "ExportFailure";
	readonly reason: ClipExportFailure;

	/** `detail` is for the log. */
	constructor(reason: ClipExportFailure, detail: string) {
		super(detail);
		this.reason = reason;
	}
}
