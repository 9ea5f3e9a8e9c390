import { expect, test, vi } from "vitest";
import { autoSeconds, scenesOf } from "../../../../src/clip/clipLength.ts";
import type { VideoActionDependencies } from "../../../../src/ui/video/videoActions.ts";
import { videoJobView } from "../../../../src/ui/video/views/videoJobView.ts";
import type { VideoEndpoint, VideoJob } from "../../../../src/video/job/videoJob.ts";
import { FakeLists } from "../../../helpers/fakeLists.ts";
import { createFakeSettings } from "../../../helpers/fakeSettings.ts";

const createQuickPick = vi.hoisted(() => vi.fn<() => object>());
vi.mock("vscode", () => ({
	QuickInputButtons: { Back: {} },
	QuickPickItemKind: { Separator: -1 },
	window: { createQuickPick },
	extensions: { all: [] },
}));
const { runVideoAction } = await import("../../../../src/ui/video/videoActions.ts");

const local: VideoEndpoint = {
	kind: "local",
	baseUrl: "",
	origin: "local",
	label: "Local service",
};
const part: VideoJob = {
	id: "part",
	request: {
		kind: "text",
		prompt: scenesOf("A paper boat", 12)[1]?.prompt ?? "",
		duration: 4,
		motionStrength: 3,
	},
	scene: { storyboard: "board", index: 1, number: 0 },
	endpoint: local,
	createdAt: 1,
	submissions: 1,
	state: { name: "ready", file: "/v/a.webm", size: 9, format: "webm", savedAt: 0 },
	watch: { watchedMs: 0, round: 0 },
	ignoresSizeLimit: false,
};

const remote: VideoEndpoint = { ...local, kind: "remote", label: "api.example.com" };

/** A clip that was made in parts, of `seconds` in all. */
const longClip = (prompt: string, seconds: number): VideoJob => ({
	...part,
	request: {
		kind: "storyboard",
		scenes: scenesOf(prompt, seconds).map(scene => ({ ...scene, motionStrength: 3 })),
		text: prompt,
	},
	scene: undefined,
});

function actionsOn(endpoint: VideoEndpoint, job = part) {
	const submit = vi.fn((..._: readonly unknown[]) => Promise.resolve("again"));
	const dependencies = {
		jobs: { job: () => job, submit },
		settings: createFakeSettings(),
		endpoint: () => endpoint,
		spendingNotice: () => undefined,
		view: () => videoJobView(job),
	} as unknown as VideoActionDependencies;
	return {
		submit,
		run: (action: "generateAgain" | "generateWithChanges") =>
			runVideoAction(dependencies, job.id, action),
	};
}

test("a part of a long scene is drawn again on this machine exactly as before", async () => {
	const { run, submit } = actionsOn(local);
	await run("generateAgain");
	expect(submit).toHaveBeenCalledExactlyOnceWith(part.request, part);
});

test.each<VideoEndpoint>([
	{ ...local, label: "OpenRouter", engine: "OpenRouter", mayCharge: true },
	remote,
])("a part of a long scene is never sent to $label", async endpoint => {
	const { run, submit } = actionsOn(endpoint);
	await expect(run("generateAgain")).rejects.toThrow(
		"This part of a scene can only be drawn on this machine.",
	);
	expect(submit).not.toHaveBeenCalled();
});

test("a part of a long scene, whose text is that of all parts, can't be changed alone", async () => {
	expect(videoJobView(part).actions).not.toContain("generateWithChanges");
	await expect(actionsOn(local).run("generateWithChanges")).rejects.toThrow("no longer available");
});

const words = "A paper boat leaves the harbor at dawn. ".repeat(6);

test.each([
	["has the length that was chosen", local, "A paper boat", 8, "8 s"],
	["has Auto where its length was that of its text", local, words, autoSeconds(words, 3), "Auto"],
	["has at most 4 seconds elsewhere", remote, "A paper boat", 8, "2 s"],
] as const)("a long clip that is made again %s", async (_, endpoint, prompt, seconds, length) => {
	const lists = new FakeLists();
	createQuickPick.mockReturnValueOnce(
		Object.assign(lists.open(), { onDidTriggerButton: () => undefined }),
	);
	await actionsOn(endpoint, longClip(prompt, seconds)).run("generateAgain");
	const row = lists.shown[0]?.find(({ label }) => label === "Length");
	expect(row?.description).toMatch(new RegExp(`^${length}`));
});
