import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { autoSeconds, sceneSeconds } from "../../../clip/clipLength.ts";
import { motionOf, motionsFor, readPrompt } from "../../../clip/promptContent.ts";
import {
	type ChosenLook,
	clipGrounds,
	clipPaddings,
	clipShapes,
	clipThemeNames,
} from "../../../common/clipLooks.ts";
import type { VideoEngineOffer } from "../../../common/videoEngines.ts";
import {
	groundName,
	lookName,
	paddingName,
	shapeName,
	themeName,
} from "../../../shared/clipLookNames.ts";
import { untilChosen } from "../../base/dialogs.ts";
import { chosenLook, keepLook, keepSetting, type Settings } from "../../base/settings.ts";
import {
	drawnMotionName,
	motionMeaning,
	motionName,
	motionWords,
	secondsName,
	type VideoOptions,
} from "./videoRequest.ts";
import { promptText } from "../../../video/job/clipName.ts";

/** The options, including those for the local renderer that aren't part of a request. */
type ChosenOptions = VideoOptions & Partial<ChosenLook>;

type Page = "length" | "motion" | "shape" | "look";

/** An item of the step: submits, opens a page of choices, selects one of them, or edits the phrase for the motion. */
interface OptionItem extends vscode.QuickPickItem {
	readonly page?: Page;
	readonly change?: Partial<ChosenOptions>;
	readonly isPhrase?: true;
}

interface OptionStep {
	readonly title: string;
	readonly name: string;
	readonly prompt: string;
	readonly engine?: VideoEngineOffer | undefined;
	/** Whether the local renderer makes the clip, which adds options for its appearance. */
	readonly isDrawn?: boolean;
	/** Whether the length can be determined from the text, and may be longer than that of other services. */
	readonly hasAuto?: boolean;
}

type PriceWords = Awaited<VideoEngineOffer["price"]>;

const durations = [1, 2, 3, 4] as const;
/** Further lengths for the local renderer, which makes them in parts. */
const longDurations = [6, 8, 12] as const;

/**
 * Shows the step before a video is sent: Enter accepts the last options, and each item below opens further ones. Accepted options are saved in the
 * settings. Resolves to undefined if the user cancels.
 */
