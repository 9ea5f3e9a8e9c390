import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { autoSeconds } from "../../../clip/clipLength.ts";
import { readPrompt } from "../../../clip/promptContent.ts";
import { maxPromptCharacters, type VideoEngineOffer } from "../../../common/videoEngines.ts";
import type { IDisposable } from "../../../common/disposable.ts";
import { formatCount } from "../../../shared/locale.ts";
import { isDrawnClip, type VideoEndpoint } from "../../../video/job/videoJob.ts";
import type { VideoGenerateDependencies } from "../request/videoGenerate.ts";
import { type ReadDocument, readSceneDocument } from "../../../video/storyboard/sceneDocument.ts";

let opened = 0;

/** Documents waiting for their command. Running the original command again in one has the same effect. */
const waiting = new Map<string, () => void>();

/**
 * Calls `generate` whenever the user requests the videos of a storyboard's document. Resolves to true once it did, or false if the document is closed
 * first. Until then shows “Generate N Videos” at its top, what each scene shows, and faults as problems.
 */
export async function untilGenerated(
	document: vscode.TextDocument,
	dependencies: Pick<VideoGenerateDependencies, "endpoint" | "engine">,
	generate: () => Promise<boolean>,
): Promise<boolean> {
	const key = document.uri.toString();
	const existing = waiting.get(key);
	if (existing || document.isClosed) {
		existing?.();
		return false;
	}
	let clicked = Promise.withResolvers<boolean>();
	waiting.set(key, () => clicked.resolve(true));
	const notes = showNotes(document, dependencies, isRequested => clicked.resolve(isRequested));
	try {
		while (await clicked.promise) {
			const isGenerated = await generate();
			if (isGenerated || document.isClosed) {
				return isGenerated;
			}
			clicked = Promise.withResolvers<boolean>();
		}
		return false;
	} finally {
		waiting.delete(key);
		notes.forEach(part => part.dispose());
	}
}

/** Shows the notes in a storyboard's document. Calls `onDone` with true when the user requests its videos, and with false when it is closed. */
function showNotes(
	document: vscode.TextDocument,
	dependencies: Pick<VideoGenerateDependencies, "endpoint" | "engine">,
	onDone: (isRequested: boolean) => void,
): readonly IDisposable[] {
	const command = `cutaway.storyboardDocument.${++opened}`;
	const diagnostics = vscode.languages.createDiagnosticCollection("cutaway.storyboard");
	const changed = new vscode.EventEmitter<void>();
	const parse = (): ReadDocument =>
		readSceneDocument(document.getText(), isDrawnClip(dependencies.endpoint()));
	let read = parse();
	const heading = vscode.window.createTextEditorDecorationType(headingLook());
	const paint = (): void => markScenes(document, read, heading);
	const check = (): void => {
		read = parse();
		paint();
		diagnostics.set(
			document.uri,
			read.faults.map(fault => problemOf(fault, document)),
		);
		changed.fire();
	};
	const maker = followPrice(dependencies.engine, check);
	return [
		diagnostics,
		changed,
		maker,
		heading,
		vscode.window.onDidChangeVisibleTextEditors(paint),
		vscode.commands.registerCommand(command, () => onDone(true)),
		vscode.languages.registerCodeLensProvider(
			{ scheme: document.uri.scheme },
			{
				onDidChangeCodeLenses: changed.event,
				provideCodeLenses: candidate =>
					candidate.uri.toString() === document.uri.toString()
						? lensesOf(read, command, { endpoint: dependencies.endpoint(), price: maker.price })
						: [],
			},
		),
		vscode.workspace.onDidChangeTextDocument(event => event.document === document && check()),
		vscode.workspace.onDidCloseTextDocument(closed => {
			if (closed === document) {
				onDone(false);
			}
		}),
	];
}

/** Settings that determine who makes the videos. */
const makers = ["cutaway.endpoint", "cutaway.localService.video"] as const;

/** Asks for the price now, and again when the video engine changes. Calls `onChange` before each request and after each response. */
function followPrice(
	engine: VideoGenerateDependencies["engine"],
	onChange: () => void,
): IDisposable & Pick<LensFacts, "price"> {
	let latest: VideoEngineOffer | undefined;
	let price: LensFacts["price"];
	const ask = async (): Promise<void> => {
		const offer = engine?.();
		[latest, price] = [offer, undefined];
		onChange();
		const told = await offer?.price;
		if (offer && told && latest === offer) {
			price = (...scenes) => told(...scenes.map(seconds => offer.seconds(seconds)));
			onChange();
		}
	};
	void ask();
	const listening = vscode.workspace.onDidChangeConfiguration(change => {
		if (makers.some(section => change.affectsConfiguration(section))) {
			void ask();
		}
	});
	return {
		get price() {
			return price;
		},
		dispose: () => void listening.dispose(),
	};
}

