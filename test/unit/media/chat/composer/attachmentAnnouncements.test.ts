import { expect, test } from "vitest";
import { AttachmentAnnouncements } from "../../../../../media/chat/composer/attachmentAnnouncements.ts";
import type { AttachmentsView } from "../../../../../src/shared/attachments.ts";
import { attachmentOf, noAttachments } from "../../../../webview/states.ts";

const failed = {
	type: "failed",
	sentence: "It is gone.",
	serviceMessage: null,
	canRetry: true,
	mayBeCharged: false,
} as const;

function attached(...items: AttachmentsView["items"]): AttachmentsView {
	return { ...noAttachments, items };
}

test("What was attached and what failed is announced once, and the first that failed is named", () => {
	const announcements = new AttachmentAnnouncements();
	const [a, b] = [attachmentOf("a"), attachmentOf("b")];
	expect(announcements.newsOf(attached(a))).toEqual({
		sentence: "a attached.",
		failedId: undefined,
		addedId: "a",
	});
	expect(announcements.newsOf(attached(a, b, attachmentOf("c"))).sentence).toBe(
		"2 files attached.",
	);
	const broken = attachmentOf("b", { state: failed });
	expect(announcements.newsOf(attached(a, broken))).toEqual({
		sentence: "b: It is gone.",
		failedId: "b",
		addedId: undefined,
	});
	expect(announcements.newsOf(attached(a, broken))).toEqual({
		sentence: "",
		failedId: undefined,
		addedId: undefined,
	});
});

test("An attachment that failed, was tried again and failed again is news again", () => {
	const announcements = new AttachmentAnnouncements();
	announcements.newsOf(attached(attachmentOf("a", { state: failed })));
	announcements.newsOf(attached(attachmentOf("a", { state: { type: "waiting" } })));
	expect(announcements.newsOf(attached(attachmentOf("a", { state: failed }))).failedId).toBe("a");
});
