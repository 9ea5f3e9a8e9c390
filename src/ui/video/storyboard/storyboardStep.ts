import * as l10n from "@vscode/l10n";
import type * as vscode from "vscode";
import { isFree, type StoryboardScene, type VideoEndpoint } from "../../../video/job/videoJob.ts";
import type { VideoEngineOffer } from "../request/videoOptions.ts";
import { videosName } from "./storyboardDocument.ts";

/** A line of the last step before a storyboard is sent. */
export interface StepItem extends vscode.QuickPickItem {
	readonly isGenerate?: true;
}

/** The lines of that step, once it is known what the scenes cost, or known not to be told. */
export async function stepItems(
	scenes: readonly StoryboardScene[],
	endpoint: VideoEndpoint,
	offer: VideoEngineOffer | undefined,
): Promise<readonly StepItem[]> {
	const seconds = scenes.reduce((sum, { duration }) => sum + duration, 0);
	const price = await offer?.price;
	const cost = offer && price?.(...scenes.map(({ duration }) => offer.seconds(duration)));
	return [
		{
			label: `$(play) ${videosName(scenes.length)}`,
			description: [
				l10n.t("{0} s in all", seconds),
				...(cost === undefined ? [] : [l10n.t("{0} in all", cost)]),
			].join(" · "),
			detail: requestsName(endpoint),
			isGenerate: true,
		},
		{ label: `$(edit) ${l10n.t("Keep Editing")}` },
	];
}

function requestsName(endpoint: VideoEndpoint): string {
	const { kind, label, engine } = endpoint;
	if (kind === "local" && engine === undefined) {
		return l10n.t("One after the other, on this machine. Nothing is charged.");
	}
	return isFree(endpoint)
		? l10n.t("One request for each, to {0}.", label)
		: l10n.t("One request for each, to {0}. Each may be charged.", label);
}
