/** A file that Python of the local service has written, as a link in an answer. */
export interface WrittenFileLink {
	readonly id: string;
	readonly name: string;
}

const addressPattern = /^cutaway-file:(file-[\w-]{22})\/([^/]{1,600})$/;

/** Returns the address of a link that saves a written file. */
export function addressOfWrittenFile({ id, name }: WrittenFileLink): string {
	const base = name.split("/").at(-1) ?? "";
	const encoded = encodeURIComponent(base.slice(0, 200).toWellFormed());
	return `cutaway-file:${id}/${encoded.replaceAll(/[()]/g, each => (each === "(" ? "%28" : "%29"))}`;
}

/** Returns what a link's address saves; undefined for other addresses. */
export function writtenFileAt(address: string): WrittenFileLink | undefined {
	const [, id, name] = addressPattern.exec(address) ?? [];
	try {
		return id === undefined || name === undefined
			? undefined
			: { id, name: decodeURIComponent(name) };
	} catch {
		// An invalid escape sequence.
		return undefined;
	}
}
