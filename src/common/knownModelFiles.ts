/** What the hub's own word about a model's file was when it was looked up. */
export interface KnownModelFile {
	/** Commit of the repository. */
	readonly commit: string;
	/** SHA-256 of the whole file, in hexadecimal. */
	readonly sha256: string;
}

/** Files of the offered models by name. `npm run model-hashes` fills this in where the hub can be reached; a file that isn't here is checked by the hub's word. */
export const knownModelFiles: Readonly<Record<string, KnownModelFile>> = {};
