import { randomBytes } from "node:crypto";

/** A form field: text, or a file with its name and type. */
export type FormField =
	string | { readonly bytes: Uint8Array; readonly name: string; readonly type: string };

/** Encodes a multipart form and returns its body and content type. RFC 7578. */
export function encodeForm(fields: Readonly<Record<string, FormField>>): {
	readonly body: Uint8Array;
	readonly contentType: string;
} {
	const boundary = `cutaway-${randomBytes(16).toString("hex")}`;
	const parts = Object.entries(fields).flatMap(([name, value]) => [
		Buffer.from(
			`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${headOf(value)}\r\n\r\n`,
		),
		typeof value === "string" ? Buffer.from(value) : value.bytes,
		Buffer.from("\r\n"),
	]);
	return {
		body: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
		contentType: `multipart/form-data; boundary=${boundary}`,
	};
}

function headOf(value: FormField): string {
	return typeof value === "string"
		? ""
		: `; filename="${value.name}"\r\nContent-Type: ${value.type}`;
}

/** Creates a file field for an image, with the type detected by its first bytes. */
export function imageFile(bytes: Uint8Array, name: string): FormField {
	const [ending, type] =
		bytes[0] === 0x89
			? ["png", "image/png"]
			: bytes[0] === 0xff
				? ["jpg", "image/jpeg"]
				: bytes[0] === 0x47
					? ["gif", "image/gif"]
					: ["webp", "image/webp"];
	return { bytes, name: `${name}.${ending}`, type: type ?? "" };
}