const headingLook = (): vscode.DecorationRenderOptions => ({
	isWholeLine: true,
	fontWeight: "bold",
	backgroundColor: new vscode.ThemeColor("editor.hoverHighlightBackground"),
	borderColor: new vscode.ThemeColor("contrastBorder"),
	borderStyle: "solid",
	borderWidth: "1px 0",
});

/** Sets off the lines that begin a scene. */
function markScenes(
	document: vscode.TextDocument,
	{ places }: Pick<ReadDocument, "places">,
	mark: vscode.TextEditorDecorationType,
): void {
	const lines = places.map(({ startLine }) => new vscode.Range(startLine, 0, startLine, 0));
	vscode.window.visibleTextEditors
		.filter(editor => editor.document === document)
		.forEach(editor => editor.setDecorations(mark, lines));
}

function problemOf(
	{ startLine, endLine, message }: ReadDocument["faults"][number],
	document: vscode.TextDocument,
): vscode.Diagnostic {
	const range = new vscode.Range(
		document.lineAt(startLine).range.start,
		document.lineAt(Math.min(endLine, document.lineCount - 1)).range.end,
	);
	const problem = new vscode.Diagnostic(range, message);
	problem.source = "Cutaway";
	return problem;
}

/** Who makes the videos, for the code lenses. */
interface LensFacts {
	readonly endpoint: VideoEndpoint;
	/** Formats the price of scenes by their durations, once it is known. */
	readonly price: ((...seconds: readonly number[]) => string) | undefined;
}

/** Returns the code lenses: the command with the number of videos and what they cost at the top, and what it shows at every scene. */
function lensesOf(
	{ scenes, places, faults }: ReadDocument,
	command: string,
	facts: LensFacts,
): vscode.CodeLens[] {
	const { endpoint, price } = facts;
	const way =
		faults.length === 0
			? { title: `$(play) ${videosName(scenes.length, endpoint)}`, command }
			: {
					title: `$(warning) ${faults.length === 1 ? l10n.t("Fix 1 problem first") : l10n.t("Fix {0} problems first", faults.length)}`,
					command: "workbench.actions.view.problems",
				};
	const seconds = scenes.map(({ duration }) => duration);
	const total = seconds.reduce((sum, each) => sum + each, 0);
	const whole = [
		isDrawnClip(endpoint)
			? l10n.t("{0} s in all, drawn here for free", total)
			: l10n.t("{0} s in all, to {1}", total, endpoint.label),
		...(price && scenes.length > 0 ? [price(...seconds)] : []),
	].join(" · ");
	const lens = (line: number, words: vscode.Command): vscode.CodeLens =>
		new vscode.CodeLens(new vscode.Range(line, 0, line, 0), words);
	return [
		lens(0, way),
		// Without the scenes that have faults, the total would be too low.
		...(faults.length === 0 ? [lens(0, { title: whole, command: "" })] : []),
		...places.map((place, index) =>
			lens(place.startLine, {
				title: sceneFacts(place, facts, l10n.t("Scene {0} of {1}", index + 1, places.length)),
				command: "",
			}),
		),
	];
}

/** From this share of the limit on, a scene's length is shown. */
const nearLimit = 0.9;

/** Describes a scene: its number, what the local renderer draws or what it costs, and its length if it is too short or too long. */
function sceneFacts(
	{ scene, characters }: ReadDocument["places"][number],
	{ endpoint, price }: LensFacts,
	number: string,
): string {
	const isDrawn = isDrawnClip(endpoint);
	const needed = scene && isDrawn ? autoSeconds(scene.prompt, scene.motionStrength) : 0;
	return [
		number,
		...(scene && isDrawn ? [drawnName(scene.prompt)] : []),
		...(scene && price ? [price(scene.duration)] : []),
		...(scene && needed > scene.duration ? [l10n.t("takes {0} s to read", needed)] : []),
		...(characters > nearLimit * maxPromptCharacters
			? [l10n.t("{0} of {1} characters", formatCount(characters), formatCount(maxPromptCharacters))]
			: []),
	].join(" · ");
}

/** Describes what the local renderer makes of a text. */
function drawnName(prompt: string): string {
	switch (readPrompt(prompt).type) {
		case "prose":
			return l10n.t("Words on a card");
		case "code":
			return l10n.t("Code in a window");
		case "change":
			return l10n.t("Code that changes");
		case "terminal":
			return l10n.t("Commands in a terminal");
	}
}

/** Returns “Make 5 Videos”, or “Make Clip”, as the scenes that are drawn here are one. */
export function videosName(count: number, endpoint: VideoEndpoint): string {
	if (isDrawnClip(endpoint)) {
		return l10n.t("Make Clip");
	}
	return count === 1 ? l10n.t("Make 1 Video") : l10n.t("Make {0} Videos", count);
}
