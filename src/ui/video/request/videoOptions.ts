import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { autoSeconds, sceneSeconds } from "../../../clip/clipLength.ts";
import { focusLinesOf, focusOn } from "../../../clip/focusLines.ts";
import { focusStrength, motionOf, motionsFor, readPrompt } from "../../../clip/promptContent.ts";
import {
	type ChosenLook,
	clipGrounds,
	clipPaddings,
	clipShapes,
	clipTypeSizes,
	usualGroundColor,
} from "../../../common/clipLooks.ts";
import type { VideoEngineOffer } from "../../../common/videoEngines.ts";
import {
	groundName,
	lookName,
	paddingName,
	shapeName,
	themeName,
	typeSizeName,
	groundColorSchema,
} from "../../../shared/clipLookNames.ts";
import { untilChosen } from "../../base/dialogs.ts";
import { themeChoices } from "../../base/installedThemes.ts";
import { chosenLook, keepLook, saveSetting, type Settings } from "../../base/settings.ts";
import {
	drawnMotionName,
	motionMeaning,
	motionName,
	motionWords,
	secondsName,
	type VideoOptions,
} from "./videoRequest.ts";
import { partOf, type PicturePoint, picturePoints, withPart } from "../../../clip/picturePoints.ts";
import { promptText } from "../../../video/job/clipName.ts";

/** The options, including those for the local renderer that aren't part of a request, and the prompt with the lines to focus on. */
type ChosenOptions = VideoOptions &
	Partial<ChosenLook> & {
		readonly prompt: string;
		/** The part of a picture that the clip comes nearer to. */
		readonly part?: PicturePoint | undefined;
	};

type Page = "length" | "motion" | "shape" | "look" | "part";

/** An item of the step: submits, opens a page of choices, selects one of them, or asks for the motion's phrase or the lines to focus on. */
interface OptionItem extends vscode.QuickPickItem {
	readonly page?: Page;
	readonly change?: Partial<ChosenOptions>;
	/** Shows an input in the step's place. */
	readonly ask?: () => Promise<Partial<ChosenOptions> | undefined>;
}

interface OptionStep {
	readonly title: string;
	readonly name: string;
	readonly prompt: string;
	readonly engine?: VideoEngineOffer | undefined;
	/** Whether the local renderer makes the clip, which adds options for its appearance. */
	readonly isDrawn?: boolean;
	/** Whether the prompt is the address of a picture. */
	readonly isPicture?: boolean;
	/** Whether the length can be determined from the text, and may be longer than that of other services. */
	readonly hasAuto?: boolean;
}

type PriceWords = Awaited<VideoEngineOffer["price"]>;

const durations = [1, 2, 3, 4] as const;
/** Further lengths for the local renderer, which makes them in parts. */
const longDurations = [6, 8, 12] as const;

/**
 * Shows the step before a video is sent: Enter accepts the last options, and each item below opens further ones. Accepted options are saved in the
 * settings. Resolves to them and the prompt, or to undefined if the user cancels.
 */
export async function chooseVideoOptions(
	settings: Pick<Settings, "get" | "set">,
	step: OptionStep & { readonly start?: Partial<ChosenOptions> },
): Promise<(VideoOptions & Pick<ChosenOptions, "prompt">) | undefined> {
	const duration = settings.get("video.duration");
	const isAuto = settings.get("video.autoLength");
	const motionStrength = settings.get("video.motionStrength");
	const { duration: startDuration, motionStrength: startMotion, ...look } = step.start ?? {};
	const chosen = await pickOptions(step, {
		prompt: step.prompt,
		duration: startDuration ?? (isAuto && step.hasAuto ? "auto" : duration),
		motionStrength: startMotion ?? motionStrength,
		...(step.isDrawn ? { ...chosenLook(settings), ...look } : {}),
		...(step.isDrawn && step.isPicture ? { part: partOf(step.prompt) } : {}),
	});
	if (!chosen) {
		return undefined;
	}
	const seconds = chosen.duration === "auto" ? undefined : chosen.duration;
	// A longer length applies only to this clip, because other services can't make it.
	if (seconds === undefined || seconds <= sceneSeconds) {
		const isAutoKept = step.hasAuto ? seconds === undefined : undefined;
		await saveSetting(settings, "video.autoLength", isAutoKept);
		await saveSetting(settings, "video.duration", seconds);
	}
	await saveSetting(settings, "video.motionStrength", chosen.motionStrength);
	await keepLook(settings, chosen);
	const { motionStrength: strength, prompt, part } = chosen;
	return {
		duration: chosen.duration,
		motionStrength: strength,
		prompt: part === undefined ? prompt : withPart(prompt, part),
	};
}

