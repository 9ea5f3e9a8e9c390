import { expect, test } from "vitest";
import { type Log, type LogDetails, silentLog } from "../../../../src/common/log.ts";
import { ChatWatchdog, pulseHandlers } from "../../../../src/ui/chatView/chatWatchdog.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";

/** What a page's death does, which does not happen here. */
const page = {
	ping: () => Promise.resolve(true),
	windowAnswers: () => Promise.resolve(),
	replace: () => Promise.resolve(),
	showCrashed: () => undefined,
};

test("that the cursor is in the message box is known before the next ping, and what an emptied page says is not believed", async () => {
	const noted: boolean[] = [];
	const watchdog = new ChatWatchdog(page, createFakeClock(), silentLog);
	const focus = { note: () => undefined, take: () => Promise.resolve() };
	const handlers = pulseHandlers(watchdog, focus, silentLog, isWriting => noted.push(isWriting));
	await handlers.focusMoved({ hasFocus: true, isWriting: true });
	await handlers.focusMoved({ hasFocus: true, isWriting: false });
	await handlers.pong({ beat: 1, isShown: false, isWriting: false });
	expect(noted).toEqual([true]);
	await handlers.pong({ beat: 2, isShown: true, isWriting: false });
	expect(noted).toEqual([true, false]);
	watchdog.dispose();
});

test("why a message is shown as plain text goes to the log", async () => {
	const errors: (readonly [string, LogDetails | undefined])[] = [];
	const log: Log = { ...silentLog, error: (...entry) => errors.push([entry[0], entry[1]]) };
	const watchdog = new ChatWatchdog(page, createFakeClock(), log);
	const focus = { note: () => undefined, take: () => Promise.resolve() };
	const handlers = pulseHandlers(watchdog, focus, log, () => undefined);
	await handlers.messageNotFormatted({ error: "Error: of a library" });
	expect(errors).toEqual([["A message could not be formatted", { error: "Error: of a library" }]]);
	watchdog.dispose();
});
