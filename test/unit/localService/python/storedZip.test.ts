import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { storeZip } from "../../../../src/localService/python/storedZip.ts";
import { listZip } from "../../../helpers/zip.ts";

/** An archive as other programs write it: packed, with an extra field, a folder and a comment. */
function packedZip(files: Readonly<Record<string, string>>): Buffer {
	const parts: Buffer[] = [];
	const directory: Buffer[] = [];
	let offset = 0;
	for (const [name, text] of Object.entries(files)) {
		const content = deflateRawSync(Buffer.from(text));
		const local = Buffer.alloc(30 + name.length + 4);
		local.writeUInt32LE(0x04034b50, 0);
		local.writeUInt16LE(8, 8);
		local.writeUInt16LE(name.length, 26);
		local.writeUInt16LE(4, 28);
		local.write(name, 30);
		const entry = Buffer.alloc(46 + name.length);
		entry.writeUInt32LE(0x02014b50, 0);
		entry.writeUInt16LE(8, 10);
		entry.writeUInt32LE(content.length, 20);
		entry.writeUInt32LE(text.length, 24);
		entry.writeUInt16LE(name.length, 28);
		entry.writeUInt32LE(offset, 42);
		entry.write(name, 46);
		parts.push(local, content);
		directory.push(entry);
		offset += local.length + content.length;
	}
	const index = Buffer.concat(directory);
	const end = Buffer.alloc(22 + 7);
	end.writeUInt32LE(0x06054b50, 0);
	end.writeUInt16LE(directory.length, 8);
	end.writeUInt16LE(directory.length, 10);
	end.writeUInt32LE(index.length, 12);
	end.writeUInt32LE(offset, 16);
	end.writeUInt16LE(7, 20);
	end.write("comment", 22);
	return Buffer.concat([...parts, index, end]);
}

test("an archive is written again with the same contents, without folders and what is refused", () => {
	const archive = packedZip({
		"a.py": "print(1)\n".repeat(50),
		"b/": "",
		"b/c.py": "",
		"b/d.py": "x",
	});
	const stored = listZip(storeZip(archive, name => name !== "b/d.py"));
	expect(stored.map(entry => [entry.name, entry.read().toString()])).toEqual([
		["a.py", "print(1)\n".repeat(50)],
		["b/c.py", ""],
	]);
	expect(stored.every(entry => entry.size === entry.compressedSize)).toBe(true);
});
