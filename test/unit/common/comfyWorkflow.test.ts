import { expect, test } from "vitest";
import {
	candidatesFor,
	fillWorkflow,
	guessFramesPerSecond,
	guessPlace,
	brokenNode,
	readWorkflow,
} from "../../../src/common/comfyWorkflow.ts";
import { sampleWorkflow } from "../../helpers/videoEngineBench.ts";

const workflow = readWorkflow(JSON.stringify(sampleWorkflow)) ?? {};
const file = "/w.json";

test("the places of an ordinary workflow are guessed", () => {
	const guess = (role: Parameters<typeof guessPlace>[0]) => guessPlace(role, workflow)?.place;
	expect(guess("prompt")).toBe("6.text");
	expect(guess("seed")).toBe("3.seed");
	expect(guess("frames")).toBe("40.length");
	expect(guess("image")).toBe("52.image");
	expect(guessFramesPerSecond(workflow)).toBe(16);
});

test("the negative prompt is not taken for the prompt, wherever it is and whatever it is called", () => {
	const nodes = {
		"1": { class_type: "CLIPTextEncode", inputs: { text: "ugly" } },
		"2": { class_type: "CLIPTextEncode", inputs: { text: "a fox" } },
		"3": {
			class_type: "KSampler",
			inputs: { noise_seed: 5, positive: ["2", 0], negative: ["1", 0] },
		},
	};
	expect(guessPlace("prompt", nodes)?.place).toBe("2.text");
	expect(guessPlace("seed", nodes)?.place).toBe("3.noise_seed");
	expect(guessPlace("image", nodes)).toBeUndefined();
	expect(candidatesFor("prompt", nodes).map(({ place }) => place)).toEqual(["2.text", "1.text"]);
});

test("what the page of ComfyUI saves, and anything else, is no workflow in the API format", () => {
	const others = ["", "[]", "{}", "null", '{"nodes":[],"links":[]}', '{"1":{"class_type":"X"}}'];
	expect(others.map(readWorkflow)).toEqual(others.map(() => undefined));
});

test("values go into their places alone, and the workflow itself stays as it is", () => {
	const before = structuredClone(workflow);
	const filled = fillWorkflow(
		workflow,
		{ file, prompt: "6.text", seed: "3.seed" },
		{ prompt: "a boat", seed: 7, frames: 9 },
	);
	expect(filled?.["6"]?.inputs["text"]).toBe("a boat");
	expect(filled?.["3"]?.inputs["seed"]).toBe(7);
	expect(filled?.["40"]).toEqual(before["40"]);
	expect(workflow).toEqual(before);
});

test.each(["99.text", "6.words", "text", "__proto__.text"])(
	"a workflow without the place %s is not filled",
	prompt => {
		expect(fillWorkflow(workflow, { file, prompt }, { prompt: "a boat" })).toBeUndefined();
	},
);

test("a workflow is read inside a request and behind a byte order mark", () => {
	expect(readWorkflow(JSON.stringify({ prompt: sampleWorkflow, client_id: "a" }))).toEqual(
		workflow,
	);
	expect(readWorkflow(`\uFEFF${JSON.stringify(sampleWorkflow)}`)).toEqual(workflow);
});

test("a node without a type or inputs among others is named", () => {
	const node = { class_type: "KSampler", inputs: {} };
	const files = [{ "3": node, "5": { inputs: {} } }, { prompt: { "3": node, "5": 1 } }];
	expect(files.map(file => brokenNode(JSON.stringify(file)))).toEqual(["5", "5"]);
	const others = [{ "3": node }, { prompt: { "3": node } }, { nodes: [], links: [] }, []];
	expect(others.map(file => brokenNode(JSON.stringify(file)))).toEqual(Array(4).fill(undefined));
});
