import type { WorkflowPlaces } from "./videoEngines.ts";
import { isRecord, parseJson } from "./json.ts";

interface ComfyNode {
	readonly class_type: string;
	readonly inputs: Readonly<Record<string, unknown>>;
	readonly _meta?: unknown;
}

/** A ComfyUI workflow in the API export format: nodes by id, with their inputs. */
export type ComfyWorkflow = Readonly<Record<string, ComfyNode>>;

function isNode(value: unknown): value is ComfyNode {
	return isRecord(value) && typeof value["class_type"] === "string" && isRecord(value["inputs"]);
}

function isWorkflow(value: unknown): value is ComfyWorkflow {
	return isRecord(value) && Object.values(value).length > 0 && Object.values(value).every(isNode);
}

function titleOf({ _meta: meta, class_type: type }: ComfyNode): string {
	return isRecord(meta) && typeof meta["title"] === "string" ? meta["title"] : type;
}

export interface WorkflowInput {
	/** `NODE.INPUT`. */
	readonly place: string;
	readonly node: string;
	readonly nodeType: string;
	readonly input: string;
	readonly value: string | number | boolean;
}

/** Reads a workflow in the API format, alone or inside a request to ComfyUI. Returns undefined for anything else, such as the format that ComfyUI's page saves. */
export function readWorkflow(text: string): ComfyWorkflow | undefined {
	return workflowsIn(text).find(isWorkflow);
}

/** Returns the id of the first node that isn't one, for lack of a `class_type` for example, if other nodes of the workflow are. */
export function brokenNode(text: string): string | undefined {
	const nodes = workflowsIn(text)
		.map(value => (isRecord(value) ? Object.entries(value) : []))
		.find(entries => entries.some(([, node]) => isNode(node)));
	return nodes?.find(([, node]) => !isNode(node))?.[0];
}

function workflowsIn(text: string): readonly unknown[] {
	const parsed = parseJson(text.replace(/^\uFEFF/, ""));
	return [parsed, isRecord(parsed) ? parsed["prompt"] : undefined];
}

/** Returns the inputs with a literal value, without those connected to another node. */
export function inputsOf(workflow: ComfyWorkflow): readonly WorkflowInput[] {
	return Object.entries(workflow).flatMap(([id, node]) =>
		Object.entries(node.inputs).flatMap(([input, value]) =>
			typeof value === "string" || typeof value === "number" || typeof value === "boolean"
				? [
						{
							place: `${id}.${input}`,
							node: titleOf(node),
							nodeType: node.class_type,
							input,
							value,
						},
					]
				: [],
		),
	);
}

export type PlaceRole = "prompt" | "seed" | "frames" | "image";

/** Scores how well an input fits a role; 0 or less if it can't have it. */
const fits: Readonly<Record<PlaceRole, (found: WorkflowInput, workflow: ComfyWorkflow) => number>> =
	{
		prompt: ({ input, node, nodeType, value, place }, workflow) =>
			typeof value === "string" &&
			/^(?:text|prompt|positive(?:_prompt)?|string|value)$/i.test(input)
				? (/clip|text|prompt/i.test(nodeType) ? 4 : 1) +
					(/positive|prompt/i.test(node) ? 2 : 0) +
					(isConnectedAs(workflow, place, /^positive/i) ? 8 : 0) -
					(/negative/i.test(node) || isConnectedAs(workflow, place, /^negative/i) ? 16 : 0)
				: 0,
		seed: ({ input, value }) =>
			typeof value === "number" ? (/^(?:noise_)?seed$/i.test(input) ? 4 : 0) : 0,
		frames: ({ input, nodeType, value }) =>
			typeof value === "number"
				? /^(?:length|num_frames|frames|video_frames|frame_count|video_length)$/i.test(input)
					? 4 + (/video|latent|i2v|t2v/i.test(nodeType) ? 2 : 0)
					: 0
				: 0,
		image: ({ input, nodeType, value }) =>
			typeof value === "string" && input === "image" && /load.?image/i.test(nodeType) ? 4 : 0,
	};

/** Returns whether a node is connected to an input whose name matches `name`. */
function isConnectedAs(workflow: ComfyWorkflow, place: string, name: RegExp): boolean {
	const [id] = place.split(".");
	return Object.values(workflow).some(({ inputs }) =>
		Object.entries(inputs).some(
			([input, value]) => name.test(input) && Array.isArray(value) && value[0] === id,
		),
	);
}

/** Returns the inputs that may have a role, the likeliest first. */
export function candidatesFor(role: PlaceRole, workflow: ComfyWorkflow): readonly WorkflowInput[] {
	const isText = role === "prompt" || role === "image";
	return inputsOf(workflow)
		.filter(({ value }) => typeof value === (isText ? "string" : "number"))
		.map(found => ({ found, fit: fits[role](found, workflow) }))
		.sort((left, right) => right.fit - left.fit)
		.map(({ found }) => found);
}

/** Returns the likeliest input for a role, or undefined if none looks suitable. */
export function guessPlace(role: PlaceRole, workflow: ComfyWorkflow): WorkflowInput | undefined {
	const [first] = candidatesFor(role, workflow);
	return first && fits[role](first, workflow) > 0 ? first : undefined;
}

/** Returns the workflow's frames per second, or undefined if no input names them. */
export function guessFramesPerSecond(workflow: ComfyWorkflow): number | undefined {
	const found = inputsOf(workflow).find(
		({ input, value }) =>
			/^(?:fps|frame_rate|framerate)$/i.test(input) &&
			typeof value === "number" &&
			value >= 1 &&
			value <= 120,
	);
	return typeof found?.value === "number" ? found.value : undefined;
}

/** Returns the workflow with values in their inputs, or undefined if it lacks one of the inputs. */
export function fillWorkflow(
	workflow: ComfyWorkflow,
	places: WorkflowPlaces,
	values: Readonly<Partial<Record<PlaceRole, string | number>>>,
): ComfyWorkflow | undefined {
	const nodes = new Map(Object.entries(workflow));
	for (const role of ["prompt", "seed", "frames", "image"] as const) {
		const place = places[role];
		const value = values[role];
		if (place !== undefined && value !== undefined) {
			const dot = place.indexOf(".");
			const [id, input] = [place.slice(0, dot), place.slice(dot + 1)];
			const node = nodes.get(id);
			if (dot < 0 || !node || !Object.hasOwn(node.inputs, input)) {
				return undefined;
			}
			nodes.set(id, { ...node, inputs: { ...node.inputs, [input]: value } });
		}
	}
	return Object.fromEntries(nodes);
}
