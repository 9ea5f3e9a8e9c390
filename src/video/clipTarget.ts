import * as fs from "node:fs/promises";
import { basename, join, parse } from "node:path";
import * as z from "zod/mini";
import { systemCode, tryCreate, tryCreateAtPlace, writeAtomically } from "./atomicFile.ts";
import { numberedName } from "./videoFileName.ts";
import type { ClipTarget } from "./videoJob.ts";

/** What is known of the bytes in a `.part`: whose they are, which version of the clip they are of, and how long that is. */
export interface PartTag {
	/** The job that took the name; two jobs never write to one part. */
	readonly owner?: string | undefined;
	/** A strong `ETag`, or the date the clip was last changed; without it nothing can be resumed. */
	readonly validator?: string | undefined;
	readonly total?: number | undefined;
	/** The name that the whole clip is being given. */
	readonly name?: string | undefined;
}

const tagSchema = z.object({
	owner: z.optional(z.string()),
	validator: z.optional(z.string()),
	total: z.optional(z.number()),
	name: z.optional(z.string().check(z.refine(name => name !== "" && basename(name) === name))),
});

/** Where a clip's bytes are gathered. */
export const partPath = ({ folder, baseName }: ClipTarget): string =>
	join(folder, `${baseName}.part`);

const tagPath = (target: ClipTarget): string => `${partPath(target)}.json`;

/** It bears the job's id, so that one left by a crash is known for whose it is. */
const draftPath = (target: ClipTarget, owner: string): string => `${tagPath(target)}.${owner}.tmp`;

/** A name to take for a job's clip. */
export interface Reservation {
	/** Absolute path; made when needed. */
	readonly folder: string;
	readonly baseName: string;
	readonly owner: string;
	/**
	 * Hears of a name before anything of it is on the disk. Once it is in the job's record, whatever a crash leaves can be found
	 * again. Throws when the job no longer wants one.
	 */
	readonly onChosen: (target: ClipTarget) => Promise<void>;
}

/**
 * Picks a name that no file in the folder has, in any case of letters and with any ending, and takes it for `owner`; one it
 * has taken before serves again.
 */
export async function reserveTarget(reservation: Reservation): Promise<ClipTarget> {
	const { folder, baseName, owner, onChosen } = reservation;
	await fs.mkdir(folder, { recursive: true });
	const taken = new Set((await fs.readdir(folder)).map(name => stemOf(name).toLowerCase()));
	for (let attempt = 1; ; attempt += 1) {
		const target = { folder, baseName: numberedName(baseName, attempt) };
		if (taken.has(target.baseName.toLowerCase())) {
			if (await isTargetOf(target, owner)) {
				await onChosen(target);
				return target;
			}
			continue;
		}
		await onChosen(target);
		if (await tryTake(target, owner)) {
			return target;
		}
	}
}

/** The tag says whose a name is, so it comes before the part and goes after it. */
async function tryTake(target: ClipTarget, owner: string): Promise<boolean> {
	const text = JSON.stringify({ owner } satisfies PartTag);
	if (!(await tryCreate(tagPath(target), text, draftPath(target, owner)))) {
		return false;
	}
	let isTaken = false;
	try {
		isTaken = await tryCreateAtPlace(partPath(target), "");
		return isTaken;
	} finally {
		if (!isTaken) {
			await fs.rm(tagPath(target), { force: true });
		}
	}
}

/** Whether a name is still the one this job has taken; not once its part was discarded or its clip recorded. */
export async function isTargetOf(target: ClipTarget, owner: string): Promise<boolean> {
	return (await readTag(target))?.owner === owner;
}

/** Reads a tag; undefined when there is none that can be read. Other failures are the system's errors. */
export async function readTag(target: ClipTarget): Promise<PartTag | undefined> {
	try {
		return z.safeParse(tagSchema, JSON.parse(await fs.readFile(tagPath(target), "utf8"))).data;
	} catch (error) {
		if (systemCode(error) === "ENOENT" || error instanceof SyntaxError) {
			return undefined;
		}
		throw error;
	}
}

/** Replaces the tag of a name that `owner` has taken. */
export async function writeTag(target: ClipTarget, owner: string, tag: PartTag): Promise<void> {
	const draft = draftPath(target, owner);
	await fs.rm(draft, { force: true });
	await writeAtomically(tagPath(target), JSON.stringify({ ...tag, owner }), draft);
}

/** Deletes what a job left beside a clip that is recorded or given up: its own files, and nobody else's. */
export async function discardPart(target: ClipTarget, owner: string): Promise<void> {
	await fs.rm(draftPath(target, owner), { force: true });
	if (await isTargetOf(target, owner)) {
		await fs.rm(partPath(target), { force: true });
		await fs.rm(tagPath(target), { force: true });
	}
}

/** A name that a job has, or had, taken. */
export interface TakenName {
	readonly target: ClipTarget;
	readonly owner: string;
}

/**
 * Deletes what crashes left of names whose jobs need them no more. Each folder is looked through once; one that cannot be
 * read is left as it is. Throws the system's errors about single files.
 */
export async function discardParts(taken: readonly TakenName[]): Promise<void> {
	const byFolder = Map.groupBy(taken, ({ target }) => target.folder);
	for (const [folder, names] of byFolder) {
		const present = new Set(await fs.readdir(folder).catch(() => []));
		const left = names.filter(
			({ target, owner }) =>
				present.has(basename(tagPath(target))) || present.has(basename(draftPath(target, owner))),
		);
		for (const { target, owner } of left) {
			await discardPart(target, owner);
		}
	}
}

function stemOf(name: string): string {
	return parse(name.replace(/\.part\.json$/, ".part")).name;
}