function pickOptions(step: OptionStep, start: ChosenOptions): Promise<ChosenOptions | undefined> {
	const { engine } = step;
	const pick = vscode.window.createQuickPick<OptionItem>();
	let options = start;
	let page: Page | undefined;
	/** Nothing is sent until the price is known or known to be unavailable. */
	let price: PriceWords | "asking" = engine ? "asking" : undefined;
	let isEditing = false;
	const draw = (): void => {
		const items = page ? choicesOf(page, options, step) : rowsOf(options, step, price);
		pick.value = "";
		pick.items = items;
		const chosen = items.find(({ label }) => page && label.startsWith("$(check)"));
		pick.activeItems = chosen ? [chosen] : items.slice(0, 1);
		pick.busy = price === "asking";
		pick.buttons = page ? [vscode.QuickInputButtons.Back] : [];
		pick.placeholder =
			page === "look"
				? l10n.t("Choose what to change")
				: page
					? l10n.t("Choose one")
					: step.isDrawn
						? l10n.t("Enter makes the clip; choose a line below to change it first")
						: l10n.t("Enter makes the video; choose a line below to change it first");
	};
	const turnTo = (next: Page | undefined): void => {
		page = next;
		draw();
	};
	pick.title = step.title;
	pick.ignoreFocusOut = true;
	draw();
	void engine?.price.then(told => {
		price = told;
		draw();
	});
	const ask = async (question: NonNullable<OptionItem["ask"]>): Promise<void> => {
		isEditing = true;
		const change = await question();
		isEditing = false;
		options = { ...options, ...change };
		turnTo(change ? undefined : page);
		pick.show();
	};
	const accept = (chosen: OptionItem | undefined): ChosenOptions | undefined => {
		if (chosen?.ask) {
			void ask(chosen.ask);
		} else if (chosen?.page) {
			turnTo(chosen.page);
		} else if (chosen?.change) {
			options = { ...options, ...chosen.change };
			turnTo(undefined);
		} else if (price !== "asking") {
			return options;
		}
		return undefined;
	};
	pick.onDidTriggerButton(() => turnTo(undefined));
	return untilChosen(pick, accept, () => isEditing);
}

/** Asks for the lines that the clip focuses on. */
async function askLines(prompt: string): Promise<Partial<ChosenOptions> | undefined> {
	const code = focusLinesOf(prompt);
	const lines = await vscode.window.showInputBox({
		title: l10n.t("Focus on Lines"),
		prompt: l10n.t("Lines that stay bright while the others dim, such as 12 or 12-15, 18"),
		value: code?.named ?? "",
		ignoreFocusOut: true,
		validateInput: text =>
			focusOn(prompt, text) === undefined
				? l10n.t("Enter lines from {0} to {1}.", code?.first ?? 1, code?.last ?? 1)
				: undefined,
	});
	const focused = lines === undefined ? undefined : focusOn(prompt, lines);
	return focused === undefined ? undefined : { prompt: focused, motionStrength: focusStrength };
}

/** Asks for the color of the background. */
async function askColor(before = usualGroundColor): Promise<Partial<ChosenOptions> | undefined> {
	const read = (text: string): string | undefined =>
		groundColorSchema.safeParse(`#${text.trim().replace(/^#/, "")}`).data?.toLowerCase();
	const text = await vscode.window.showInputBox({
		title: l10n.t("Own color"),
		prompt: l10n.t("A color of six hexadecimal digits, such as {0}", usualGroundColor),
		value: before,
		ignoreFocusOut: true,
		validateInput: value =>
			read(value) === undefined
				? l10n.t("Enter six digits from 0 to 9 and a to f, such as {0}.", usualGroundColor)
				: undefined,
	});
	const groundColor = read(text ?? "");
	return groundColor === undefined ? undefined : { ground: "color", groundColor };
}

