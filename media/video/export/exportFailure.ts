import type { ClipExportFailure } from "../../../src/shared/clipExport.ts";

/** Why a clip could not be exported. */
export class ExportFailure extends Error {
	override readonly name = "ExportFailure";
	readonly reason: ClipExportFailure;

	/** `detail` is for a maintainer. */
	constructor(reason: ClipExportFailure, detail: string) {
		super(detail);
		this.reason = reason;
	}
}
