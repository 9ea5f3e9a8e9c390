import { expect, test, vi } from "vitest";
import type { ApprovalRequest } from "../../../../src/tools/gate/approvals.ts";

const { showWarningMessage } = vi.hoisted(() => ({
	showWarningMessage:
		vi.fn<(message: string, options: { readonly detail: string }) => Promise<string | undefined>>(),
}));
vi.mock("vscode", () => ({ window: { showWarningMessage } }));
const { modalApprover } = await import("../../../../src/ui/tools/chatTools.ts");

const request = (argumentsText: string): ApprovalRequest => ({
	callId: "editor:1",
	tool: { name: "generate_video", title: "Make a video", effect: "paid" },
	summary: "Make a video",
	argumentsText,
	files: ["src/a.ts"],
	warnings: ["src/a.ts may contain secrets"],
	canRemember: false,
	preview: undefined,
	fingerprint: "f",
});

async function detailOf(argumentsText: string): Promise<string> {
	showWarningMessage.mockResolvedValueOnce(undefined);
	await modalApprover.ask(request(argumentsText), new AbortController().signal);
	return showWarningMessage.mock.lastCall?.[1].detail ?? "";
}

test("the dialogue shows a short request whole", async () => {
	expect(await detailOf('{"prompt":"x"}')).toBe(
		'src/a.ts may contain secrets\nsrc/a.ts\n{"prompt":"x"}',
	);
});

test("the dialogue says first how much of a long request it does not show", async () => {
	const head = "src/a.ts may contain secrets\nsrc/a.ts\n";
	const shown = "x".repeat(2000 - head.length);
	expect(await detailOf(shown)).toBe(head + shown);
	expect(await detailOf(`${shown}and 15 hidden`)).toBe(
		`The last 13 characters of this request aren't shown.\n\n${head}${shown}…`,
	);
	// A character of two units is not torn.
	expect(await detailOf(`${shown.slice(1)}😀😀`)).toBe(
		`The last 4 characters of this request aren't shown.\n\n${head}${shown.slice(1)}…`,
	);
});
