import { expect, test } from "vitest";
import { AbortError } from "../../../../src/common/errors.ts";
import { QuestionPreparation } from "../../../../src/ui/chat/questionPreparation.ts";

test("one question is readied at a time, and none while an answer runs", async () => {
	const preparation = new QuestionPreparation();
	const first = Promise.withResolvers<string>();
	const running = preparation.run(false, () => first.promise);
	await expect(preparation.run(false, () => Promise.resolve("second"))).rejects.toThrow(
		"An answer is still running",
	);
	first.resolve("first");
	expect(await running).toBe("first");
	expect(await preparation.run(false, () => Promise.resolve("third"))).toBe("third");
	await expect(preparation.run(true, () => Promise.resolve("fourth"))).rejects.toThrow(
		"An answer is still running",
	);
});

test("one that is stopped says that nothing was sent, and the next can begin", async () => {
	const preparation = new QuestionPreparation();
	preparation.stop();
	const stopped = preparation.run(
		false,
		signal =>
			new Promise<never>((_, reject) => {
				signal.addEventListener("abort", () => reject(new AbortError()));
			}),
	);
	preparation.stop();
	await expect(stopped).rejects.toThrow("Stopped. The message wasn't sent.");
	expect(await preparation.run(false, () => Promise.resolve("next"))).toBe("next");
});

test("a failure keeps its own words", async () => {
	const preparation = new QuestionPreparation();
	const failing = preparation.run(false, () => Promise.reject(new Error("data.csv is gone")));
	await expect(failing).rejects.toThrow("data.csv is gone");
});
