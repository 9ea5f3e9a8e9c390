import { expect, test } from "vitest";
import { sensitiveRule } from "../../../src/common/sensitivePath.ts";

test.each([
	["/w/.env", ".env*"],
	["/w/.env.production", ".env*"],
	["/w/.ENV", ".env*"],
	["/w/.envrc", ".env*"],
	["/w/server.pem", "*.pem"],
	["/w/server.KEY", "*.key"],
	["/w/a.p12", "*.p12"],
	["/w/a.pfx", "*.pfx"],
	["/w/a.ppk", "*.ppk"],
	["/w/a.jks", "*.jks"],
	["/w/id_rsa", "id_*"],
	["/w/id_ed25519.pub", "id_*"],
	["/home/a/.aws/credentials", ".aws"],
	["/home/a/.azure/x", ".azure"],
	["/home/a/.gcp/x", ".gcp"],
	["/home/a/.kube/config", ".kube"],
	["/home/a/.docker/config.json", ".docker"],
	["/home/a/.SSH/known_hosts", ".ssh"],
	["/home/a/.gnupg/x", ".gnupg"],
	["/w/a.sqlite", "*.sqlite"],
	["/w/a.db", "*.db"],
	["/w/.npmrc", ".npmrc"],
	["/w/.netrc", ".netrc"],
	["/w/terraform.tfstate", "*.tfstate"],
	["/w/terraform.tfstate.backup", "*.tfstate"],
	["C:\\Users\\a\\.ssh\\config", ".ssh"],
	["C:\\w\\.env.", ".env*"],
	["C:\\w\\.env ", ".env*"],
	["C:\\w\\.env::$DATA", ".env*"],
	["/w/.e\u200Bnv", ".env*"],
	["/w/server.p\uFEFFem", "*.pem"],
	["/w/．env", ".env*"],
])("%s falls under %s", (path, rule) => {
	expect(sensitiveRule(path)).toBe(rule);
});

test.each([
	"/w/src/environment.ts",
	"/w/env",
	"/w/keys.ts",
	"/w/monkey",
	"/w/grid_map.csv",
	"/w/ssh/readme.md",
	"/w/docker/compose.yml",
	"/w/db/orders.csv",
	"/w/a.pem.md",
	"/w/npmrc.md",
])("%s does not", path => {
	expect(sensitiveRule(path)).toBeUndefined();
});
