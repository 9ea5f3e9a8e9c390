import { expect, test } from "vitest";
import { storyboardView } from "../../../../../src/ui/video/views/storyboardView.ts";
import { scenesOf } from "../../../../../src/clip/clipLength.ts";
import { videoJobView } from "../../../../../src/ui/video/views/videoJobView.ts";
import { statusBarPicture } from "../../../../../src/ui/video/views/videoStatusBarPicture.ts";
import type { VideoJob, VideoJobState } from "../../../../../src/video/job/videoJob.ts";

const base = {
	endpoint: { kind: "local", baseUrl: "", origin: "local", label: "the local service" },
	createdAt: 0,
	watch: { watchedMs: 0, round: 0 },
	ignoresSizeLimit: false,
} as const;

const prompts = ["# Billing\n\nOnce.", "Retries", "Done"];

const storyboard = (state: VideoJobState): VideoJob => ({
	...base,
	id: "board",
	request: {
		kind: "storyboard",
		scenes: prompts.map(prompt => ({ prompt, duration: 2, motionStrength: 3 })),
	},
	submissions: 0,
	state,
});

const sceneIn = (state: VideoJobState, index: number): VideoJob => ({
	...base,
	id: `board-${index}`,
	request: { kind: "text", prompt: prompts[index] ?? "", duration: 2, motionStrength: 3 },
	scene: { storyboard: "board", index },
	submissions: state.name === "waiting" ? 0 : 1,
	submitter: { pid: 1, host: "here", session: "s", since: 5_000 + index },
	state,
});

const ready: VideoJobState = {
	name: "ready",
	file: "/v/a.webm",
	size: 9,
	format: "webm",
	savedAt: 0,
};
const refused: VideoJobState = {
	name: "notSubmitted",
	failure: { kind: "badRequest", charge: "refused", status: 400 },
};
const view = (state: VideoJobState, scenes: readonly VideoJobState[], isBusy = false) =>
	storyboardView(storyboard(state), scenes.map(sceneIn), isBusy);
const gathering = { name: "gathering" } as const;

test("a long clip is one clip: no scenes are spoken of, and its text is the prompt", () => {
	const text = "Billing\n\nOnce.";
	const board = storyboard(gathering);
	const request = { ...board.request, text } as VideoJob["request"];
	const scenes = [ready, gathering, gathering].map(sceneIn);
	const { kind, prompt, shortTitle, label, share, progress, parameters, stateActions } =
		storyboardView({ ...board, request }, scenes, true);
	expect({ kind, prompt, shortTitle, label, share, progress }).toEqual({
		kind: "text",
		prompt: text,
		shortTitle: "Billing",
		label: "Making, 33%",
		share: 1 / 3,
		progress: undefined,
	});
	expect(parameters[0]).toBe("6 s");
	expect(stateActions).toEqual([]);
	const whole = [ready, ready, ready];
	const made = storyboardView({ ...board, request, state: ready }, whole.map(sceneIn), false);
	expect(made.actions).toContain("generateAgain");
	expect(view(ready, whole).actions).not.toContain("generateAgain");
});

test("scenes are counted as they were written, not the parts in which long ones are drawn", () => {
	const board = storyboard(gathering);
	const scenes = prompts.map(prompt => ({ prompt, duration: 6, motionStrength: 3 }));
	const request = { kind: "storyboard", scenes } as const;
	const viewOf = (...states: readonly VideoJobState[]) =>
		storyboardView({ ...board, request }, states.map(sceneIn), false);
	const waiting = { name: "waiting" } as const;
	expect(viewOf(ready, ready, ready, waiting, refused, waiting)).toMatchObject({
		label: "1 of 3 scenes ready",
		progress: { ready: 1, total: 3 },
		share: 1 / 2,
		parameters: ["3 scenes", "18 s"],
		sentence:
			"Scenes that need attention: 1. You can make each again on its own. Scenes not submitted yet: 1.",
	});
	const [part] = scenesOf("Retries", 6);
	const job = { ...sceneIn(ready, 2), scene: { storyboard: "board", index: 2, number: 1 } };
	const { scene, prompt } = videoJobView({
		...job,
		request: { kind: "text", prompt: part?.prompt ?? "", duration: 4, motionStrength: 3 },
	});
	expect(scene?.number).toBe("2.1");
	expect(prompt).toBe("Retries");
	expect(videoJobView(sceneIn(ready, 2)).scene?.number).toBe("3");
});

test("while a scene is under way there is one progress, and time counts from what is under way", () => {
	const shown = view(gathering, [ready, { name: "inProgress" }, { name: "waiting" }]);
	expect(shown).toMatchObject({
		tone: "working",
		label: "1 of 3 scenes ready",
		isUnfinished: true,
		downloaded: 1 / 3,
		startedAt: 5_001,
		parameters: ["3 scenes", "6 s"],
		stateActions: ["showScenes"],
	});
	expect(shown.actions).not.toContain("generateWithChanges");
	const picture = statusBarPicture([shown], new Set(), 17_001);
	expect(picture?.text).toBe("$(sync~spin) 1 of 3 scenes 0:12");
	expect(picture?.spoken).toBe("Cutaway: 1 of 3 scenes ready, in the making for 12 seconds");
});

test("once nothing happens by itself, it says which scenes need the user, and offers to submit those that cost nothing so far", () => {
	const shown = view(gathering, [ready, refused, { name: "waiting" }]);
	expect(shown).toMatchObject({
		tone: "attention",
		isUnfinished: false,
		downloaded: null,
		sentence:
			"Scenes that need attention: 1. You can make each again on its own. Scenes not submitted yet: 1.",
		stateActions: ["submitScenes", "showScenes"],
	});
	expect(shown.actions).toContain("generateWithChanges");
	// One whose answer was lost may have been charged: only its own button sends it again.
	const lost = view(gathering, [ready, ready, { name: "submissionUnknown" }]);
	expect(lost.stateActions).toEqual(["showScenes"]);
});

test("between the last scene and the joined clip it is being joined, in whatever window", () => {
	for (const isBusy of [true, false]) {
		expect(view(gathering, [ready, ready, ready], isBusy)).toMatchObject({
			label: "Joining",
			isUnfinished: true,
		});
	}
});

test("a joined storyboard is a clip like any other; clips that differ are told apart from a failure", () => {
	const shown = view(ready, [ready, ready, ready]);
	expect(shown).toMatchObject({ tone: "ready", clip: { file: "/v/a.webm" }, isUnfinished: false });
	expect(shown.actions).toEqual(expect.arrayContaining(["exportAs", "insertImage", "showScenes"]));
	const differs = view({ name: "notJoined", reason: "differ", detail: "" }, [ready, ready, ready]);
	expect(differs.sentence).toContain("differ in size or codec");
	expect(differs.stateActions).toEqual(["showScenes"]);
	const failed = view({ name: "notJoined", reason: "failed", detail: "ENOSPC /v" }, [
		ready,
		ready,
		ready,
	]);
	expect(failed).toMatchObject({
		tone: "attention",
		sentence: "Couldn't join the clips (ENOSPC /v). Each is saved on its own.",
		stateActions: ["joinScenes", "showScenes"],
	});
});
