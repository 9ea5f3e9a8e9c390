import { expect, test } from "vitest";
import { unreached } from "../../../../src/localService/base/failureResponse.ts";

const failed = (code: string, syscall?: string): Error =>
	Object.assign(new Error(code), { code, ...(syscall ? { syscall } : {}) });

test.each([
	["N1", failed("ECONNREFUSED", "connect"), "refused", "lm is not running"],
	["N2", failed("ENOTFOUND"), "unknownHost", "Check its address and your network."],
	["N2", failed("EAI_AGAIN"), "unknownHost", "lm was not found."],
	["N4", failed("ENETUNREACH", "connect"), "unreachable", "Check your network."],
	["N3", failed("SELF_SIGNED_CERT_IN_CHAIN"), "tls", "could not be trusted"],
] as const)(
	"%s: a server that wasn't reached has its reason in words, and what to do",
	(_row, error, reason, words) => {
		expect(unreached("lm", error)).toMatchObject({ reason });
		expect(unreached("lm", error)?.sentence).toContain(words);
	},
);

test("a request that may have been accepted has no such reason", () => {
	expect(unreached("lm", failed("ECONNRESET", "read"))).toBeUndefined();
	expect(unreached("lm", new Error("lost"))).toBeUndefined();
	const [refused, reset] = [failed("ECONNREFUSED"), failed("ECONNRESET")];
	expect(unreached("lm", new AggregateError([refused, refused]))?.reason).toBe("refused");
	expect(unreached("lm", new AggregateError([refused, reset]))).toBeUndefined();
});
