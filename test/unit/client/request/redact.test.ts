import { expect, test } from "vitest";
import { redact, withoutKey } from "../../../../src/client/request/redact.ts";
import { ServiceError } from "../../../../src/client/contract/serviceError.ts";

const key = 'sk+a/b="c d"\\é';

test.each([
	["as it is", key],
	["as JSON writes it", JSON.stringify(key).slice(1, -1)],
	["as an address writes it", encodeURIComponent(key)],
])("T4: a key that is told %s is left out", (_, spelling) => {
	expect(redact(`before ${spelling} and ${spelling} behind`, key)).toBe(
		"before [key] and [key] behind",
	);
});

test("T4: a key in an address is in no part of the error that tells it", () => {
	const address = `https://h.example/?key=${encodeURIComponent(key)}`;
	const error = withoutKey(
		new ServiceError("unreachable", {
			charge: "notSent",
			detail: address,
			serviceMessage: address,
			host: address,
			cause: new Error(address),
		}),
		key,
	);
	const told = [error.detail, error.serviceMessage, error.host, (error.cause as Error).message];
	expect(told).toEqual(Array.from({ length: 4 }, () => "https://h.example/?key=[key]"));
	expect(error).toMatchObject({ kind: "unreachable", charge: "notSent" });
});
