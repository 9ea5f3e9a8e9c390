/**
 * A program that writes one chat until it is killed. Arguments: the folder and the seed. It prints the chat's id, then
 * the number of every turn that the store says is kept.
 */
import type { ChatRecord } from "../../src/chat/log/chatRecord.ts";
import { ChatStore } from "../../src/chat/store/chatStore.ts";
import { systemClock } from "../../src/common/async.ts";
import { createRandom } from "./random.ts";

const [folder = "", seed = "0"] = process.argv.slice(2);
const random = createRandom(Number(seed));
const { id, writer } = new ChatStore({ folder, clock: systemClock }).create();
const options = { model: "m", serverTools: [], parameters: {} };

await writer.append([{ type: "chat-created", at: 0, id }], true);
process.stdout.write(`${id}\n`);
for (let turn = 1; ; turn += 1) {
	const text: ChatRecord[] = Array.from({ length: random.below(4) }, (_, piece) => ({
		type: "text",
		turn,
		index: 0,
		role: "assistant",
		text: `${piece}`.repeat(1 + random.below(200_000)),
	}));
	const started = {
		type: "turn-started",
		at: turn,
		turn,
		id: `t${turn}`,
		prompt: `Q${turn}`,
	} as const;
	await writer.append([{ ...started, options }], true);
	await writer.append([...text, { type: "title", at: turn, title: `Q${turn}` }], false);
	await writer.append(
		[{ type: "turn-ended", at: turn, turn, progress: { state: "complete" } }],
		random.below(2) === 0,
	);
	process.stdout.write(`${turn}\n`);
}