/** The longest phrase in characters. Most of the prompt must remain for the video's subject. */
const maxPhraseCharacters = 400;

async function changePhrase(engine: VideoEngineOffer, strength: number): Promise<undefined> {
	const phrase = await vscode.window.showInputBox({
		title: motionName(strength),
		prompt: l10n.t(
			"Words for this motion, added to the prompt of every video. Leave empty to add none.",
		),
		value: engine.phrase(strength),
		ignoreFocusOut: true,
		validateInput: text =>
			text.length > maxPhraseCharacters
				? l10n.t("Use at most {0} characters.", maxPhraseCharacters)
				: undefined,
	});
	if (phrase !== undefined && phrase.trim() !== engine.phrase(strength)) {
		await engine.setPhrase(strength, phrase.trim());
	}
}

/** Describes the video's cost, if it is known. */
function priceNote(
	engine: VideoEngineOffer,
	duration: number,
	price: PriceWords | "asking",
): string {
	if (price === "asking") {
		return l10n.t("asking for the price…");
	}
	if (price) {
		return price(engine.seconds(duration));
	}
	return engine.mayCharge ? l10n.t("price unknown; may be charged") : "";
}

/** Returns the item for the phrase for the motion, with the requested seconds if they differ. */
function phraseItem(motionStrength: number, seconds: number, engine: VideoEngineOffer): OptionItem {
	const phrase = engine.phrase(motionStrength);
	return {
		label: l10n.t("Added to the prompt"),
		description: phrase === "" ? l10n.t("Nothing") : `“${phrase}”`,
		detail:
			engine.seconds(seconds) > seconds
				? l10n.t(
						"The model makes {0} s; Cutaway cuts them to {1} s",
						engine.seconds(seconds),
						seconds,
					)
				: "",
		ask: () => changePhrase(engine, motionStrength),
	};
}

type Choice = (
	name: string,
	change: Partial<ChosenOptions>,
	isChosen: boolean,
	description?: string,
) => OptionItem;

/** The motions of the local renderer. Lines to focus on are asked for, even if the prompt names some. */
function drawnMotions({ prompt, motionStrength }: ChosenOptions, choice: Choice): OptionItem[] {
	const chosen = motionOf(prompt, motionStrength);
	const code = focusLinesOf(prompt);
	const [, highlights] = motionMeaning("focus");
	const isFocused = chosen === "focus";
	const focus = choice(
		l10n.t("Focus on Lines…"),
		{},
		isFocused,
		isFocused ? code?.named : highlights,
	);
	return [
		...motionsFor(prompt)
			.filter(({ motion }) => motion !== "focus")
			.map(({ motion, strength }) => {
				const [name, detail] = motionMeaning(motion);
				return choice(name, { motionStrength: strength }, motion === chosen, detail);
			}),
		...(code ? [{ ...focus, ask: () => askLines(prompt) }] : []),
	];
}

function lookChoices(
	{ theme, ground, groundColor, bar, numbers, padding, typeSize }: ChosenOptions,
	hasWindow: boolean,
	choice: Choice,
): OptionItem[] {
	const grounds = clipGrounds.map(name =>
		choice(groundName(name), { ground: name }, name === ground),
	);
	const line = { label: "", kind: vscode.QuickPickItemKind.Separator };
	const above = (label: string): OptionItem => ({ ...line, label });
	return [
		above(l10n.t("Theme")),
		...themeChoices(theme ?? "editor").map(name =>
			choice(themeName(name), { theme: name }, name === theme),
		),
		above(l10n.t("Background")),
		...grounds.map(item =>
			item.change?.ground === "color"
				? { ...item, description: groundColor ?? "", ask: () => askColor(groundColor) }
				: item,
		),
		...(hasWindow
			? [
					line,
					choice(l10n.t("Title bar"), { bar: bar === false }, bar !== false),
					choice(l10n.t("Line numbers"), { numbers: numbers === false }, numbers !== false),
					above(l10n.t("Size of code")),
					...clipTypeSizes.map(name =>
						choice(typeSizeName(name), { typeSize: name }, name === typeSize),
					),
					above(l10n.t("Margin")),
					...clipPaddings.map(name =>
						choice(paddingName(name), { padding: name }, name === padding),
					),
				]
			: []),
	];
}

