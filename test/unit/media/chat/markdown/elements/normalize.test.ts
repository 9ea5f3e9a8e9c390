import { expect, test } from "vitest";
import { asShown, IncomingText } from "../../../../../../media/chat/markdown/elements/normalize.ts";
import { createRandom } from "../../../../../helpers/random.ts";

const text =
	"a\r\nb\u200B\u200B\u2060c می‌خواهم 👩🏽‍💻 🏳️‍🌈 x\u202Eevil\u202C\u{E0049}\u{E0047}\u{E004E}\r🏴󠁧󠁢󠁥󠁮󠁧󠁿 ❤️ end\u200D\u200D";

test("T30: an arriving text is shown alike however it was cut, and its hidden characters counted", () => {
	const random = createRandom(1);
	for (let round = 0; round < 200; round++) {
		const incoming = new IncomingText();
		let shown = "";
		for (let start = 0; start < text.length;) {
			const end = start + 1 + random.below(9);
			shown += incoming.take(text.slice(start, end));
			start = end;
		}
		expect(shown + incoming.end()).toBe(asShown(text));
		expect(incoming.hidden).toBe(10);
	}
	expect(asShown(text)).toBe(
		"a\nb␣U+200B…×3c می‌خواهم 👩🏽‍💻 🏳️‍🌈 x␣U+202Eevil␣U+202C…×4\n🏴󠁧󠁢󠁥󠁮󠁧󠁿 ❤️ end␣U+200D…×2",
	);
});

test("T30: a run of hidden characters without an end is shown while it arrives", () => {
	const incoming = new IncomingText();
	const shown = incoming.take("\u{E0041}".repeat(5000)) + incoming.end();
	expect(incoming.hidden).toBe(5000);
	expect(shown.length).toBeLessThan(100);
});
