import { expect, test, vi } from "vitest";
import { scenesOf } from "../../../../src/clip/clipLength.ts";
import type { VideoActionDependencies } from "../../../../src/ui/video/videoActions.ts";
import { videoJobView } from "../../../../src/ui/video/views/videoJobView.ts";
import type { VideoEndpoint, VideoJob } from "../../../../src/video/job/videoJob.ts";
import { createFakeSettings } from "../../../helpers/fakeSettings.ts";

vi.mock("vscode", () => ({}));
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

function actionsOn(endpoint: VideoEndpoint) {
	const submit = vi.fn((..._: readonly unknown[]) => Promise.resolve("again"));
	const dependencies = {
		jobs: { job: () => part, submit },
		settings: createFakeSettings(),
		endpoint: () => endpoint,
		view: () => videoJobView(part),
	} as unknown as VideoActionDependencies;
	return {
		submit,
		run: (action: "generateAgain" | "generateWithChanges") =>
			runVideoAction(dependencies, part.id, action),
	};
}

test("a part of a long scene is drawn again on this machine exactly as before", async () => {
	const { run, submit } = actionsOn(local);
	await run("generateAgain");
	expect(submit).toHaveBeenCalledExactlyOnceWith(part.request, part);
});

test.each<VideoEndpoint>([
	{ ...local, label: "OpenRouter", engine: "OpenRouter", mayCharge: true },
	{ ...local, kind: "remote", label: "api.example.com" },
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
