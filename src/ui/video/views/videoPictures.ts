import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { toError } from "../../../common/errors.ts";
import type { Log } from "../../../common/log.ts";
import { maxPictureCharacters } from "../../../shared/videoCard.ts";
import { writeAtomically } from "../../../storage/atomicFile.ts";

const kinds = {
	webp: {
		type: "image/webp",
		/** `RIFF`, a size, `WEBP`. Source: RFC 9649 §2.4. */
		isMagic: (bytes: Buffer) =>
			bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP",
	},
	jpg: {
		type: "image/jpeg",
		/** Start of image, then the first marker. Source: ITU-T T.81 §B.1.1.3. */
		isMagic: (bytes: Buffer) => bytes.toString("hex", 0, 3) === "ffd8ff",
	},
} as const;
type Kind = keyof typeof kinds;

const kindNames: readonly Kind[] = ["webp", "jpg"];

const fileName = /^([a-z0-9-]{1,64})\.(webp|jpg)$/;

/** Thumbnails of clips, created by a preview when it first plays one. They aren't decoded here. */
export class VideoPictures {
	readonly folder: string;
	private readonly files: Map<string, string>;
	private readonly log: Log;
	private readonly addresses = new Map<string, string>();

	/** Opens the thumbnails' folder, which is created with the first one. */
	static async open(folder: string, log: Log): Promise<VideoPictures> {
		return new VideoPictures(folder, await picturesIn(folder), log);
	}

	private constructor(folder: string, files: Map<string, string>, log: Log) {
		this.folder = folder;
		this.files = files;
		this.log = log;
	}

	/** Returns the file of a job's thumbnail, if there is one. */
	file(id: string): string | undefined {
		return this.files.get(id);
	}

	/** Returns the thumbnail as a `data:` URL, after `read` has read it. */
	address(id: string): string | undefined {
		return this.addresses.get(id);
	}

	/** Reads a job's thumbnail. Resolves to true if it was not read before. */
	async read(id: string): Promise<boolean> {
		const file = this.files.get(id);
		if (file === undefined || this.addresses.has(id)) {
			return false;
		}
		const bytes = await readFile(file).catch(() => Buffer.of());
		const kind = kindOf(bytes);
		if (kind) {
			this.addresses.set(id, addressOf(bytes, kind));
		}
		return kind !== undefined;
	}

	/** Stores a thumbnail from a page. Resolves to false if it isn't WebP or JPEG or is too large. */
	async keep(id: string, address: string): Promise<boolean> {
		const bytes = bytesOf(address);
		const kind = bytes && kindOf(bytes);
		if (!bytes || !kind || !fileName.test(`${id}.${kind}`)) {
			return false;
		}
		const file = join(this.folder, `${id}.${kind}`);
		try {
			await mkdir(this.folder, { recursive: true });
			await writeAtomically(file, bytes);
		} catch (error) {
			this.log.warn("A picture of a clip could not be kept", { error: toError(error).message });
			return false;
		}
		this.files.set(id, file);
		this.addresses.set(id, addressOf(bytes, kind));
		return true;
	}

	/** Deletes the thumbnails of all other jobs. */
	async tidy(jobIds: ReadonlySet<string>): Promise<void> {
		for (const [id, file] of [...this.files].filter(entry => !jobIds.has(entry[0]))) {
			this.files.delete(id);
			this.addresses.delete(id);
			await rm(file, { force: true });
		}
	}
}

/** Returns the thumbnails in a folder by job id; none if it doesn't exist. */
async function picturesIn(folder: string): Promise<Map<string, string>> {
	const names = await readdir(folder).catch(() => []);
	return new Map(
		names.flatMap(name => {
			const id = fileName.exec(name)?.[1];
			return id === undefined ? [] : [[id, join(folder, name)] as const];
		}),
	);
}

/** Decodes a `data:` URL. Returns undefined for any other URL and one that is too long. */
function bytesOf(address: string): Buffer | undefined {
	const content = /^data:image\/(?:webp|jpeg);base64,([A-Za-z0-9+/]+={0,2})$/.exec(address)?.[1];
	return content === undefined || address.length > maxPictureCharacters
		? undefined
		: Buffer.from(content, "base64");
}

function kindOf(bytes: Buffer): Kind | undefined {
	return kindNames.find(kind => kinds[kind].isMagic(bytes));
}

/** Returns the `data:` URL of validated bytes; the type is the detected one. */
function addressOf(bytes: Buffer, kind: Kind): string {
	return `data:${kinds[kind].type};base64,${bytes.toString("base64")}`;
}
