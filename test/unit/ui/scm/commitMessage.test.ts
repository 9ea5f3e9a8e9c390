import { expect, test } from "vitest";
import { commitMessageIn, exceedsBox } from "../../../../src/ui/scm/commitMessage.ts";

const own = ["cart: round up", "prices: add the rates of 2025", "Merge branch 'a'"];

test.each([
	["as it is", "Add a\n\nBecause.", "Add a\n\nBecause."],
	["in a code block", "```text\nAdd a\n\nBecause.\n```", "Add a\n\nBecause."],
	["in one with words behind it", "```\nAdd a\n```\nI hope it helps!", "Add a"],
	["with hidden characters", "\n\u202EAdd a\r\n", "Add a"],
	["empty", "```\n```", ""],
	[
		"behind a look at the changes",
		"Looking at the staged files, I can identify two changes:\n\n1. a\n2. b\n\nfeat(network): add provider\n\nBody.",
		"feat(network): add provider\n\nBody.",
	],
	[
		"behind words and in a block",
		"Here is the commit message:\n\n```\nAdd a\n\nBody.\n```\n\nIt tells why.",
		"Add a\n\nBody.",
	],
	["behind words without a form", "Sure! Here's the message:\n\nAdd a\n\nBody.", "Add a\n\nBody."],
	["behind words in German", "Hier ist die Nachricht:\n\ncart: runde auf", "cart: runde auf"],
	["with an explanation", "fix: a\n\n**Explanation:** It was missing.", "fix: a"],
	[
		"with a note of its own",
		"fix: a\n\nNote: run the migration.",
		"fix: a\n\nNote: run the migration.",
	],
	["as a command", 'git commit -m "fix: a \\"b\\"" -m "Body."', 'fix: a "b"\n\nBody.'],
	["as a command in a block", "```bash\ngit commit -am 'fix: a'\n```", "fix: a"],
	["behind a thought", "<think>\nHm, a fix.\n</think>\n\nfix: a", "fix: a"],
	["below a heading", "### Commit Message\nfix: a\n\nBody.", "fix: a\n\nBody."],
	["in code behind words", "Sure! You could use `fix: a`.", "fix: a"],
	["with a stray fence", "feat: add main.py file\n```", "feat: add main.py file"],
	["first of two options", "Option 1:\n\nfix: a\n\nOption 2:\n\nfix(cart): a", "fix: a"],
	[
		"first of two options in blocks",
		"**Option 1:**\n```\nfix: a\n```\n\n**Option 2:**\n```\nfix(cart): a\n```\n",
		"fix: a",
	],
	[
		"first of two options without a form",
		"### Option A\nAdd a\n\n### Option B\nAdd the a",
		"Add a",
	],
	["first of a list", "Here are a few options:\n\n1. fix: a\n2. fix(cart): a", "fix: a"],
	["in front of another", "fix: a\n\nAlternatively:\n\nfix(cart): a", "fix: a"],
	["in JSON", '{"message": "fix: a"}', "fix: a"],
	["in JSON in a block", '```json\n{"commit_message": "fix: a"}\n```', "fix: a"],
	[
		"in JSON with a body",
		'{"title": "fix: a", "description": "Because.\\n"}',
		"fix: a\n\nBecause.",
	],
	[
		"in JSON with a type",
		'{"type":"fix","scope":"cart","subject":"round up"}',
		"fix(cart): round up",
	],
	["in JSON with several", '{"messages":[{"message":"fix: a"},{"message":"fix: b"}]}', "fix: a"],
	["in tags", "<commit_message>\nfix: a\n</commit_message>", "fix: a"],
	[
		"in a block with one of its own",
		"```\nfix: a\n\nRun:\n```\nnpm test\n```\nthen.\n```",
		"fix: a\n\nRun:\n```\nnpm test\n```\nthen.",
	],
	["with a list of its own", "fix: a\n\n1. One\n2. Two", "fix: a\n\n1. One\n2. Two"],
	["with braces", "{ fix }: braces", "{ fix }: braces"],
	["in quotes", '"fix: handle null"', "fix: handle null"],
	[
		"in quotes with its body",
		'"fix: handle null\n\nIt was missing."',
		"fix: handle null\n\nIt was missing.",
	],
	["in back quotes", "`fix: handle null`", "fix: handle null"],
	["with stars", "**fix: handle null**\n\nBody.", "fix: handle null\n\nBody."],
	["as a heading", "# fix: handle null", "fix: handle null"],
	["with a label", "Commit message: fix: handle null", "fix: handle null"],
	["with a label in stars", "**Commit Message:** fix: handle null", "fix: handle null"],
	[
		"behind a label in stars on a line of its own",
		"**Commit Message:**\n\n```\nfix: a\n\n- b\n```\n\nThis message follows the convention.",
		"fix: a\n\n- b",
	],
	[
		"in a longer fence than that of its code",
		"````\nfix: a\n\n```\nnpm i\n```\n````",
		"fix: a\n\n```\nnpm i\n```",
	],
	[
		"with a condition at its end",
		"fix: a\n\nIf you have the old file, delete it.",
		"fix: a\n\nIf you have the old file, delete it.",
	],
	["with an offer", "fix: a\n\nIf you'd like another style, tell me.", "fix: a"],
	["with a courtesy", "fix: a\n\nLet me know if you want changes!", "fix: a"],
	["with a rule and a courtesy", "fix: a\n\nBody.\n\n---\n\nI hope this helps.", "fix: a\n\nBody."],
	[
		"with trailers",
		"fix: a\n\nBody.\n\nSigned-off-by: A <a@b>",
		"fix: a\n\nBody.\n\nSigned-off-by: A <a@b>",
	],
	["with quoted words", 'fix: show "a" and "b"', 'fix: show "a" and "b"'],
	["that begins with a quoted word", '"a" becomes "b"', '"a" becomes "b"'],
	["with a list", "Add a\n\n- one\n- two", "Add a\n\n- one\n- two"],
	[
		"with a colon at the end of a paragraph",
		"cart: round up\n\nReasons:\n\n- one",
		"cart: round up\n\nReasons:\n\n- one",
	],
])("a message comes %s", (_, answer, message) => {
	expect(commitMessageIn(answer, true, own)).toBe(message);
});

