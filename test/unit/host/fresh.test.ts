import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { freshEnvironment } from "../../../scripts/fresh.ts";

afterEach(() => vi.unstubAllEnvs());

test("a fresh run has an empty home, caches of its own, few fonts and nothing of this run's path", async () => {
	const folder = await mkdtemp(join(tmpdir(), "cutaway-fresh-test-"));
	vi.stubEnv("CUTAWAY_BROWSER", "/somewhere/chromium");
	vi.stubEnv("npm_config_prefix", "/somewhere");
	vi.stubEnv("PLAYWRIGHT_BROWSERS_PATH", "/somewhere/browsers");
	try {
		const env = await freshEnvironment(folder);
		expect(await readdir(env["HOME"] ?? "")).toEqual([]);
		expect(env["npm_config_cache"]).toBe(join(folder, "npm-cache"));
		expect(env["PATH"]).not.toContain("node_modules");
		expect(Object.values(env).filter(value => value?.includes("/somewhere"))).toEqual([]);
		const fonts = await readdir(join(folder, "fonts"));
		expect(fonts).toContain("DejaVuSans.ttf");
		expect(fonts.filter(name => !/^(DejaVu|Liberation)/.test(name))).toEqual([]);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
});
