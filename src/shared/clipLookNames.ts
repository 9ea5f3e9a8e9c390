import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import {
	type ChosenLook,
	type ClipGround,
	clipGrounds,
	type ClipPadding,
	clipPaddings,
	clipShapes,
	type ClipThemeName,
	type ClipTypeSize,
	clipTypeSizes,
	type FrameShape,
	maxThemeName,
} from "../common/clipLooks.ts";

/** A color as `#rrggbb`, in any case. */
export const groundColorSchema = z.string().check(z.regex(/^#[\da-f]{6}$/i));

export const chosenLookSchema = z.strictObject({
	shape: z.enum(clipShapes),
	theme: z.string().check(z.maxLength(maxThemeName)),
	ground: z.enum(clipGrounds),
	groundColor: groundColorSchema,
	typeSize: z.enum(clipTypeSizes),
	bar: z.boolean(),
	numbers: z.boolean(),
	padding: z.enum(clipPaddings),
}) satisfies z.ZodMiniType<ChosenLook>;

/** Parts of a look. They are written out, because `z.partial` would make the pages larger. */
export const lookPartsSchema = z.strictObject({
	shape: z.optional(chosenLookSchema.shape.shape),
	theme: z.optional(chosenLookSchema.shape.theme),
	ground: z.optional(chosenLookSchema.shape.ground),
	groundColor: z.optional(chosenLookSchema.shape.groundColor),
	typeSize: z.optional(chosenLookSchema.shape.typeSize),
	bar: z.optional(chosenLookSchema.shape.bar),
	numbers: z.optional(chosenLookSchema.shape.numbers),
	padding: z.optional(chosenLookSchema.shape.padding),
});

export function shapeName(shape: FrameShape): string {
	return { "16:9": l10n.t("Wide"), "1:1": l10n.t("Square"), "9:16": l10n.t("Tall") }[shape];
}

export function groundName(ground: ClipGround): string {
	return {
		gradient: l10n.t("Gradient"),
		solid: l10n.t("Solid color"),
		sunset: l10n.t("Sunset"),
		sand: l10n.t("Sand"),
		forest: l10n.t("Forest"),
		mint: l10n.t("Mint"),
		ocean: l10n.t("Ocean"),
		plum: l10n.t("Plum"),
		graphite: l10n.t("Graphite"),
		silver: l10n.t("Silver"),
		color: l10n.t("Own color"),
		none: l10n.t("Frameless"),
	}[ground];
}

/** Names a margin, below or beside the word “Margin”. */
export function paddingName(padding: ClipPadding): string {
	return { narrow: l10n.t("Small"), usual: l10n.t("Medium"), wide: l10n.t("Large") }[padding];
}

/** Names a size of code, below or beside the words “Size of code”. */
export function typeSizeName(size: ClipTypeSize): string {
	return {
		auto: l10n.t("Auto"),
		small: l10n.t("Small"),
		medium: l10n.t("Medium"),
		large: l10n.t("Large"),
	}[size];
}

/** Theme names aren't translated. */
export function themeName(theme: ClipThemeName): string {
	return theme === "editor" ? l10n.t("Editor") : theme;
}

/** Describes a look: “Editor · Gradient · Title bar”. Without a window, a clip has no title bar and no line numbers. */
export function lookName(
	{ theme, ground, bar, numbers }: Partial<ChosenLook>,
	hasWindow: boolean,
): string {
	return [
		themeName(theme ?? "editor"),
		groundName(ground ?? "gradient"),
		...(hasWindow && bar !== false ? [l10n.t("Title bar")] : []),
		...(hasWindow && numbers !== false ? [l10n.t("Line numbers")] : []),
	].join(" · ");
}
