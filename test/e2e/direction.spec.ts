import { answers } from "./chatView.ts";
import { expect, test } from "./fixtures.ts";
import { importTurns } from "./importedChat.ts";
import { takePictures } from "./pictures.ts";

const question = "איך מוצאים את הממוצע של ההזמנות בקובץ orders.csv?";
const answer = `קוראים את הקובץ ומחלקים את הסכום במספר השורות, כמו ב־\`mean()\`.

- קודם **הסכום**
- אחר כך המספר

| מוצר | הכנסה |
|------|------:|
| Beans | 1,234.50 |
| קפה | 45.00 |

\`\`\`python
def mean(values):
    return sum(values) / len(values)
\`\`\`

This paragraph runs from left to right.
`;

test("words of a language that is written from right to left run that way, and code does not", async ({
	workbench,
	editorServer,
}) => {
	const chat = await importTurns(workbench, "הממוצע", [{ prompt: question, answer }]);
	const direction = (text: string): Promise<string> =>
		answers(chat)
			.getByText(text, { exact: true })
			.last()
			.evaluate(element => getComputedStyle(element).direction);
	expect(await direction("אחר כך המספר")).toBe("rtl");
	expect(await direction("קפה")).toBe("rtl");
	expect(await direction("This paragraph runs from left to right.")).toBe("ltr");
	const code = chat.locator(".code-block pre");
	expect(await code.evaluate(element => getComputedStyle(element).direction)).toBe("ltr");
	await takePictures(workbench, editorServer, "right-to-left");
});
