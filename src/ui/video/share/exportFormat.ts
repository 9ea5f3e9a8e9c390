import { basename, extname } from "node:path";
import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import type { StoredValue } from "../../base/keptValue.ts";
import { type ExportFormat, clipFormatSchema, clipWidths } from "../../../shared/video.ts";

const choiceSchema = z.object({
	format: clipFormatSchema,
	width: z.union(clipWidths.map(width => z.literal(width))),
	isLooping: z.boolean(),
	hasCaptions: z._default(z.boolean(), false),
	hasGround: z._default(z.boolean(), true),
});

export type ExportChoice = z.infer<typeof choiceSchema>;

/** The default choice: plays in a README. */
const firstChoice: ExportChoice = {
	format: "webp",
	width: 720,
	isLooping: true,
	hasCaptions: false,
	hasGround: true,
};

/** Returns the last choice, or the default. */
export function lastChoice(memory: Pick<StoredValue, "get">): ExportChoice {
	const kept = z.safeParse(choiceSchema, memory.get());
	return kept.success ? kept.data : firstChoice;
}

/** Returns the choice for an image that replaces the clip: like the last export, with the clip's background. */
export function imageChoice(memory: Pick<StoredValue, "get">, format: ExportFormat): ExportChoice {
	return { ...lastChoice(memory), hasGround: true, format };
}

/** Returns a format's name, as in “Save Animated WebP”. */
export function formatName(format: ExportFormat): string {
	return {
		webp: l10n.t("Animated WebP"),
		gif: l10n.t("Animated GIF"),
		mp4: "MP4",
		png: l10n.t("PNG Image"),
	}[format];
}

/** Returns the clip's file name with the format's extension. */
export function fileNameOf(clip: string, { format }: Pick<ExportChoice, "format">): string {
	return `${basename(clip, extname(clip))}.${format}`;
}

/** Returns the widths to offer for a clip, without enlarging it. Returns all if its own width is unknown. */
export function widthsFor(own: number | undefined): readonly ExportChoice["width"][] {
	const fitting = clipWidths.filter(width => own === undefined || width <= own);
	return fitting.length > 0 ? fitting : clipWidths.slice(0, 1);
}

/** Width of the file from which other sizes are estimated, in pixels. */
export const measuredWidth = 480;

/** The largest image that GitHub accepts in a comment, in bytes. */
export const gitHubBytes = 10_000_000;

/** Estimates the size of a file from that of one `measuredWidth` wide. Flat images grow more slowly than their area. */
export function estimatedBytes(measured: number, width: number): number {
	return measured * (width / measuredWidth) ** 1.6;
}
