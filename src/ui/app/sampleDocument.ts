import * as vscode from "vscode";

/** The sample's address: a document that is made when it is opened, can't be changed and leaves nothing to save. */
export const sampleUri = vscode.Uri.from({ scheme: "cutaway-sample", path: "/priceOf.ts" });

/** A few lines that are worth asking about and fit on a clip; the function is what gets selected. */
const sample = `/** The price of an order in cents, with the discount that its size earns. */
function priceOf(items: readonly { cents: number; count: number }[]): number {
	const sum = items.reduce((total, { cents, count }) => total + cents * count, 0);
	const discount = sum > 100_00 ? 0.1 : sum > 50_00 ? 0.05 : 0;
	return Math.round(sum * (1 - discount));
}
`;

/** Makes the sample for whoever opens it, also in a tab from before a reload. */
export function registerSample(): vscode.Disposable {
	return vscode.workspace.registerTextDocumentContentProvider(sampleUri.scheme, {
		provideTextDocumentContent: () => sample,
	});
}
