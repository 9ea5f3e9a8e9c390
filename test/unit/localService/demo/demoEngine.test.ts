import MarkdownIt from "markdown-it";
import { describe, expect, test } from "vitest";
import type { ChatRequest } from "../../../../src/client/contract/schemas.ts";
import { codeSamples } from "../../../../src/localService/demo/codeSamples.ts";
import { commands } from "../../../../src/localService/demo/commands.ts";
import { fence } from "../../../../src/localService/base/markdownText.ts";
import { answerQuestion, createDemoEngine } from "../../../../src/localService/demo/demoEngine.ts";
import { longText } from "../../../../src/localService/demo/longText.ts";
import type { EngineEvent } from "../../../../src/localService/engine.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";

function requestOf(...questions: readonly string[]): ChatRequest {
	return {
		model: "llm-4-turbo-tools",
		messages: questions.flatMap((content, index) => [
			...(index > 0 ? [{ role: "assistant", content: "An answer." }] : []),
			{ role: "user", content },
		]),
	};
}

/** The texts of the messages an answer is made of. */
function messagesOf(request: ChatRequest): readonly string[] {
	const texts: string[] = [];
	for (const event of answerQuestion(request).events) {
		if (event.type === "message-start") {
			texts.push("");
		} else if (event.type === "text-delta") {
			texts.push((texts.pop() ?? "") + event.text);
		}
	}
	return texts;
}

function say(...questions: readonly string[]): string {
	const messages = messagesOf(requestOf(...questions));
	expect(messages).toHaveLength(1);
	return messages[0] ?? "";
}

