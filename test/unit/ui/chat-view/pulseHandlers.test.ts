import { expect, test } from "vitest";
import { type Log, type LogDetails, silentLog } from "../../../../src/common/log.ts";
import { ChatWatchdog } from "../../../../src/ui/chat-view/chatWatchdog.ts";
import { pulseHandlers } from "../../../../src/ui/chat-view/pulseHandlers.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";

test("why a message is shown as plain text goes to the log", async () => {
	const errors: (readonly [string, LogDetails | undefined])[] = [];
	const log: Log = { ...silentLog, error: (...entry) => errors.push([entry[0], entry[1]]) };
	const page = {
		ping: () => Promise.resolve(true),
		windowAnswers: () => Promise.resolve(),
		replace: () => Promise.resolve(),
		showCrashed: () => undefined,
	};
	const watchdog = new ChatWatchdog(page, createFakeClock(), log);
	const focus = { note: () => undefined, take: () => Promise.resolve() };
	const handlers = pulseHandlers(watchdog, focus, log, () => undefined);
	await handlers.messageNotFormatted({ error: "Error: of a library" });
	expect(errors).toEqual([["A message could not be formatted", { error: "Error: of a library" }]]);
	watchdog.dispose();
});
