import { expect, test, vi } from "vitest";
import { Coalescer, delay, every, Lazy } from "../../../src/common/async.ts";
import { Disposable, toDisposable, Emitter } from "../../../src/common/disposable.ts";
import { isAbortError } from "../../../src/common/errors.ts";
import { formatLogLine, redactingLog } from "../../../src/common/log.ts";
import { createFakeClock } from "../../helpers/fakeClock.ts";

test("a wait ends when its time has come", async () => {
	const clock = createFakeClock();
	const waited = vi.fn();
	void delay(1000, undefined, clock).then(waited);
	await clock.advance(999);
	expect(waited).not.toHaveBeenCalled();
	await clock.advance(1);
	expect(waited).toHaveBeenCalledOnce();
});

test("an abort ends a wait at once and leaves no timer behind", async () => {
	const clock = createFakeClock();
	const controller = new AbortController();
	const waiting = delay(1000, controller.signal, clock);
	controller.abort();
	const error: unknown = await waiting.catch((reason: unknown) => reason);
	expect(isAbortError(error)).toBe(true);
	expect(clock.pending).toBe(0);
});

test("a wait with a signal that has already fired does not begin", async () => {
	const clock = createFakeClock();
	const waiting = delay(1000, AbortSignal.abort(), clock);
	await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
	expect(clock.pending).toBe(0);
});

test("many calls within the time become one flush", async () => {
	const clock = createFakeClock();
	const flush = vi.fn();
	const coalescer = new Coalescer(16, flush, clock);
	for (let call = 0; call < 100; call++) {
		coalescer.schedule();
	}
	await clock.advance(16);
	expect(flush).toHaveBeenCalledOnce();
	coalescer.schedule();
	coalescer.flushNow();
	coalescer.flushNow();
	await clock.advance(16);
	expect(flush).toHaveBeenCalledTimes(2);
	coalescer.schedule();
	coalescer.dispose();
	await clock.advance(16);
	expect(flush).toHaveBeenCalledTimes(2);
});

test("a repeated call stops when it is disposed, even from within", async () => {
	const clock = createFakeClock();
	let count = 0;
	const repeating = every(
		10,
		() => {
			count += 1;
			if (count === 3) {
				repeating.dispose();
			}
		},
		clock,
	);
	await clock.advance(100);
	expect(count).toBe(3);
	expect(clock.pending).toBe(0);
});

test("a listener that throws does not keep the others from hearing", () => {
	const errors: unknown[] = [];
	const emitter = new Emitter<number>(error => errors.push(error));
	const heard: number[] = [];
	emitter.event(() => {
		throw new Error("No");
	});
	const subscription = emitter.event(value => heard.push(value));
	emitter.fire(1);
	subscription.dispose();
	emitter.fire(2);
	expect(heard).toEqual([1]);
	expect(errors).toHaveLength(2);
});

test("what is registered is disposed once, the last first, and at once after disposal", () => {
	const order: string[] = [];
	class Owner extends Disposable {
		own(name: string): void {
			this.register(toDisposable(() => order.push(name)));
		}
	}
	const owner = new Owner();
	owner.own("a");
	owner.own("b");
	owner.dispose();
	owner.dispose();
	owner.own("c");
	expect(order).toEqual(["b", "a", "c"]);
});

test("a lazy value is made once for everyone, and again after it failed", async () => {
	let calls = 0;
	const value = new Lazy(() => {
		calls += 1;
		return calls === 1 ? Promise.reject(new Error("Not yet")) : Promise.resolve(calls);
	});
	expect(value.peek()).toBeUndefined();
	await expect(value.get()).rejects.toThrow("Not yet");
	expect(await Promise.all([value.get(), value.get()])).toEqual([2, 2]);
});

test("T4: no secret appears in a log line, neither in the message nor in the details", () => {
	const lines: string[] = [];
	const write = (message: string): number => lines.push(message);
	const log = redactingLog({ debug: write, info: write, warn: write, error: write }, () => [
		"sk-canary-123",
	]);
	log.error("Sent sk-canary-123 away", { header: "Bearer sk-canary-123", count: 2 });
	expect(lines).toEqual(['Sent [redacted] away header="Bearer [redacted]" count=2']);
});

test("a log line is one line whatever its values hold", () => {
	expect(formatLogLine("a\nb", { c: "d\r\ne", f: undefined })).toBe('a b c="d\\r\\ne"');
});
