// @module-tag thorough
import { expect, test } from "vitest";
import type { FontMetrics } from "../../../../../src/localService/video/layout/fontMetrics.ts";
import { createRandom } from "../../../../helpers/random.ts";
import { createScene } from "../../../../../src/localService/video/render/renderClip.ts";
import { drawnTexts as drawnLines, mono, sans, spyRenderer } from "./drawnTexts.ts";

/** Words of twelve scripts, and of emoji. */
const scripts: Readonly<Record<string, string>> = {
	Latin: "übergrößte Ærø façade naïve İstanbul Łódź Tiếng Việt señor ﬁn",
	Cyrillic: "корабль утро Київ београд Ёлка қала маяк у моря",
	Greek: "καράβι θάλασσα ᾠδή πρωί φάρος Ὀδυσσεύς",
	Arabic: "سفينة الصباح منارة البحر لا إله كتاب ۱۲۳",
	Hebrew: "ספינה בּוֹקֶר מגדלור שלום ים",
	Armenian: "նավակ առավոտ փարոս ծով և",
	Georgian: "გემი დილა შუქურა ზღვა ᲒᲔᲛᲘ",
	Devanagari: "नौका सुबह प्रकाशस्तंभ समुद्र क्षत्रिय",
	Thai: "เรือ รุ่งเช้า ประภาคาร ทะเล น้ำ",
	Han: "小舟 黎明 灯塔 大海 龍",
	Kana: "ふね あけぼの トウダイ ウミ ﾊﾝｶｸ",
	Hangul: "배 새벽 등대 바다 한글",
	Emoji: "🚣 👨‍👩‍👧 🇩🇪 ❤️ 👍🏽 1️⃣ ☑ 🏴󠁧󠁢󠁥󠁮󠁧󠁿",
};

/** The texts that a clip's pictures hold. */
const drawnTexts = (prompt: string): readonly string[] =>
	drawnLines(prompt).map(({ text }) => text);

const hasGlyph = (character: string): boolean =>
	[sans, mono].some((font: FontMetrics) => font.covers(character.codePointAt(0) ?? 0));

/** Where a line runs from right to left is told by two signs that are not drawn. */
const steering = /[\u202B\u202C]/gu;

const frames: Readonly<Record<string, (words: string) => string>> = {
	prose: words => words,
	code: words => `\`\`\`js\nconst a = "${words}";\n// ${words}\n\`\`\``,
	focus: words => `${words}\n\`\`\`js {2}\nlet a;\nlet b = "${words}"; // and more of it\n\`\`\``,
	change: words => `\`\`\`diff\n-let a = "${words}";\n+let b = "${words}!";\n\`\`\``,
	terminal: words => `\`\`\`console\n$ echo "${words}"\n${words}\n\`\`\``,
};

test("no letter is drawn that the fonts lack: 200 texts in 12 scripts", () => {
	const random = createRandom(12).next;
	const names = Object.keys(scripts);
	let count = 0;
	for (let round = 0; round < 4; round += 1) {
		for (const name of names) {
			for (const [form, frame] of Object.entries(frames)) {
				const other = names[Math.floor(random() * names.length)] ?? name;
				const words = [scripts[name] ?? "", round % 2 === 0 ? "" : (scripts[other] ?? "")]
					.flatMap(text => text.split(" "))
					.filter(() => random() < 0.8)
					.join(" ");
				const texts = drawnTexts(frame(words));
				const boxes = [...texts.join("").replaceAll(steering, "")].filter(
					letter => !hasGlyph(letter) || letter === "▯",
				);
				expect({ form, words, boxes }).toEqual({ form, words, boxes: [] });
				count += 1;
			}
		}
	}
	expect(count).toBeGreaterThan(200);
});

test("what could not be drawn is counted, and no picture speaks of it", () => {
	const undrawnIn = (prompt: string): number =>
		createScene({ type: "text", prompt, duration: 2, motionStrength: 3 }, spyRenderer([])).undrawn;
	expect(undrawnIn("A boat")).toBe(0);
	expect(undrawnIn("One 漢 here")).toBe(1);
	expect(undrawnIn("```js\n// 漢字\nlet a = 1;\n```")).toBe(2);
	expect(drawnTexts("One 漢 here").join(" ")).not.toContain("could not");
});
