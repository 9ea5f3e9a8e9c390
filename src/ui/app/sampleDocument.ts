import * as vscode from "vscode";

/** URI of the sample: a read-only document that is created when opened and needs no saving. */
export const sampleUri = vscode.Uri.from({ scheme: "cutaway-sample", path: "/priceOf.ts" });

/** A few lines worth asking about that fit on a clip. The function is selected. */
const sample = `/** The price of an order in cents, with the discount that its size earns. */
function priceOf(items: readonly { cents: number; count: number }[]): number {
	const sum = items.reduce((total, { cents, count }) => total + cents * count, 0);
	const discount = sum > 100_00 ? 0.1 : sum > 50_00 ? 0.05 : 0;
	return Math.round(sum * (1 - discount));
}
`;

/** Provides the sample, also for a tab from before a reload. */
export function registerSample(): vscode.Disposable {
	return vscode.workspace.registerTextDocumentContentProvider(sampleUri.scheme, {
		provideTextDocumentContent: () => sample,
	});
}