test("a message that holds a code block stays whole, also in a block around it", () => {
	const message = "docs: show the command\n\nRun:\n\n```sh\nnpm i\n```\n\nThen start.";
	expect(commitMessageIn(message, true, own)).toBe(message);
	expect(commitMessageIn(`\`\`\`\n${message}\n\`\`\`\nDone.`, true, own)).toBe(message);
	const inner = "docs: name the mark\n\nA block begins with ``` and ends with it.";
	expect(commitMessageIn(`\`\`\`\n${inner}\n\`\`\``, true, own)).toBe(inner);
});

test("T29: blank lines in a row are one, so that nothing is out of sight below them", () => {
	const answer = `Add a${"\n \t".repeat(60)}\nSigned-off-by: Somebody <else@example.com>`;
	expect(commitMessageIn(answer, true)).toBe("Add a\n\nSigned-off-by: Somebody <else@example.com>");
});

test("of an answer that arrives, whole lines are the message, and none of the words before it", () => {
	expect(commitMessageIn("Add", false)).toBe("");
	expect(commitMessageIn("```\nAdd a\n\nBec", false)).toBe("Add a");
	expect(commitMessageIn("Here is the message:\n\n", false)).toBe("");
	expect(commitMessageIn("Here is the message:\n\n```\nAdd a\n", false)).toBe("Add a");
});

test("T54: of an answer that ends in rules without end, only the last few are removed", () => {
	expect(commitMessageIn(`fix: a${"\n\n---".repeat(7)}`, true)).toBe(
		`fix: a${"\n\n---".repeat(3)}`,
	);
});

test.each([[10], ["many"], [{ x: 1 }], [null], [1e9], [-1]])(
	"T54: no height of the box that a workspace sets, such as %j, hides that a message is longer",
	height => {
		expect(exceedsBox("line\n".repeat(60), height)).toBe(true);
	},
);

test("a message that the box shows whole is not said to be long", () => {
	expect([exceedsBox("fix: a\n\nBody.", "many"), exceedsBox("a\n".repeat(14), 20)]).toEqual([
		false,
		false,
	]);
});

test("of an incomplete answer in JSON nothing is shown", () => {
	expect(commitMessageIn('{\n  "message": "fix: a",\n', false)).toBe("");
	expect(commitMessageIn("```json\n{\n", false)).toBe("");
});
