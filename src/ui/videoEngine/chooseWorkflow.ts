import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import {
	candidatesFor,
	type ComfyWorkflow,
	guessFramesPerSecond,
	guessPlace,
	inputsOf,
	type PlaceRole,
	brokenNode,
	readWorkflow,
	type WorkflowInput,
} from "../../common/comfyWorkflow.ts";
import type { WorkflowPlaces } from "../../common/videoEngines.ts";
import { oneLine } from "../../common/shortText.ts";

/** A row of the form: accepts the workflow, or changes one of its inputs. */
interface FormRow extends vscode.QuickPickItem {
	readonly role?: PlaceRole | "framesPerSecond" | "use";
}

/** The largest workflow file, in bytes; more than any needs. */
const maxWorkflowBytes = 8 * 1024 * 1024;

/** Asks for a workflow's file and for its inputs, with a guess first. Resolves to undefined if the user cancels. */
export async function chooseWorkflow(
	current: WorkflowPlaces | null,
): Promise<WorkflowPlaces | undefined> {
	const [file] =
		(await vscode.window.showOpenDialog({
			title: l10n.t("Choose the Workflow"),
			openLabel: l10n.t("Use This Workflow"),
			filters: { [l10n.t("Workflow in the API format")]: ["json"] },
			...(current ? { defaultUri: vscode.Uri.file(current.file) } : {}),
		})) ?? [];
	const workflow = file && (await readFile(file));
	if (!file || !workflow) {
		return undefined;
	}
	const isSame = current?.file === file.fsPath;
	return await fillForm(workflow, isSame ? current : guessed(workflow, file.fsPath));
}

async function readFile(file: vscode.Uri): Promise<ComfyWorkflow | undefined> {
	const { size } = await vscode.workspace.fs.stat(file);
	const bytes = size > maxWorkflowBytes ? undefined : await vscode.workspace.fs.readFile(file);
	const text = Buffer.from(bytes ?? []).toString("utf8");
	const workflow = readWorkflow(text);
	if (!workflow) {
		const broken = brokenNode(text);
		void vscode.window.showErrorMessage(
			broken === undefined
				? l10n.t(
						"This file isn't a workflow in the API format. In ComfyUI, export it with “Export (API)”.",
					)
				: l10n.t(
						"Node {0} of this workflow has no class_type or no inputs. In ComfyUI, export it again with “Export (API)”.",
						broken.slice(0, 100),
					),
		);
	}
	return workflow;
}

function guessed(workflow: ComfyWorkflow, file: string): WorkflowPlaces {
	const place = (role: PlaceRole): string | undefined => guessPlace(role, workflow)?.place;
	return {
		file,
		prompt: place("prompt") ?? "",
		seed: place("seed"),
		frames: place("frames"),
		image: place("image"),
		framesPerSecond: guessFramesPerSecond(workflow),
	};
}

/** Shows the form: a row for each input, and one that accepts them. */
async function fillForm(
	workflow: ComfyWorkflow,
	start: WorkflowPlaces,
): Promise<WorkflowPlaces | undefined> {
	let places = start;
	for (;;) {
		const row = await vscode.window.showQuickPick(rowsOf(workflow, places), {
			title: l10n.t("Inputs of the Workflow"),
			placeHolder: l10n.t("Check the inputs of the workflow; choose a line to change it"),
			ignoreFocusOut: true,
		});
		const role = row?.role;
		if (role === undefined || (role === "use" && places.prompt !== "")) {
			return role && places;
		}
		places =
			role === "framesPerSecond"
				? await withFramesPerSecond(places)
				: await changed(workflow, places, role === "use" ? "prompt" : role);
	}
}

function roleNames(): Readonly<Record<PlaceRole, string>> {
	return {
		prompt: l10n.t("Prompt"),
		seed: l10n.t("Seed"),
		frames: l10n.t("Number of frames"),
		image: l10n.t("Image"),
	};
}

function rowsOf(workflow: ComfyWorkflow, places: WorkflowPlaces): readonly FormRow[] {
	const names = roleNames();
	const inputs = inputsOf(workflow);
	const row = (role: PlaceRole): FormRow => {
		const found = inputs.find(({ place }) => place === places[role]);
		return {
			role,
			label: `$(${found ? "symbol-field" : "circle-slash"}) ${names[role]}`,
			description: found ? placeName(found) : l10n.t("None"),
			...(found ? { detail: valueWords(found) } : {}),
		};
	};
	return [
		{
			role: "use",
			label: `$(check) ${l10n.t("Use This Workflow")}`,
			description: places.prompt === "" ? l10n.t("The input for the prompt is missing") : "",
		},
		{ label: l10n.t("Inputs"), kind: vscode.QuickPickItemKind.Separator },
		row("prompt"),
		row("seed"),
		row("frames"),
		row("image"),
		{
			role: "framesPerSecond",
			label: `$(watch) ${l10n.t("Frames per second")}`,
			description: String(places.framesPerSecond ?? defaultFramesPerSecond),
		},
	];
}

const defaultFramesPerSecond = 16;

function placeName({ node, input, place }: WorkflowInput): string {
	return `${node} › ${input} (${place})`;
}

function valueWords({ value }: WorkflowInput): string {
	return l10n.t("now: {0}", oneLine(String(value), 80) || "–");
}

/** Asks for the input for a role, most likely first. */
async function changed(
	workflow: ComfyWorkflow,
	places: WorkflowPlaces,
	role: PlaceRole,
): Promise<WorkflowPlaces> {
	const none = { label: `$(circle-slash) ${l10n.t("None")}`, place: undefined };
	const rows = candidatesFor(role, workflow).map(found => ({
		label: found.place === places[role] ? `$(check) ${placeName(found)}` : placeName(found),
		detail: valueWords(found),
		place: found.place,
	}));
	const chosen = await vscode.window.showQuickPick(role === "prompt" ? rows : [...rows, none], {
		title: roleNames()[role],
		matchOnDetail: true,
		ignoreFocusOut: true,
	});
	return chosen ? { ...places, [role]: chosen.place } : places;
}

async function withFramesPerSecond(places: WorkflowPlaces): Promise<WorkflowPlaces> {
	const text = await vscode.window.showInputBox({
		title: l10n.t("Frames per second"),
		prompt: l10n.t("Frames that the workflow makes for one second"),
		value: String(places.framesPerSecond ?? defaultFramesPerSecond),
		ignoreFocusOut: true,
		validateInput: typed =>
			Number(typed) >= 1 && Number(typed) <= 120
				? undefined
				: l10n.t("Enter a number from 1 to 120."),
	});
	return text === undefined ? places : { ...places, framesPerSecond: Number(text) };
}
