import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { type FrameShape, clipShapes } from "../../../common/clipLooks.ts";
import type { Settings } from "../../base/settings.ts";
import { motionName, motionWords } from "./videoOptionNames.ts";
import { promptTitle } from "./videoPrompt.ts";

/** Choices about a video before it is sent. Interface §4.1, §4.2. */
export interface VideoOptions {
	/** Seconds, 1 to 4. */
	readonly duration: number;
	/** 1 to 5. */
	readonly motionStrength: number;
}

/** What is to be known of the engine behind the local service before a video is asked of it. */
export interface VideoEngineOffer {
	readonly name: string;
	/** It may charge for each video. */
	readonly mayCharge: boolean;
	/** The seconds that it is asked for. */
	seconds(duration: number): number;
	/** The words added to the prompt. */
	phrase(strength: number): string;
	setPhrase(strength: number, phrase: string): Promise<void>;
	/** The price in words by the seconds asked for, of one video or more; undefined where none is told. Never rejects. */
	readonly price: Promise<((...seconds: readonly number[]) => string) | undefined>;
}

/** The options with what is no part of a request: the shape, where the local renderer draws the clip. */
interface ChosenOptions extends VideoOptions {
	readonly shape?: FrameShape;
}

/** A line of the step: sends, sets one option and stays, or changes the words for the motion. */
interface OptionItem extends vscode.QuickPickItem {
	readonly change?: Partial<ChosenOptions>;
	readonly isPhrase?: true;
}

/** The step and what is known for it so far. */
interface OptionStep {
	readonly title: string;
	readonly prompt: string;
	readonly engine?: VideoEngineOffer | undefined;
	/** Whether the local renderer draws the clip, whose shape is then chosen, too. */
	readonly isDrawn?: boolean;
}

type PriceWords = Awaited<VideoEngineOffer["price"]>;

const durations = [1, 2, 3, 4] as const;

/**
 * The one step before a video is sent: Enter accepts what was chosen last time, the lines below change it. What is accepted
 * is remembered in the settings. Undefined when the user leaves.
 */
export async function chooseVideoOptions(
	settings: Pick<Settings, "get" | "set">,
	step: OptionStep & { readonly start?: VideoOptions },
): Promise<VideoOptions | undefined> {
	const remembered = {
		duration: settings.get("video.duration"),
		motionStrength: settings.get("video.motionStrength"),
	};
	const shape = settings.get("localService.video.shape");
	const chosen = await pickOptions(step, {
		...(step.start ?? remembered),
		...(step.isDrawn ? { shape } : {}),
	});
	if (chosen && chosen.duration !== remembered.duration) {
		await settings.set("video.duration", chosen.duration);
	}
	if (chosen && chosen.motionStrength !== remembered.motionStrength) {
		await settings.set("video.motionStrength", chosen.motionStrength);
	}
	if (chosen?.shape && chosen.shape !== shape) {
		await settings.set("localService.video.shape", chosen.shape);
	}
	return chosen && { duration: chosen.duration, motionStrength: chosen.motionStrength };
}

function pickOptions(step: OptionStep, start: ChosenOptions): Promise<ChosenOptions | undefined> {
	const { engine } = step;
	const pick = vscode.window.createQuickPick<OptionItem>();
	let options = start;
	/** Until the price is known, or known not to be told, nothing is sent. */
	let price: PriceWords | "asking" = engine ? "asking" : undefined;
	let isEditing = false;
	const draw = (): void => {
		const items = itemsFor(options, step, price);
		pick.items = items;
		pick.activeItems = items.slice(0, 1);
		pick.busy = price === "asking";
	};
	pick.title = step.title;
	pick.placeholder = l10n.t("Enter generates the video; choose a line below to change it first");
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
	return new Promise(resolve => {
		pick.onDidAccept(() => {
			const [chosen] = pick.selectedItems;
			if (chosen?.isPhrase && engine) {
				void editPhrase(engine);
			} else if (chosen?.change) {
				options = { ...options, ...chosen.change };
				pick.value = "";
				draw();
			} else if (price !== "asking") {
				resolve(options);
				pick.dispose();
			}
		});
		pick.onDidHide(() => {
			// The box for the phrase takes the place of this step for as long as it is there.
			if (!isEditing) {
				resolve(undefined);
				pick.dispose();
			}
		});
		pick.show();
	});
}

