import * as z from "zod/mini";
import { type VideoJob, videoJobSchema } from "../job/videoJob.ts";

/** Format version of records. Records of a newer version are shown if possible, and never written. */
const recordFormat = 1;

const recordSchema = z.object({ format: z.int(), job: videoJobSchema });
const versionSchema = z.object({ format: z.int() });

export type ReadRecord =
	| { readonly kind: "job"; readonly job: VideoJob; readonly isNewer: boolean }
	/** Written by a newer version, and this version can't show it. */
	| { readonly kind: "newer" }
	| { readonly kind: "damaged" };

export function encodeRecord(job: VideoJob): string {
	return `${JSON.stringify({ format: recordFormat, job })}\n`;
}

/** Parses a record. `id` is the id in the file name, which the job's own id must match. */
export function decodeRecord(record: string, id: string): ReadRecord {
	let body: unknown;
	try {
		body = JSON.parse(record);
	} catch {
		return { kind: "damaged" };
	}
	const version = z.safeParse(versionSchema, body);
	const isNewer = version.success && version.data.format > recordFormat;
	const parsed = z.safeParse(recordSchema, body);
	if (parsed.success && parsed.data.job.id === id) {
		return { kind: "job", job: parsed.data.job, isNewer };
	}
	return { kind: isNewer ? "newer" : "damaged" };
}