function partName(part: PicturePoint): string {
	return {
		whole: l10n.t("The middle, slightly"),
		topLeft: l10n.t("Top left"),
		top: l10n.t("Top"),
		topRight: l10n.t("Top right"),
		left: l10n.t("Left"),
		middle: l10n.t("Middle"),
		right: l10n.t("Right"),
		bottomLeft: l10n.t("Bottom left"),
		bottom: l10n.t("Bottom"),
		bottomRight: l10n.t("Bottom right"),
		own: l10n.t("The part that the address names"),
	}[part];
}

/** Whether the local renderer draws a text in a window. Prose isn't. */
const hasWindow = ({ prompt }: ChosenOptions): boolean => readPrompt(prompt).type !== "prose";

/** Describes the length: “Auto, 5 s”. */
function lengthName({ duration, motionStrength, prompt }: ChosenOptions): string {
	return duration === "auto"
		? l10n.t("Auto {0} s", autoSeconds(prompt, motionStrength))
		: l10n.t("{0} s", duration);
}

/** Describes the motion; undefined if the text has only one. */
function motionNote(
	{ prompt, motionStrength }: ChosenOptions,
	{ hasAuto }: OptionStep,
): string | undefined {
	return hasAuto ? drawnMotionName(prompt, motionStrength) : motionName(motionStrength);
}

function rowsOf(
	options: ChosenOptions,
	step: OptionStep,
	price: PriceWords | "asking",
): OptionItem[] {
	const { prompt, name, engine, isDrawn } = step;
	const { duration, motionStrength, shape } = options;
	const length = lengthName(options);
	const motion = motionNote(options, step);
	const seconds = duration === "auto" ? 0 : duration;
	const facts = [length, motion, shape, engine ? priceNote(engine, seconds, price) : undefined];
	const detail = promptText(prompt, 100);
	return [
		{
			label: `$(play) ${isDrawn ? l10n.t("Make clip: {0}", name) : l10n.t("Make video: {0}", name)}`,
			description: facts.filter(fact => fact !== undefined && fact !== "").join(" · "),
			detail: detail === name ? "" : detail,
			alwaysShow: true,
		},
		{ label: "", kind: vscode.QuickPickItemKind.Separator },
		{ label: l10n.t("Length"), description: length, page: "length" },
		...(motion === undefined
			? []
			: [{ label: l10n.t("Motion"), description: motion, page: "motion" as const }]),
		...(shape ? [{ label: l10n.t("Shape"), description: shape, page: "shape" as const }] : []),
		...(shape
			? [
					{
						label: l10n.t("Look"),
						description: lookName(options, hasWindow(options)),
						page: "look" as const,
					},
				]
			: []),
		...(options.part === undefined
			? []
			: [
					{
						label: l10n.t("Come nearer to"),
						description: partName(options.part),
						page: "part" as const,
					},
				]),
		...(engine ? [phraseItem(motionStrength, seconds, engine)] : []),
	];
}

function choicesOf(page: Page, options: ChosenOptions, step: OptionStep): OptionItem[] {
	const choice: Choice = (name, change, isChosen, description = "") => ({
		label: `${isChosen ? "$(check)" : "$(blank)"} ${name}`,
		description,
		change,
	});
	switch (page) {
		case "length": {
			const auto = autoSeconds(options.prompt, options.motionStrength);
			const words = l10n.t("{0} s, as long as the text takes", auto);
			return [
				...(step.hasAuto
					? [choice(l10n.t("Auto"), { duration: "auto" }, options.duration === "auto", words)]
					: []),
				...[...durations, ...(step.hasAuto ? longDurations : [])].map(duration =>
					choice(secondsName(duration), { duration }, duration === options.duration),
				),
			];
		}
		case "motion":
			return step.hasAuto
				? drawnMotions(options, choice)
				: motionWords().map((name, index) => {
						const motionStrength = index + 1;
						return choice(name, { motionStrength }, motionStrength === options.motionStrength);
					});
		case "look":
			return lookChoices(options, hasWindow(options), choice);
		case "part":
			return picturePoints.map(part => choice(partName(part), { part }, part === options.part));
		case "shape":
			return clipShapes.map(shape =>
				choice(shapeName(shape), { shape }, shape === options.shape, shape),
			);
	}
}
