import { expect, test } from "vitest";
import { createAttachmentNews } from "../../../../media/chat/attachmentNews.ts";
import type { AttachmentsView, AttachmentView } from "../../../../src/protocol/attachments.ts";

function attached(...items: readonly (readonly [string, AttachmentView["state"]])[]) {
	return {
		items: items.map(([id, state]) => ({
			...{ id, name: id, path: id, size: 1, kind: "data", use: "codeInterpreter", state },
			...{ canSwitchUse: false, note: null, folder: null },
		})),
		...{ budget: null, offeredModel: null, isSending: false },
	} satisfies AttachmentsView;
}

const ready = { type: "ready" } as const;
const failed = {
	type: "failed",
	sentence: "It is gone.",
	serviceMessage: null,
	canRetry: true,
	mayBeCharged: false,
} as const;

test("What was attached and what failed is said once", () => {
	const newsOf = createAttachmentNews();
	expect(newsOf(attached())).toEqual({ sentence: "", failedId: undefined });
	expect(newsOf(attached(["a", ready], ["b", ready])).sentence).toBe("2 files attached.");
	const news = newsOf(attached(["a", ready], ["b", failed]));
	expect(news).toEqual({ sentence: "b: It is gone.", failedId: "b" });
	expect(newsOf(attached(["a", ready], ["b", failed]))).toEqual({
		...{ sentence: "", failedId: undefined },
	});
});

test("An attachment that failed, was tried again and failed again is news again", () => {
	const newsOf = createAttachmentNews();
	newsOf(attached(["a", failed]));
	newsOf(attached(["a", { type: "waiting" }]));
	expect(newsOf(attached(["a", failed])).failedId).toBe("a");
});
