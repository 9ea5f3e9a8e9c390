import * as fs from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { silentLog } from "../../../../src/common/log.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";

interface FakeUri {
	readonly path: string;
}
const fileType = { File: 1, Directory: 2, SymbolicLink: 64 } as const;

/** The kind of a file as the editor tells it: that of what a link leads to, and that it is one. */
async function typeOf(path: string): Promise<number> {
	const isLink = (await fs.lstat(path)).isSymbolicLink();
	const kind = (await fs.stat(path)).isDirectory() ? fileType.Directory : fileType.File;
	return isLink ? kind | fileType.SymbolicLink : kind;
}

const watcher = {
	onDidCreate: () => undefined,
	onDidChange: () => undefined,
	onDidDelete: () => undefined,
	dispose: () => undefined,
};
const workspace = {
	isTrusted: true,
	workspaceFolders: [] as { readonly name: string; readonly uri: FakeUri }[],
	createFileSystemWatcher: () => watcher,
	onDidChangeWorkspaceFolders: () => watcher,
	fs: {
		stat: async ({ path }: FakeUri) => ({
			type: await typeOf(path),
			size: (await fs.stat(path)).size,
		}),
		readDirectory: async ({ path }: FakeUri) =>
			Promise.all(
				(await fs.readdir(path)).map(async name => [name, await typeOf(join(path, name))]),
			),
		readFile: ({ path }: FakeUri) => fs.readFile(path),
	},
};
vi.mock("vscode", () => ({
	workspace,
	FileType: fileType,
	RelativePattern: Object,
	Uri: {
		joinPath: ({ path }: FakeUri, ...parts: string[]): FakeUri => ({ path: join(path, ...parts) }),
	},
}));
const { UserPrompts } = await import("../../../../src/ui/composer/userPrompts.ts");

describe.skipIf(process.platform === "win32")("A prompt of the workspace", () => {
	let root = "";

	beforeEach(async () => {
		root = await makeTempFolder();
		workspace.workspaceFolders = [{ name: "w", uri: { path: join(root, "w") } }];
		await fs.mkdir(join(root, "elsewhere", "prompts"), { recursive: true });
		await fs.writeFile(join(root, "elsewhere", "prompts", "secret.md"), "From elsewhere");
		await fs.mkdir(join(root, "w"));
	});

	afterEach(() => {
		workspace.isTrusted = true;
	});

	async function names(): Promise<string[]> {
		const prompts = new UserPrompts(silentLog);
		onTestFinished(() => prompts.dispose());
		return (await prompts.list()).map(({ name }) => name);
	}

	async function putPrompt(): Promise<string> {
		const folder = join(root, "w", ".cutaway", "prompts");
		await fs.mkdir(folder, { recursive: true });
		await fs.writeFile(join(folder, "review.md"), "Review $selection");
		return folder;
	}

	test("is there in a trusted workspace alone", async () => {
		await putPrompt();
		expect(await names()).toEqual(["review"]);
		workspace.isTrusted = false;
		expect(await names()).toEqual([]);
	});

	test("is never a link to a file", async () => {
		const folder = await putPrompt();
		await fs.symlink(join(root, "elsewhere", "prompts", "secret.md"), join(folder, "link.md"));
		expect(await names()).toEqual(["review"]);
	});

	test.each(["folder of prompts", "folder above it"])("is in no linked %s", async which => {
		if (which === "folder above it") {
			await fs.symlink(join(root, "elsewhere"), join(root, "w", ".cutaway"));
		} else {
			await fs.mkdir(join(root, "w", ".cutaway"));
			await fs.symlink(join(root, "elsewhere", "prompts"), join(root, "w", ".cutaway", "prompts"));
		}
		expect(await names()).toEqual([]);
	});
});
