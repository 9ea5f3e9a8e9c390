import { beforeEach, expect, test, vi } from "vitest";
import { silentLog } from "../../../../src/common/log.ts";

const file = vi.hoisted(() => ({ values: new Map<string, unknown>() }));
vi.mock("vscode", () => ({
	ConfigurationTarget: { Global: 1 },
	workspace: {
		getConfiguration: () => ({
			get: (name: string) => file.values.get(name),
			inspect: (name: string) => ({ globalValue: file.values.get(name) }),
			update: (name: string, value: unknown) => Promise.resolve(file.values.set(name, value)),
		}),
	},
}));
const { createSettings } = await import("../../../../src/ui/base/settings.ts");

const named = (name: string) => ({ name, baseUrl: `https://${name.length}.example` });

beforeEach(() => file.values.clear());

test("an invalid entry of a list takes no other away, and stays in the file when the list is written", async () => {
	const written = [named("one"), named("My Server"), { name: "two" }, named("three")];
	file.values.set("localService.servers", written);
	const settings = createSettings(silentLog);
	const servers = settings.get("localService.servers");
	expect(servers).toEqual([named("one"), named("three")]);
	await settings.set("localService.servers", [...servers, named("four")]);
	expect(file.values.get("localService.servers")).toEqual([
		...[named("one"), named("three"), named("four")],
		...[named("My Server"), { name: "two" }],
	]);
});

test("a list of fixed choices is written without what it can't hold", async () => {
	file.values.set("chat.serverTools", ["no such tool"]);
	const settings = createSettings(silentLog);
	await settings.set("chat.serverTools", ["browsing"]);
	expect(settings.get("chat.serverTools")).toEqual(["browsing"]);
});
