import { linkSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { resolveTarget, type WorkspacePaths } from "../../../src/paths/resolveTarget.ts";
import { makeTempFolder } from "../../helpers/tempFolder.ts";

const readFile = vi.fn<(uri: unknown) => Promise<Uint8Array>>();
const textDocuments: unknown[] = [];
vi.mock("vscode", () => ({ workspace: { textDocuments, fs: { readFile } } }));
const { openDocument, readVirtualFile } = await import("../../../src/editor/documents.ts");

const uriOf = (text: string) => ({ path: text.slice(text.indexOf(":") + 1), toString: () => text });
const open = (text: string, content: string, isUntitled: boolean): void => {
	textDocuments.splice(0, textDocuments.length, {
		uri: uriOf(text),
		isUntitled,
		getText: () => content,
	});
};
const read = async (text: string): Promise<string> => {
	const { name, bytes } = await readVirtualFile(uriOf(text) as never);
	return `${name}: ${new TextDecoder().decode(bytes)}`;
};

test("a document that was never saved is read from the editor, without a look for its file", async () => {
	open("untitled:Untitled-1", "a draft, süß", true);
	expect(await read("untitled:Untitled-1")).toBe("Untitled-1: a draft, süß");
	expect(readFile).not.toHaveBeenCalled();
});

test("a file of a virtual workspace is read from its file system", async () => {
	open("memfs:/a/notes.md", "changed since", false);
	readFile.mockResolvedValueOnce(new TextEncoder().encode("as saved"));
	expect(await read("memfs:/a/notes.md")).toBe("notes.md: as saved");
});

test("unsaved changes of a file of a virtual workspace count, as those of any other", async () => {
	open("memfs:/a/notes.md", "typed since", false);
	Object.assign(textDocuments[0] ?? {}, { isDirty: true });
	expect(await read("memfs:/a/notes.md")).toBe("notes.md: typed since");
});

test("what no file system holds is read from the editor, or a sentence says that it was not attached", async () => {
	readFile.mockRejectedValue(new Error("Unable to resolve filesystem provider"));
	open("output:log", "lines", false);
	expect(await read("output:log")).toBe("log: lines");
	textDocuments.length = 0;
	await expect(read("output:log")).rejects.toThrow("log couldn't be read and wasn't attached.");
});

test("the document of a file is found by a name in other letters where the file system takes both for it", async () => {
	const root = realpathSync(await makeTempFolder());
	const paths: WorkspacePaths = { roots: [{ name: "w", path: root }], platform: "darwin" };
	writeFileSync(join(root, "README.md"), "one");
	writeFileSync(join(root, "OTHER.md"), "two");
	// As a file system that ignores case shows it.
	linkSync(join(root, "README.md"), join(root, "readme.md"));
	const documentAt = (name: string) => ({ uri: { scheme: "file", fsPath: join(root, name) } });
	textDocuments.splice(0, textDocuments.length, documentAt("OTHER.md"), documentAt("README.md"));
	const asked = resolveTarget("readme.md", paths);
	expect(asked.ok && openDocument(asked.target, paths)).toBe(textDocuments[1]);
});
