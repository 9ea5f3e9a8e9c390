import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { Disposable } from "../common/disposable.ts";
import type { EditPreview } from "../tools/contract/edits.ts";

/** Scheme of both sides of a diff. Their texts are held in memory only. */
const scheme = "cutaway-edit";

/** The number of comparison sides to keep, two for each comparison. */
const maxCompared = 100;

/** Shows changes in the editor's diff view. Both sides are virtual documents; files aren't changed. */
export class EditPreviews extends Disposable {
	private readonly texts = new Map<string, string>();
	private readonly compared: string[] = [];
	private count = 0;

	constructor() {
		super();
		this.register(
			vscode.workspace.registerTextDocumentContentProvider(scheme, {
				provideTextDocumentContent: uri => this.texts.get(uri.toString()) ?? "",
			}),
		);
	}

	/** Opens a diff for each file, or the whole text for a created or deleted file, beside the chat without moving the focus. Disposing closes them. */
	async show(preview: EditPreview): Promise<vscode.Disposable> {
		const sides: vscode.Uri[] = [];
		for (const { target, before, after, change } of preview.files) {
			const title = previewTitle(target.label, change);
			const options = { preview: false, preserveFocus: true };
			if (change === "create" || change === "delete") {
				// Compared with nothing, a diff would show an additional empty line.
				const side = this.side(target.label, "whole", change === "create" ? after : before);
				sides.push(side);
				await vscode.commands.executeCommand("vscode.open", side, options, title);
				continue;
			}
			const left = this.side(target.label, "before", before);
			const right = this.side(target.label, "after", after);
			sides.push(left, right);
			await vscode.commands.executeCommand("vscode.diff", left, right, title, options);
		}
		return new vscode.Disposable(() => void this.close(sides));
	}

	/**
	 * Shows a saved text beside the current content of a file, or beside nothing if `path` is undefined. The right side is editable. Keeps the last 50
	 * texts for tabs that are reopened.
	 */
	async compare(
		label: string,
		before: string,
		path: string | undefined,
		title: string,
	): Promise<void> {
		const left = this.side(label, "before", before);
		const right = path === undefined ? this.side(label, "after", "") : vscode.Uri.file(path);
		this.compared.push(left.toString(), right.toString());
		this.compared.splice(0, this.compared.length - maxCompared).forEach(name => {
			this.texts.delete(name);
		});
		await vscode.commands.executeCommand("vscode.diff", left, right, title, { preview: true });
	}

	private side(label: string, part: string, text: string): vscode.Uri {
		this.count += 1;
		const query = `${part}-${this.count}`;
		const uri = vscode.Uri.from({ scheme, path: `/${label}`, query });
		this.texts.set(uri.toString(), text);
		return uri;
	}

	private async close(sides: readonly vscode.Uri[]): Promise<void> {
		const names = new Set(sides.map(String));
		const tabs = vscode.window.tabGroups.all
			.flatMap(group => group.tabs)
			.filter(
				({ input }) =>
					(input instanceof vscode.TabInputTextDiff && names.has(input.modified.toString())) ||
					(input instanceof vscode.TabInputText && names.has(input.uri.toString())),
			);
		await vscode.window.tabGroups.close(tabs, true);
		names.forEach(name => this.texts.delete(name));
	}
}

function previewTitle(label: string, change: EditPreview["files"][number]["change"]): string {
	switch (change) {
		case "edit":
			return l10n.t("{0} (proposed edit)", label);
		case "create":
			return l10n.t("{0} (proposed file)", label);
		case "delete":
		case "rename":
			return l10n.t("{0} (proposed deletion)", label);
	}
}
