import { expect, test, vi } from "vitest";
import type { ServiceClient } from "../../../../src/client/contract/serviceClient.ts";
import {
	ServiceError,
	type ServiceErrorKind,
} from "../../../../src/client/contract/serviceError.ts";

vi.mock("vscode", () => ({}));
const { checkService, isServiceHealthy } =
	await import("../../../../src/ui/connection/checkService.ts");

/** What a check makes of a lookup that fails like this. */
function checkAgainst(error: ServiceError, hasKey = true) {
	const client = { getGeneration: () => Promise.reject(error) } as Partial<ServiceClient>;
	return checkService(client as ServiceClient, "service.example.com", hasKey);
}

const answered = (kind: ServiceErrorKind, status: number, serviceMessage = "So it is.") =>
	new ServiceError(kind, { charge: status < 500 ? "refused" : "unknown", status, serviceMessage });

test("an unknown generation means that the service is there and took the key", async () => {
	const report = await checkAgainst(answered("notFound", 404));
	expect(isServiceHealthy(report)).toBe(true);
	expect(report.lines.join(" ")).toMatch(/The key was accepted\./);
});

test("with no key set it says that none was asked for", async () => {
	const report = await checkAgainst(answered("notFound", 404), false);
	expect(report.lines).toContain("No API key set. The service didn't ask for one.");
});

test("H2: a refused key is told from a missing one", async () => {
	const refused = await checkAgainst(answered("unauthorized", 401));
	expect(refused).toMatchObject({ isReachable: true, key: "refused" });
	expect(refused.lines).toContain("The key wasn't accepted. Set the right one, then try again.");
	expect(refused.lines).toContain("Service message: “So it is.”");
	const missing = await checkAgainst(answered("unauthorized", 401), false);
	expect(missing.lines).toContain("The service requires an API key.");
});

test("an answer that is not as expected is told with its status and the service's words", async () => {
	const { lines } = await checkAgainst(answered("serverFailed", 500, "Out of disk."));
	expect(lines.join(" ")).toBe(
		"service.example.com responds, but not as expected. The service failed (500). Service message: “Out of disk.”",
	);
});

test.each([
	answered("serverFailed", 500),
	answered("busy", 503),
	answered("rateLimited", 429),
	new ServiceError("connectionLost", { charge: "unknown" }),
	new ServiceError("noAnswer", { charge: "unknown" }),
	new ServiceError("refused", { charge: "notSent" }),
	new ServiceError("webPage", { charge: "refused", status: 200, detail: "Sign in" }),
])(
	"$kind: says nothing of the key and, the lookup being free, nothing of a charge",
	async error => {
		const report = await checkAgainst(error);
		expect(report.key).toBe("unknown");
		expect(isServiceHealthy(report)).toBe(false);
		expect(report.lines.join(" ")).not.toMatch(/charge|question may/);
		expect(report.isReachable).toBe([429, 500, 503].includes(error.status ?? 0));
	},
);