describe("the demo says what it is", () => {
	test.each(["", "   ", "?", "help", "Who are you?", "what can you do"])(
		"%j → an introduction and what can be tried",
		question => {
			const answer = say(question);
			expect(answer).toMatch(/^I am Cutaway's built-in \*\*demo\*\*.*not a language model\.\n/);
			expect(answer).toContain("Choose Model…");
			expect(answer).not.toContain("/fail");
		},
	);

	test("and its commands under the one that lists them", () => {
		expect(say("/demo")).toBe(say("/help"));
		expect(say("/demo echo  Hello")).toBe(say("/echo Hello"));
	});

	test("and that it cannot read code, and what it can do, whatever is asked about code (ux 6)", () => {
		const answer = say("Why is the sky blue?");
		expect(answer).toMatch(
			/^No model is set up, so I can't read code\. I can make a clip .*table\.$/,
		);
		for (const question of [
			"Explain the selected code.",
			"Find what is wrong with the selected code, and fix it.",
			"Write documentation comments for the selected code, in its language's usual form.",
			"Write tests for the selected code, in the style of the tests that this project has.",
			"Review the attached change: what is wrong with it?",
		]) {
			expect(say("one", "two", question)).toBe(answer);
		}
	});
});

test("the same conversation gets the same answer", () => {
	for (const { name } of commands.filter(command => command.name !== "/fail")) {
		const request = requestOf("Earlier", `${name} 3`);
		expect(answerQuestion(request)).toEqual(answerQuestion(structuredClone(request)));
	}
});

describe("/help", () => {
	test("lists every command in a table", () => {
		const answer = say("/help");
		for (const { name, summary } of commands) {
			expect(answer).toContain(`\`${name}`);
			expect(answer).toContain(`| ${summary} |`);
		}
	});

	test.each(["/HELP", " /help ", "/help me please"])("is found as %j", question => {
		expect(say(question)).toContain("What you can type");
	});

	test("stands in for what nobody knows, and finds what was meant", () => {
		expect(say("/hlep")).toContain("Did you mean `/help`?");
		const answer = say("/dance");
		expect(answer).toContain("`/dance` is not something this demo knows.");
		expect(answer).toContain("`/markdown`");
	});

	test("is not taken for a path", () => {
		expect(say("/usr/bin/env is where?")).toContain("so I can't read code");
	});
});

describe("/markdown", () => {
	const html = new MarkdownIt({ html: false, linkify: false }).render(say("/markdown"));

	test.each([
		..."h1 h2 h3 h4 h5 h6 ul ol blockquote table hr em strong s code pre br".split(" "),
		"ol>\n<li>first</li>",
		"blockquote>\n<p>Quoted in a quote",
		'td style="text-align:right"',
		'a href="https://spec.commonmark.org/"',
		'a href="https://example.com/"',
		'img src="https://example.com/picture.png"',
		'code class="language-ts"',
		'code class="language-python"',
		'code class="language-diff"',
	])("has <%s>", tag => {
		expect(html).toContain(`<${tag}`);
	});

	test.each([
		"[x] a finished task",
		"&lt;script&gt;alert(",
		"&lt;b&gt;not bold",
		"$e^{i\\pi} + 1 = 0$",
		"שלום עולם",
		"مرحبا",
		"👩‍👩‍👧‍👦",
		"```sh\necho inside\n```",
	])("has %s as text", text => {
		expect(html).toContain(text);
	});

	test("has links that must stay inert", () => {
		const answer = say("/markdown");
		for (const scheme of ["javascript:", "file:", "command:", "data:", "http://"]) {
			expect(answer).toContain(`](${scheme}`);
		}
		expect(html).not.toContain('href="javascript:');
	});
});

describe("/code", () => {
	test.each(Object.entries(codeSamples))("%s is fenced under its name", (language, sample) => {
		expect(say(`/code ${language}`)).toContain(`\n\`\`\`${language}\n${sample}\n\`\`\`\n`);
	});

	test.each(["/code", "/code klingon", "/code constructor", "/code __proto__"])(
		"%s lists the languages",
		question => {
			expect(say(question)).toContain("`typescript`, `javascript`, `python`");
		},
	);

	test("is fenced with more ticks when it holds a fence", () => {
		expect(fence("```\na\n```", "md")).toBe("````md\n```\na\n```\n````");
	});
});

describe("/long", () => {
	test.each([1, 2, 50, 200, 1000])("%i KB has exactly that many bytes", kilobytes => {
		const text = say(`/long ${kilobytes}`);
		expect(Buffer.byteLength(text)).toBe(kilobytes * 1024);
		expect(text).toBe(longText(kilobytes));
		expect(text.endsWith(".")).toBe(true);
	});

	test("closes every fence", () => {
		expect([...longText(200).matchAll(/^```/gm)].length % 2).toBe(0);
	});

	test.each(["/long", "/long 0", "/long 1001", "/long -1", "/long 1.5", "/long much"])(
		"%s says what it takes",
		question => {
			expect(say(question)).toContain("from 1 to 1000");
		},
	);
});

describe("/messages", () => {
	test.each([1, 3, 10])("%i answers in as many messages", count => {
		const messages = messagesOf(requestOf(`/messages ${count}`));
		expect(messages).toHaveLength(count);
		expect(messages.at(-1)).toContain(`Message ${count} of ${count}`);
	});

	test.each(["/messages", "/messages 0", "/messages 11", "/messages x"])(
		"%s says what it takes",
		question => {
			expect(say(question)).toContain("from 1 to 10");
		},
	);
});

describe("/echo, /history, /request and /table", () => {
	test("/echo gives the text back unchanged", () => {
		expect(say("/echo <b>hi</b>  \n\n```js\nx\n```")).toBe("<b>hi</b>  \n\n```js\nx\n```");
		expect(say("/echo")).toContain("Type a text");
	});

	test("/history lists the questions, cut and on one line each", () => {
		const answer = say("First\nquestion", "Second `code`", "x".repeat(200), "/history");
		expect(answer).toContain("You asked 4 questions");
		expect(answer).toContain("1. ` First question `");
		expect(answer).toContain("2. `` Second `code` ``");
		expect(answer).toContain(`3. \` ${"x".repeat(79)}… \``);
	});

	test("/request shows what arrived without the texts", () => {
		const [answer = ""] = messagesOf({ ...requestOf("a secret", "/request"), temperature: 0.25 });
		const json: unknown = JSON.parse(/```json\n([\s\S]*)\n```/.exec(answer)?.[1] ?? "");
		expect(json).toMatchObject({
			model: "llm-4-turbo-tools",
			temperature: 0.25,
			messages: [{ role: "user", characters: 8 }, { role: "assistant" }, { role: "user" }],
		});
		expect(answer).not.toContain("secret");
	});

	test("/table is a table", () => {
		const html = new MarkdownIt().render(say("/table"));
		expect([...html.matchAll(/<th /g)]).toHaveLength(6);
		expect([...html.matchAll(/<tr>/g)]).toHaveLength(9);
	});
});

describe("the engine", () => {
	async function gather(events: AsyncIterable<EngineEvent>): Promise<readonly EngineEvent[]> {
		const gathered: EngineEvent[] = [];
		for await (const event of events) {
			gathered.push(event);
		}
		return gathered;
	}
	const forever = new AbortController().signal;

	test.each([
		["help", 600, 1_000],
		["/slow", 600, 10_000],
	])("streams %s over time", async (question, charactersPerSecond, ms) => {
		const clock = createFakeClock();
		const engine = createDemoEngine({ clock, charactersPerSecond: () => charactersPerSecond });
		const request = { ...requestOf(question), stream: true };
		let isDone = false;
		const done = gather(engine.answer(request, forever, {})).then(events => {
			isDone = true;
			return events;
		});
		await clock.advance(ms / 2);
		expect(isDone).toBe(false);
		await clock.advance(60_000);
		const events = await done;
		expect(events.length).toBeGreaterThan(20);
		expect(events[0]).toEqual({ type: "message-start", role: "assistant" });
		expect(events.at(-1)).toEqual({ type: "message-end" });
	});

	test.each(["/long 100", "/long 1000"])("streams %s without a wait", async question => {
		const clock = createFakeClock();
		const engine = createDemoEngine({ clock, charactersPerSecond: () => 1 });
		const events = await gather(
			engine.answer({ ...requestOf(question), stream: true }, forever, {}),
		);
		expect(events.length).toBeGreaterThan(1_000);
	});

	test("waits for nothing when streaming is off", async () => {
		const engine = createDemoEngine({ clock: createFakeClock(), charactersPerSecond: () => 1 });
		expect((await gather(engine.answer(requestOf("/slow"), forever, {}))).length).toBeGreaterThan(
			2,
		);
	});
});
