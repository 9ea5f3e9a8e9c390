import { expect, test } from "vitest";
import { createRandom } from "../../helpers/random.ts";
import { atRest } from "../../helpers/videoIdle.ts";
import { type Answer, json, makeVideoBench } from "../../helpers/videoService.ts";

/** `npm run test:long` runs sixty; `CUTAWAY_INTERLEAVINGS=1000` proves more. */
const interleavings = Number(process.env["CUTAWAY_INTERLEAVINGS"] ?? 6);

test(
	"T10: two windows click «submit again» on one job, in whatever order and also while one is being closed: one request is sent",
	async () => {
		const random = createRandom(10);
		const bench = await makeVideoBench();
		const refuse = json({}, 500);
		bench.service.onCreate = refuse;
		const id = await bench.submit();
		await bench.reach(id, "submissionUnknown");
		const windows = [bench.jobs, await bench.open()];
		for (let round = 1; round <= interleavings; round += 1) {
			const held: Parameters<Answer>[] = [];
			bench.service.onCreate = (...exchange) => held.push(exchange);
			const clicks = windows.map(async jobs => {
				for (let turns = random.below(12); turns > 0; turns -= 1) {
					await new Promise(resolve => setImmediate(resolve));
				}
				await jobs.submitAgain(id);
			});
			const closing = random.below(4) === 0 ? windows.shift() : undefined;
			await Promise.all(clicks);
			await atRest();
			expect({ round, posts: bench.service.posts }).toEqual({ round, posts: round + 1 });
			held.forEach(exchange => refuse(...exchange));
			await bench.pass(40);
			if (closing) {
				closing.dispose();
				windows.push(await bench.open());
			}
			expect(windows.map(jobs => jobs.job(id)?.state.name)).toEqual(
				windows.map(() => "submissionUnknown"),
			);
			expect(windows[0]?.job(id)?.submissions).toBe(round + 1);
		}
	},
	60_000 + interleavings * 500,
);