export async function chooseVideoOptions(
	settings: Pick<Settings, "get" | "set">,
	step: OptionStep & { readonly start?: Partial<ChosenOptions> },
): Promise<VideoOptions | undefined> {
	const duration = settings.get("video.duration");
	const isAuto = settings.get("video.autoLength");
	const motionStrength = settings.get("video.motionStrength");
	const { duration: startDuration, motionStrength: startMotion, ...look } = step.start ?? {};
	const chosen = await pickOptions(step, {
		duration: startDuration ?? (isAuto && step.hasAuto ? "auto" : duration),
		motionStrength: startMotion ?? motionStrength,
		...(step.isDrawn ? { ...chosenLook(settings), ...look } : {}),
	});
	if (!chosen) {
		return undefined;
	}
	const seconds = chosen.duration === "auto" ? undefined : chosen.duration;
	// A longer length applies only to this clip, because other services can't make it.
	if (seconds === undefined || seconds <= sceneSeconds) {
		const isAutoKept = step.hasAuto ? seconds === undefined : undefined;
		await keepSetting(settings, "video.autoLength", isAutoKept);
		await keepSetting(settings, "video.duration", seconds);
	}
	await keepSetting(settings, "video.motionStrength", chosen.motionStrength);
	await keepLook(settings, chosen);
	return { duration: chosen.duration, motionStrength: chosen.motionStrength };
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
					: l10n.t("Enter generates the video; choose a line below to change it first");
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
	const editPhrase = async (offer: VideoEngineOffer): Promise<void> => {
		isEditing = true;
		await changePhrase(offer, options.motionStrength);
		isEditing = false;
		draw();
		pick.show();
	};
	const accept = (chosen: OptionItem | undefined): ChosenOptions | undefined => {
		if (chosen?.isPhrase && engine) {
			void editPhrase(engine);
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

/** The longest phrase in characters. Most of the prompt must remain for the video's subject. */
const maxPhraseCharacters = 400;

async function changePhrase(engine: VideoEngineOffer, strength: number): Promise<void> {
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
		isPhrase: true,
	};
}

type Choice = (name: string, change: Partial<ChosenOptions>, isChosen: boolean) => OptionItem;

function lookChoices(
	{ theme, ground, bar, numbers, padding }: ChosenOptions,
	hasWindow: boolean,
	choice: Choice,
): OptionItem[] {
	const line = { label: "", kind: vscode.QuickPickItemKind.Separator };
	const above = (label: string): OptionItem => ({ ...line, label });
	return [
		above(l10n.t("Theme")),
		...clipThemeNames.map(name => choice(themeName(name), { theme: name }, name === theme)),
		above(l10n.t("Background")),
		...clipGrounds.map(name => choice(groundName(name), { ground: name }, name === ground)),
		...(hasWindow
			? [
					line,
					choice(l10n.t("Title bar"), { bar: bar === false }, bar !== false),
					choice(l10n.t("Line numbers"), { numbers: numbers === false }, numbers !== false),
					above(l10n.t("Margin")),
					...clipPaddings.map(name =>
						choice(paddingName(name), { padding: name }, name === padding),
					),
				]
			: []),
	];
}

/** Whether the local renderer draws a text in a window. Prose isn't. */
const hasWindow = ({ prompt }: OptionStep): boolean => readPrompt(prompt).type !== "prose";

/** Describes the length: “Auto, 5 s”. */
function lengthName({ duration, motionStrength }: ChosenOptions, { prompt }: OptionStep): string {
	return duration === "auto"
		? l10n.t("Auto {0} s", autoSeconds(prompt, motionStrength))
		: l10n.t("{0} s", duration);
}

/** Describes the motion; undefined if the text has only one. */
function motionNote(options: ChosenOptions, { prompt, hasAuto }: OptionStep): string | undefined {
	return hasAuto
		? drawnMotionName(prompt, options.motionStrength)
		: motionName(options.motionStrength);
}

function rowsOf(
	options: ChosenOptions,
	step: OptionStep,
	price: PriceWords | "asking",
): OptionItem[] {
	const { prompt, name, engine } = step;
	const { duration, motionStrength, shape } = options;
	const length = lengthName(options, step);
	const motion = motionNote(options, step);
	const seconds = duration === "auto" ? 0 : duration;
	const facts = [length, motion, shape, engine ? priceNote(engine, seconds, price) : undefined];
	const detail = promptText(prompt, 100);
	return [
		{
			label: `$(play) ${l10n.t("Generate clip: {0}", name)}`,
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
						description: lookName(options, hasWindow(step)),
						page: "look" as const,
					},
				]
			: []),
		...(engine ? [phraseItem(motionStrength, seconds, engine)] : []),
	];
}

function choicesOf(page: Page, options: ChosenOptions, step: OptionStep): OptionItem[] {
	const choice = (
		name: string,
		change: Partial<ChosenOptions>,
		isChosen: boolean,
		description = "",
	): OptionItem => ({
		label: `${isChosen ? "$(check)" : "$(blank)"} ${name}`,
		description,
		change,
	});
	switch (page) {
		case "length": {
			const auto = autoSeconds(step.prompt, options.motionStrength);
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
		case "motion": {
			const chosen = motionOf(step.prompt, options.motionStrength);
			return step.hasAuto
				? motionsFor(step.prompt).map(({ motion, strength }) => {
						const [name, detail] = motionMeaning(motion);
						return choice(name, { motionStrength: strength }, motion === chosen, detail);
					})
				: motionWords().map((name, index) => {
						const motionStrength = index + 1;
						return choice(name, { motionStrength }, motionStrength === options.motionStrength);
					});
		}
		case "look":
			return lookChoices(options, hasWindow(step), choice);
		case "shape":
			return clipShapes.map(shape =>
				choice(shapeName(shape), { shape }, shape === options.shape, shape),
			);
	}
}
