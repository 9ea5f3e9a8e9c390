import { expect, test } from "vitest";
import type { TurnFailure } from "../../../../src/chat/contract/turnFailure.ts";
import { failureSentence, formatWait } from "../../../../src/client/contract/failureSentence.ts";
import { adviceFor, storeErrorMessage } from "../../../../src/ui/base/failureAdvice.ts";
import { everyFailure } from "../../../helpers/failureKinds.ts";
import { noticeMessage, turnStatus } from "../../../../src/ui/chat/turnStatus.ts";

const notSentKinds = [
	"refused",
	"unknownHost",
	"tls",
	"unreachable",
	"notReady",
	"invalidRequest",
] as const;
const doubtfulKinds = ["connectionLost", "noAnswer", "serverFailed", "busy"] as const;
const brokenStreamKinds = ["noText", "interrupted", "stalled", "empty", "unreadable"] as const;

const advise = (failure: TurnFailure, hasText = false, isLocal = false) =>
	adviceFor({ failure, hasText, isLocal });

test.each(notSentKinds)("%s: says that nothing was sent and never speaks of a charge", kind => {
	const { sentence, actions } = advise({ kind, host: "service.example.com" });
	expect(sentence).toContain("Nothing was sent.");
	expect(sentence).not.toMatch(/charged/);
	expect(actions).toContain("tryAgain");
	expect(actions).not.toContain("sendAgain");
});

test.each(doubtfulKinds)(
	"%s: offers only the button that says it may be charged, because the request may have been processed",
	kind => {
		const { sentence, actions } = advise({ kind, status: 500 });
		expect(sentence).toMatch(/may (or may not )?have been (processed|charged)/);
		expect(actions).toEqual(["sendAgain"]);
	},
);

test.each(brokenStreamKinds)("%s: a broken or empty stream offers to show the error", kind => {
	expect(advise({ kind }).actions).toContain("showError");
	expect(advise({ kind }, false, true).actions).toEqual(["tryAgain"]);
});

test("the text that came is described as kept when there is some, and not otherwise", () => {
	expect(advise({ kind: "interrupted" }, true).sentence).toContain("The text so far is kept.");
	expect(advise({ kind: "interrupted" }, false).sentence).not.toContain("kept");
});

test.each(everyFailure)("%s: the sentence says no word of the cause twice", kind => {
	for (const hasText of [false, true]) {
		const failure = { kind, host: "api.example.com", status: 400, detail: "E1" };
		const { sentence } = advise(failure, hasText);
		// What is talked about may be named again in another sentence.
		const words =
			sentence
				.replace(/“.*”/, "")
				.toLowerCase()
				.match(/\p{L}{4,}/gu) ?? [];
		const told = words.filter(
			word => !/^(service|address|message|this|your|text|kept)$/.test(word),
		);
		expect(told).toEqual([...new Set(told)]);
	}
});

test.each(everyFailure)(
	"%s: below text, nothing says that no answer came, and it is kept",
	kind => {
		const { sentence } = advise({ kind, host: "api.example.com" }, true);
		expect(sentence).not.toMatch(/before (an answer|any text)|no answer/i);
		expect(sentence).toMatch(/The text so far is kept\.$/);
	},
);

