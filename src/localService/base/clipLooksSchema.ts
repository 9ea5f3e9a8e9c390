import * as z from "zod/mini";
import {
	clipGrounds,
	type ClipLooks,
	clipPaddings,
	clipShapes,
	clipSignatures,
	clipTypeSizes,
	codeTokenKinds,
	maxThemeName,
} from "../../common/clipLooks.ts";

const color = z.string().check(z.regex(/^#[\da-f]{6}$/));

const furtherColors = {
	tag: z.optional(color),
	attribute: z.optional(color),
	property: z.optional(color),
	parameter: z.optional(color),
	escape: z.optional(color),
	regexp: z.optional(color),
	constant: z.optional(color),
	builtIn: z.optional(color),
	link: z.optional(color),
};

const fontFamily = z.string().check(z.minLength(1), z.maxLength(100), z.regex(/^\P{Cc}+$/u));

/** A clip's appearance, as sent by the extension host and stored in records. */
export const clipLooksSchema = z.object({
	shape: z.enum(clipShapes),
	tabSize: z.int().check(z.minimum(1), z.maximum(16)),
	theme: z.optional(
		z.object({
			background: color,
			foreground: color,
			accent: color,
			lineNumber: color,
			added: color,
			removed: color,
			tokens: z.intersection(z.record(z.enum(codeTokenKinds), color), z.object(furtherColors)),
		}),
	),
	colors: z.optional(
		z.record(
			z.string(),
			z.object({
				styles: z.readonly(z.array(z.string().check(z.regex(/^#[\da-f]{6} ?[bius]{0,4}$/)))),
				lines: z.readonly(z.array(z.readonly(z.array(z.int().check(z.minimum(0)))))),
			}),
		),
	),
	themeName: z.optional(z.string().check(z.maxLength(maxThemeName))),
	font: z.optional(
		z.object({
			families: z.readonly(z.array(fontFamily).check(z.maxLength(16))),
			features: z
				.record(z.string().check(z.regex(/^[a-zA-Z\d]{4}$/)), z.boolean())
				.check(z.refine(features => Object.keys(features).length <= 32)),
		}),
	),
	ground: z.optional(z.enum(clipGrounds)),
	groundColor: z.optional(color),
	typeSize: z.optional(z.enum(clipTypeSizes)),
	bar: z.optional(z.boolean()),
	numbers: z.optional(z.boolean()),
	padding: z.optional(z.enum(clipPaddings)),
	signature: z.optional(z.enum(clipSignatures)),
}) satisfies z.ZodMiniType<ClipLooks>;
