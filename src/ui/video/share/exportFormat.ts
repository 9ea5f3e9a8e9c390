import { basename, extname } from "node:path";
import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import type { KeptValue } from "../../base/keptValue.ts";
import { type ExportFormat, clipFormatSchema, clipWidths } from "../../../shared/clipExport.ts";

const choiceSchema = z.object({
	format: clipFormatSchema,
	width: z.union(clipWidths.map(width => z.literal(width))),
	isLooping: z.boolean(),
	hasCaptions: z._default(z.boolean(), false),
});

/** Format that a clip is exported as. */
export type ExportChoice = z.infer<typeof choiceSchema>;

/** The choice before the user has made one: what plays in a README. */
const firstChoice: ExportChoice = {
	format: "webp",
	width: 720,
	isLooping: true,
	hasCaptions: false,
};

/** The last choice, or the one that fits a README. */
export function lastChoice(memory: Pick<KeptValue, "get">): ExportChoice {
	const kept = z.safeParse(choiceSchema, memory.get());
	return kept.success ? kept.data : firstChoice;
}

/** The name of a format, as in «Save Animated WebP». */
export function formatName(format: ExportFormat): string {
	return {
		webp: l10n.t("Animated WebP"),
		gif: l10n.t("Animated GIF"),
		mp4: "MP4",
		png: l10n.t("PNG Picture"),
	}[format];
}

/** The clip's name with the extension of the format. */
export function fileNameOf(clip: string, { format }: Pick<ExportChoice, "format">): string {
	return `${basename(clip, extname(clip))}.${format}`;
}

/** The widths that are offered for a clip: none that would enlarge it. All of them where its own is not known. */
export function widthsFor(own: number | undefined): readonly ExportChoice["width"][] {
	const fitting = clipWidths.filter(width => own === undefined || width <= own);
	return fitting.length > 0 ? fitting : clipWidths.slice(0, 1);
}

/** The width of the file that others are estimated from, in pixels. */
export const measuredWidth = 480;

/** The largest picture that GitHub takes in a comment, in bytes. */
export const gitHubBytes = 10_000_000;

/** The bytes of a file of a width, from those of one that is `measuredWidth` wide: flat pictures grow slower than their area. */
export function estimatedBytes(measured: number, width: number): number {
	return measured * (width / measuredWidth) ** 1.6;
}