/** The most characters of a phrase; the prompt is what the video is made of. */
const maxPhraseCharacters = 400;

async function changePhrase(engine: VideoEngineOffer, strength: number): Promise<void> {
	const phrase = await vscode.window.showInputBox({
		title: motionName(strength),
		prompt: l10n.t("Words for this motion, added to the prompt of every video; empty adds none"),
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

function secondsName(seconds: number): string {
	return seconds === 1 ? l10n.t("1 second") : l10n.t("{0} seconds", seconds);
}

/** What the video will cost, as far as anybody tells. */
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
	return engine.mayCharge ? l10n.t("the price isn't told; it may be charged") : "";
}

/** What the engine is asked for where that differs, and the words it gets for the motion. */
function engineItems(
	{ duration, motionStrength }: VideoOptions,
	engine: VideoEngineOffer,
): OptionItem[] {
	const phrase = engine.phrase(motionStrength);
	return [
		{ label: engine.name, kind: vscode.QuickPickItemKind.Separator },
		{
			label: `$(edit) ${l10n.t("Added to the prompt")}`,
			description: phrase === "" ? l10n.t("Nothing") : `“${phrase}”`,
			detail:
				engine.seconds(duration) > duration
					? l10n.t(
							"The model makes {0} s; Cutaway cuts them to {1} s",
							engine.seconds(duration),
							duration,
						)
					: "",
			isPhrase: true,
		},
	];
}

function shapeName(shape: FrameShape): string {
	switch (shape) {
		case "16:9":
			return l10n.t("Wide");
		case "1:1":
			return l10n.t("Square");
		case "9:16":
			return l10n.t("Tall");
	}
}

function shapeItems(chosen: FrameShape, mark: (isChosen: boolean) => string): OptionItem[] {
	return [
		{ label: l10n.t("Shape"), kind: vscode.QuickPickItemKind.Separator },
		...clipShapes.map(shape => ({
			label: `${mark(shape === chosen)} ${shapeName(shape)}`,
			description: shape,
			change: { shape },
		})),
	];
}

function itemsFor(
	options: ChosenOptions,
	{ prompt, engine }: OptionStep,
	price: PriceWords | "asking",
): OptionItem[] {
	const mark = (isChosen: boolean): string => (isChosen ? "$(check)" : "$(blank)");
	return [
		{
			label: `$(play) ${l10n.t("Generate")}`,
			description: [
				l10n.t(
					"{0} s, motion {1} of {2}",
					options.duration,
					options.motionStrength,
					motionWords().length,
				),
				options.shape ?? "",
				engine ? priceNote(engine, options.duration, price) : "",
			]
				.filter(part => part !== "")
				.join(" · "),
			detail: promptTitle(prompt, 100),
			alwaysShow: true,
		},
		...(engine ? engineItems(options, engine) : []),
		{ label: l10n.t("Duration"), kind: vscode.QuickPickItemKind.Separator },
		...durations.map(duration => ({
			label: `${mark(duration === options.duration)} ${secondsName(duration)}`,
			change: { duration },
		})),
		{ label: l10n.t("Motion"), kind: vscode.QuickPickItemKind.Separator },
		...motionWords().map((name, index) => ({
			label: `${mark(index + 1 === options.motionStrength)} ${name}`,
			description: motionName(index + 1),
			change: { motionStrength: index + 1 },
		})),
		...(options.shape ? shapeItems(options.shape, mark) : []),
	];
}