test("N1: a local service that is down is called by its name and leads to the log", () => {
	const { sentence, actions } = advise({ kind: "refused" }, false, true);
	expect(sentence).toMatch(/^The local service isn't running/);
	expect(actions).toContain("showLog");
});

test("H2: a refused key leads to entering one", () => {
	expect(advise({ kind: "unauthorized", status: 401 }).actions[0]).toBe("setApiKey");
});

test.each([
	["badRequest", 400],
	["notFound", 404],
	["rejected", undefined],
] as const)(
	"H4: %s for a file is not blamed on the address or the question, and offers to send the files again",
	(kind, status) => {
		const failure = { kind, ...(status ? { status } : {}) };
		const { sentence, actions } = advise({ ...failure, serviceMessage: "No such file" });
		expect(sentence).toContain("uploads this chat's files again");
		expect(sentence).not.toContain("address");
		expect(actions[0]).toBe("tryAgain");
		expect(advise({ ...failure, serviceMessage: "Unknown" }).sentence).not.toContain("file");
	},
);

test("a conversation too long for the model is not blamed on its files, which are not sent again", () => {
	const help = "Use a larger context, another model or fewer files, or start a new chat.";
	const failure = {
		kind: "badRequest",
		status: 400,
		reason: "context_length_exceeded",
		serviceMessage: "Too long: fewer files.",
	} as const;
	const told = advise({ ...failure, tokens: { has: 9200, room: 4096 } }, false, true);
	expect(told.sentence).toBe(`Too long for this model: about 9,200 tokens, it has 4,096. ${help}`);
	expect(told.actions).toEqual(["edit", "tryAgain", "summarizeChat"]);
	expect(advise(failure, false, true).sentence).toBe(`Too long for this model. ${help}`);
	const shown = turnStatus({ state: "refused", failure }, false, true);
	expect(shown).not.toHaveProperty("serviceMessage");
});

test.each([
	["model_server_refused_key", "badRequest", 424, "didn't accept the key", "setApiKey"],
	["model_missing", "badRequest", 424, "doesn't offer this model", "chooseModel"],
	["model_not_usable", "badRequest", 424, "can't be used now", "chooseModel"],
	["model_server_refused", "badRequest", 402, "The model's server asks for payment.", "tryAgain"],
	["model_server_failed", "serverFailed", 502, "The model's server failed.", "tryAgain"],
] as const)("%s blames the model or its server, and offers what helps there", (...row) => {
	const [reason, kind, status, words, first] = row;
	// The model's file is none of the chat's files.
	const serviceMessage = "The model's file is not there any more.";
	const { sentence, actions } = advise({ kind, status, reason, serviceMessage }, false, true);
	expect(sentence).toContain(words);
	expect(sentence).not.toContain(String(status));
	expect(actions[0]).toBe(first);
	expect(actions).toContain("chooseModel");
	expect(actions).not.toContain("edit");
});

test.each([
	["unknown_model_server", "notFound", 404],
	["engine_not_chosen", "badRequest", 424],
] as const)(
	"a model that can't be asked leads to the choice of models: %s",
	(reason, kind, status) => {
		const told = advise({ kind, status, reason }, false, true);
		expect(told.sentence).toMatch(/Choose another model\.$/);
		expect(told.actions).toEqual(["chooseModel", "tryAgain"]);
	},
);

test.each([
	["model_answer_failed", "The model's server failed."],
	["model_server_unreachable", "Can't reach the model's server."],
	["model_server_lost", "The connection to the model's server broke."],
	["model_server_not_running", "The model's server isn't running. Start it, then try again."],
] as const)("S2: an answer that a model's server broke off has its reason: %s", (...row) => {
	const [reason, sentence] = row;
	const told = advise({ kind: "interrupted", reason }, true, true);
	expect(told.sentence).toBe(`${sentence} The text so far is kept.`);
	expect(told.actions).toEqual(["tryAgain", "chooseModel"]);
});

test("H9: a model that may not be asked now can be replaced by another", () => {
	expect(advise({ kind: "rateLimited" }, false, true).actions).toEqual(["tryAgain", "chooseModel"]);
	expect(advise({ kind: "rateLimited" }).actions).toEqual(["tryAgain"]);
});

test("N1: a model's server that isn't running is told once, not again in the local service's words", () => {
	const serviceMessage = "lm is not running: nothing listens at its address.";
	for (const reason of ["model_server_not_running", "model_server_lost"] as const) {
		const failure = { kind: "serverFailed", status: 502, reason, serviceMessage } as const;
		const shown = turnStatus({ state: "refused", failure }, false, true);
		expect(shown).not.toHaveProperty("serviceMessage");
	}
});

test.each(["full", "denied", "failed"] as const)(
	"a chat that can't be saved (%s) says what is safe and what to do",
	kind => {
		const told = storeErrorMessage({ kind, path: "/chats/1.jsonl" });
		expect(told).toMatch(
			/^Can't save this chat: .*What was saved before is intact\. .*then ask again\. \(\/chats\/1\.jsonl\)$/,
		);
	},
);

test.each([
	["refused", "Check the address"],
	["unknownHost", "Check it"],
	["unreachable", "Check your network and proxy."],
	["redirected", "use it as the address"],
	["unauthorized", "Set the right one, then try again."],
	["forbidden", "Use another one, or check your account."],
] as const)("%s: the sentence ends with what to do", (kind, help) => {
	expect(failureSentence({ kind, host: "api.example.com" })).toContain(help);
});

test("S2: a conversation that grew too long for its model inside an answer has its tokens", () => {
	const failure = { kind: "interrupted", reason: "context_length_exceeded" } as const;
	const told = advise({ ...failure, tokens: { has: 9200, room: 4096 } }, true, true);
	expect(told.sentence).toContain("about 9,200 tokens, it has 4,096");
	expect(told.actions).toContain("summarizeChat");
});

test("a file that the local service does not hold is uploaded again", () => {
	const told = advise({ kind: "badRequest", status: 400, reason: "unknown_file" }, false, true);
	expect(told.sentence).toContain("uploads this chat's files again");
});

test("a service that asks for payment is paid or asked again: other words would not help", () => {
	const told = advise({ kind: "badRequest", status: 402 });
	expect(told.sentence).toContain("asks for payment");
	expect(told.actions).toEqual(["tryAgain"]);
});

test("words of a model's server are shown as its own", () => {
	const serviceMessage = "lm answered 400: Unknown role.";
	const failure = { kind: "badRequest", status: 400, serviceMessage } as const;
	const status = turnStatus({ state: "refused", failure }, false, true);
	expect(status.serviceMessage).toBe(serviceMessage);
	expect(status.isFromModelServer).toBe(true);
	const remote = turnStatus({ state: "refused", failure }, false, false);
	expect(remote.serviceMessage).toBe(serviceMessage);
	expect(remote.isFromModelServer).toBeUndefined();
});

test("a message that a model's server finds faulty is edited, as that of any service", () => {
	const failure = { kind: "badRequest", status: 400, reason: "model_server_refused" } as const;
	expect(advise(failure, false, true).actions[0]).toBe("edit");
});

test("H8: a long wait the service asks for is shown in plain words", () => {
	expect(advise({ kind: "rateLimited", retryAfterMs: 300_000 }).sentence).toContain("5 min");
});

test("S25: a stopped answer says that it may still be charged and offers no repeat by itself", () => {
	const status = turnStatus({ state: "stopped" }, true, false);
	expect(status.sentence).toMatch(/kept.*may still charge/);
	expect(status.actions).toEqual([]);
});

test.each([...doubtfulKinds, ...brokenStreamKinds])(
	"%s: of the local service, which charges nothing, nothing warns of a charge",
	kind => {
		const { sentence, actions } = advise({ kind, status: 500 }, true, true);
		expect(sentence).not.toMatch(/charge/);
		expect(actions).not.toContain("sendAgain");
		expect(turnStatus({ state: "stopped" }, true, true).sentence).not.toMatch(/charge/);
	},
);

test("the service's message is separate from our own sentence", () => {
	const status = turnStatus(
		{
			state: "refused",
			failure: { kind: "badRequest", status: 400, serviceMessage: "No such model" },
		},
		false,
		false,
	);
	expect(status.serviceMessage).toBe("No such model");
	expect(status.sentence).not.toContain("No such model");
});

test.each([
	[0, "0 s"],
	[400, "1 s"],
	[8000, "8 s"],
	[89_000, "89 s"],
	[300_000, "5 min"],
	[7_200_000, "2 h"],
])("a wait of %i ms reads %j", (ms, text) => {
	expect(formatWait(ms)).toBe(text);
});

test("H8: the countdown counts down and never below nothing", () => {
	const notice = { type: "retrying", attempt: 1, delayMs: 5000, reason: "rateLimited" } as const;
	expect(noticeMessage(notice, 0)).toContain("in 5 s");
	expect(noticeMessage(notice, 3100)).toContain("in 2 s");
	expect(noticeMessage(notice, 9000)).toContain("in 0 s");
});

test("S21: silence is reported, and withdrawn when something comes", () => {
	expect(noticeMessage({ type: "silent" }, 0)).toBe("Still waiting…");
	expect(noticeMessage({ type: "resumed" }, 0)).toBeUndefined();
});
