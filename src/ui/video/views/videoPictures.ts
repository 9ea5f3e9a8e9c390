import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { toError } from "../../../common/errors.ts";
import type { Log } from "../../../common/log.ts";
import { maxPictureCharacters } from "../../../shared/video.ts";
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

/** The kinds a picture can have. */
const kindNames: readonly Kind[] = ["webp", "jpg"];

const fileName = /^([a-z0-9-]{1,64})\.(webp|jpg)$/;

/** Small pictures of clips, taken by a preview when it first plays one; nothing here decodes them. */
export class VideoPictures {
	readonly folder: string;
	private readonly files: Map<string, string>;
	private readonly log: Log;
	private readonly addresses = new Map<string, string>();

	/** Opens the folder of the pictures; made when the first one is kept. */
	static async open(folder: string, log: Log): Promise<VideoPictures> {
		return new VideoPictures(folder, await picturesIn(folder), log);
	}

	private constructor(folder: string, files: Map<string, string>, log: Log) {
		this.folder = folder;
		this.files = files;
		this.log = log;
	}

	/** File of a job's picture; undefined when there is none. */
	file(id: string): string | undefined {
		return this.files.get(id);
	}

	/** The picture as a `data:` address, once `read` has read it. */
	address(id: string): string | undefined {
		return this.addresses.get(id);
	}

	/** Reads a job's picture; true when there is one that was not known before. */
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

	/** Keeps a picture that a page took; one that is no WebP or JPEG of a decent size is refused with false. */
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

	/** Deletes the pictures of all other jobs. */
	async tidy(jobIds: ReadonlySet<string>): Promise<void> {
		for (const [id, file] of [...this.files].filter(entry => !jobIds.has(entry[0]))) {
			this.files.delete(id);
			this.addresses.delete(id);
			await rm(file, { force: true });
		}
	}
}

/** The pictures of a folder by their job's id; a folder that is not there holds none. */
async function picturesIn(folder: string): Promise<Map<string, string>> {
	const names = await readdir(folder).catch(() => []);
	return new Map(
		names.flatMap(name => {
			const id = fileName.exec(name)?.[1];
			return id === undefined ? [] : [[id, join(folder, name)] as const];
		}),
	);
}

/** Bytes of a `data:` address; undefined for any other address and for one that is too long. */
function bytesOf(address: string): Buffer | undefined {
	const content = /^data:image\/(?:webp|jpeg);base64,([A-Za-z0-9+/]+={0,2})$/.exec(address)?.[1];
	return content === undefined || address.length > maxPictureCharacters
		? undefined
		: Buffer.from(content, "base64");
}

function kindOf(bytes: Buffer): Kind | undefined {
	return kindNames.find(kind => kinds[kind].isMagic(bytes));
}

/** The `data:` address of checked bytes; the kind is what the bytes show, whatever the page reported. */
function addressOf(bytes: Buffer, kind: Kind): string {
	return `data:${kinds[kind].type};base64,${bytes.toString("base64")}`;
}
