import { describe, expect, test } from "vitest";
import { addressAt, completeMention, mentionAt } from "../../../../../media/chat/draft/mention.ts";

describe("A mention", () => {
	test.each([
		["@", 1, { start: 0, query: "", trigger: "@" }],
		["@ord", 4, { start: 0, query: "ord", trigger: "@" }],
		["Sum up @data/ord", 16, { start: 7, query: "data/ord", trigger: "@" }],
		["line\n@x", 7, { start: 5, query: "x", trigger: "@" }],
		["(@x", 3, { start: 1, query: "x", trigger: "@" }],
		["@größe", 6, { start: 0, query: "größe", trigger: "@" }],
		["参考@src", 6, { start: 2, query: "src", trigger: "@" }],
		["これは＠src", 7, { start: 3, query: "src", trigger: "@" }],
		["참고@src", 6, { start: 2, query: "src", trigger: "@" }],
		["ดู@src", 6, { start: 2, query: "src", trigger: "@" }],
		["参照：@src", 7, { start: 3, query: "src", trigger: "@" }],
		["（@src", 5, { start: 1, query: "src", trigger: "@" }],
		["＠文件", 3, { start: 0, query: "文件", trigger: "@" }],
	])("is found in %j at %i", (text, cursor, expected) => {
		expect(mentionAt(text, cursor)).toEqual(expected);
	});

	test.each([
		["", 0],
		["me@example.com", 14],
		["a@b", 3],
		["größe@b", 7],
		["почта@b", 7],
		["a＠b", 3],
		["＠＠", 2],
		["@done and more", 14],
		["no at all", 9],
		["@@", 2],
		[`@${"x".repeat(250)}`, 251],
	])("is not found in %j at %i", (text, cursor) => {
		expect(mentionAt(text, cursor)).toBeUndefined();
	});

	test("of a page may be as long as an address", () => {
		const address = `https://example.com/${"x".repeat(300)}`;
		expect(mentionAt(`@${address}`, address.length + 1)?.query).toBe(address);
	});

	test("is an address that is all that is written, which stays as it is", () => {
		const address = "https://example.com/@a";
		const mention = addressAt(address, address.length);
		expect(mention).toMatchObject({ start: 0, query: address, isBare: true });
		expect(mention && completeMention(address, mention, address).text).toBe(`${address} `);
		for (const text of ["https://localhost/a", `see ${address}`, `${address} now`, "https://"]) {
			expect(addressAt(text, text.length), text).toBeUndefined();
		}
		expect(addressAt(address, 3)).toBeUndefined();
	});

	test("ends at the cursor, whatever is behind it", () => {
		expect(mentionAt("@ord and so on", 3)).toEqual({ start: 0, query: "or", trigger: "@" });
	});

	test("leaves the text for a name that isn't part of it", () => {
		const mention = { start: 4, query: "chat", trigger: "@" } as const;
		expect(completeMention("See @chat now", mention, "")).toEqual({ text: "See now", cursor: 4 });
		expect(completeMention("See @chat", mention, "")).toEqual({ text: "See ", cursor: 4 });
		expect(completeMention("See(@chat)", mention, "")).toEqual({ text: "See()", cursor: 4 });
	});

	test("gives way to the name and leaves the cursor behind one space", () => {
		const mention = { start: 4, query: "ord", trigger: "@" } as const;
		expect(completeMention("Sum @ord", mention, "orders.csv")).toEqual({
			text: "Sum orders.csv ",
			cursor: 15,
		});
		expect(completeMention("Sum @ord up", mention, "orders.csv")).toEqual({
			text: "Sum orders.csv up",
			cursor: 15,
		});
	});
});
