import assert from "node:assert/strict";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { silentLog } from "../../src/common/log.ts";
import { UserPrompts } from "../../src/ui/composer/userPrompts.ts";

describe("prompts of the workspace", () => {
	const folder = (): vscode.Uri => {
		const [first] = vscode.workspace.workspaceFolders ?? [];
		assert.ok(first, "a folder is open");
		return vscode.Uri.joinPath(first.uri, ".cutaway");
	};
	const put = (name: string, text: string) =>
		vscode.workspace.fs.writeFile(
			vscode.Uri.joinPath(folder(), "prompts", name),
			Buffer.from(text),
		);
	const prompts = new UserPrompts(silentLog);
	const names = async () => (await prompts.list()).map(({ name }) => name);

	/** Resolves once the names are these: a watcher of files says so when it likes. */
	async function untilNames(expected: readonly string[]): Promise<void> {
		const end = Date.now() + 15_000;
		while ((await names()).join() !== expected.join()) {
			assert.ok(Date.now() < end, `waited 15 s for ${expected.join()}`);
			await new Promise(resolve => setTimeout(resolve, 50));
		}
	}

	after(async () => {
		prompts.dispose();
		await vscode.workspace.fs.delete(folder(), { recursive: true });
	});

	it("are its plain Markdown files, named by one word, of at most 64 KB", async () => {
		await put("Review.md", "---\ndescription: Reviews code\n---\nReview $selection");
		await put("two words.md", "No");
		await put("notes.txt", "No");
		await put("empty.md", " \n");
		await put("large.md", "x".repeat(64 * 1024 + 1));
		await symlink(
			vscode.Uri.joinPath(folder(), "prompts", "Review.md").fsPath,
			join(folder().fsPath, "prompts", "link.md"),
		);
		await untilNames(["review"]);
		const [review] = await prompts.list();
		assert.equal(review?.description, "Reviews code");
		assert.equal(review.text, "Review $selection");
	});

	it("are read again when a file comes, changes or goes", async () => {
		await put("fix.md", "Fix it.");
		await untilNames(["fix", "review"]);
		await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder(), "prompts", "fix.md"));
		await untilNames(["review"]);
	});
});
