import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { defaultPackageMirror } from "../../common/modelSetup.ts";
import { isLoopbackHost } from "../../client/transport/transport.ts";
import type { FigureColors } from "../../common/clipLooks.ts";
import { formatSize } from "../base/amounts.ts";
import type { Settings } from "../base/settings.ts";

interface PythonSetup {
	readonly packageMirror: () => string;
	readonly figureColors: () => Promise<FigureColors>;
}

/** Returns what the local service needs to know for Python. */
export function pythonSetup(
	settings: Pick<Settings, "get">,
	looks: { readonly figureColors: PythonSetup["figureColors"] },
): PythonSetup {
	return {
		packageMirror: () => packageMirrorOf(settings),
		figureColors: () => looks.figureColors(),
	};
}

/** Returns the address that Python's packages are downloaded from: the setting, if it can be used. */
function packageMirrorOf(settings: Pick<Settings, "get">): string {
	const url = URL.parse(settings.get("localService.packageMirror"));
	const isSafe =
		url?.protocol === "https:" || (url?.protocol === "http:" && isLoopbackHost(url.hostname));
	return isSafe ? url.href : defaultPackageMirror;
}

/** Asks, deletes the downloaded packages of Python, and tells how much room that made. */
export async function deletePythonPackages(remove: () => Promise<number>): Promise<void> {
	const confirm = l10n.t("Delete");
	const choice = await vscode.window.showWarningMessage(
		l10n.t("Delete the downloaded packages of Python?"),
		{ modal: true, detail: l10n.t("Code that needs them asks again before they are downloaded.") },
		confirm,
	);
	if (choice === confirm) {
		const size = formatSize(await remove());
		void vscode.window.showInformationMessage(l10n.t("Deleted {0} of Python's packages.", size));
	}
}
