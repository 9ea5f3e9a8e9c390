import { expect, test } from "vitest";
import { motionOf, motionsFor } from "../../../../../src/ui/video/request/videoOptionNames.ts";

const code = "const a = 1;\nconst b = run(a);\n";
const named = (prompt: string): readonly (string | undefined)[] =>
	[1, 2, 3, 4, 5].map(strength => motionOf(motionsFor(prompt), strength)?.name);

test.each([
	["words", "A paper boat.", ["Calm", "Calm", "Calm", "Calm", "Typed"]],
	["code", `\`\`\`ts\n${code}\`\`\``, ["Calm", "Calm", "Calm", "Calm", "Typed"]],
	[
		"code with named lines",
		`\`\`\`ts {2}\n${code}\`\`\``,
		["Calm", "Calm", "Focus", "Calm", "Typed"],
	],
	["a change", "```diff\n-a\n+b\n```", ["Calm", "Calm", "Change", "Change", "Typed"]],
	["a terminal", "```console\n$ npm test\nok\n```", Array(5).fill(undefined)],
])("the strengths of motion have meanings for %s", (_what, prompt, names) => {
	expect(named(prompt)).toEqual(names);
});
