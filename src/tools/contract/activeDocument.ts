import * as l10n from "@vscode/l10n";
import { ToolFailure } from "../../common/errors.ts";
import { sensitiveFileMessage } from "../../paths/pathForm.ts";
import type { PathTarget } from "../../paths/resolveTarget.ts";
import { sensitiveReason } from "../../paths/sensitivePaths.ts";
import type { ActiveDocument } from "./editorActions.ts";
import { oneLine } from "../../common/shortText.ts";
import { sha256 } from "./safeFile.ts";
import type { ToolDependencies, ToolPlan } from "./tool.ts";

/** Returns the active document, and its file if it has one. Throws if there is none or it isn't allowed. */
export function activeDocument(dependencies: ToolDependencies): {
	readonly document: ActiveDocument;
	readonly target: PathTarget | undefined;
} {
	const document = dependencies.editor.activeDocument();
	if (!document) {
		throw new ToolFailure("No text editor is open.");
	}
	const target =
		document.path === undefined
			? undefined
			: dependencies.resolve({ path: document.path, use: "read", expects: "file" });
	return { document, target };
}

export function lookAtActive(
	dependencies: ToolDependencies,
	summarize: (label: string) => string,
	tell: (
		document: ActiveDocument,
		label: string,
	) => { readonly told: string; readonly warnings: readonly string[] },
): ToolPlan {
	const { document, target } = activeDocument(dependencies);
	const label = target?.label ?? oneLine(document.address ?? document.name);
	const { told, warnings } = tell(document, label);
	return {
		summary: summarize(label),
		targets: target ? [target] : [],
		isAskedForSecrets: true,
		warnings: [...(target ? [] : addressWarnings(document, label)), ...warnings],
		binding: [sha256(document.text)],
		// Uses the text that was approved, even if another editor is active by then.
		run: () => Promise.resolve(told),
	};
}

/** Documents outside the workspace may have any origin; only an untitled one is certainly the user's own. */
function addressWarnings({ address, name }: ActiveDocument, label: string): string[] {
	const reason = sensitiveReason(address ?? name, "read");
	return [
		...(reason ? [sensitiveFileMessage(reason, label)] : []),
		...(address === undefined ? [] : [l10n.t("{0} is outside the workspace", label)]),
	];
}
