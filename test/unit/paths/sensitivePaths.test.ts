import { expect, test } from "vitest";
import {
	agentNames,
	busyNames,
	lookalikes,
	nativeNames,
	placedNames,
	plainNames,
	toolNames,
} from "../../fixtures/knownFiles.ts";
import { secretRule, sensitiveReason } from "../../../src/paths/sensitivePaths.ts";

test.each([
	"a.txt",
	"src/index.ts",
	"README.md",
	"docs/env.md",
	"src/gitignore.ts",
	"config/settings.json",
	"src/id_map.ts",
	"src/package.ts",
	"lock.ts",
	"vscode/x.json",
	"src/dockerfiles.ts",
	"tests/make.ts",
	"a~b.txt",
	"notes~2024.txt.bak",
])("%s is plain", path => {
	expect([sensitiveReason(path, "read"), sensitiveReason(path, "write")]).toEqual([
		undefined,
		undefined,
	]);
});

test.each([
	".env",
	".env.local",
	"x/.ENV",
	".e\u200Bnv",
	".env ",
	".env.",
	".env::$DATA",
	".ｅｎｖ",
	"keys/A.PEM",
	"id_ed25519",
	"C:\\x\\.ssh\\config",
	"a/.aws/x",
	"db.sqlite3",
	"terraform.tfstate",
	"terraform.tfstate.backup",
	".npmrc",
	".git/config",
])("T15: reading %j asks", path => {
	expect(sensitiveReason(path, "read")).toBeDefined();
	expect(sensitiveReason(path, "write")).toBeDefined();
});

test.each([
	"package.json",
	".vscode/x",
	".GitHub/workflows/a.yml",
	"makefile",
	"ℳakefile",
	"x.SH",
	"ſetup.py",
	"K\u200Bx/.git",
])("T12: writing %j warns, reading it does not ask", path => {
	expect(sensitiveReason(path, "write")).toBeDefined();
	if (!path.endsWith(".git")) {
		expect(sensitiveReason(path, "read")).toBeUndefined();
	}
});

test("T12: a change of what Git keeps is described as deciding what runs, a look at it as showing secrets", () => {
	expect(sensitiveReason(".git/config", "write")).toBe("runsCode");
	expect(sensitiveReason(".git/config", "read")).toBe("secret");
});

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
	["/w/id_rsa.bak", "id_*"],
	["/w/id_ed25519-cert.pub", "id_*"],
	["/w/prod.env", "*.env"],
	["/w/a.kdbx", "*.kdbx"],
	["/w/.git-credentials", ".git-credentials"],
	["/w/_netrc", ".netrc"],
	["/w/.git/config", ".git"],
	["/w/prod.tfvars", "*.tfvars"],
	["/w/credentials.json", "credentials*"],
	["/w/service-account-1.json", "service-account*.json"],
	["/w/\u0600.env", ".env*"],
])("T15: %s falls under %s", (path, rule) => {
	expect(secretRule(path)).toBe(rule);
});

test.each([
	".gitconfig",
	".yarnrc.yml",
	".credentials.json",
	"secrets.prod.yml",
	".secrets",
	"client_secret_1.json",
	"app-firebase-adminsdk-x.json",
	"firebase-key.json",
	"service-key.json",
	"gcp-service-account.json",
	"docker-config.json",
	"Default/Login Data",
	"serviceAccountKey.json",
	"token.json",
	"auth.json",
	"kubeconfig",
	"a.p8",
	"a.der",
	".vault-token",
	".vault_pass",
	".boto",
	".s3cfg",
	"rclone.conf",
	"local.settings.json",
	"appsettings.Production.json",
	"application-prod.properties",
	"wp-config.php",
	...".bash_history .zsh_history .sh_history .python_history .node_repl_history .irb_history .psql_history".split(
		" ",
	),
	...".mysql_history .sqlite_history .rediscli_history .histfile .lesshst .viminfo .dbshell".split(
		" ",
	),
	".local/share/fish/fish_history",
	"PSReadLine/ConsoleHost_history.txt",
	".vscode/sftp.json",
	".terraformrc",
	".dev.vars",
	".flaskenv",
	"env.local",
	"wrangler.toml",
	".sentryclirc",
	".config/gh/hosts.yml",
	"gradle.properties",
	"local.properties",
	"keystore.properties",
	"wallet.dat",
	"passwords.txt",
	".claude.json",
	".codex/auth.json",
	".mcp.json",
	"dump.sql",
	"dump.sql.gz",
	"dump.sql.zst",
	"a.har",
	"a.pcap",
	"a.pcapng",
	"core.1234",
	"vgcore.1234",
	"appsettings.json",
	"application.properties",
	"client_secret.json",
	"client_secret_1.apps.googleusercontent.com.json",
	"secrets.prod.yaml",
	"credentials.tfrc.json",
	".gemini/oauth_creds.json",
	".ftppass",
	".npmrc.bak",
	".netrc~",
	".env.old",
])("%s may hold secrets by its name", path => {
	expect(secretRule(`/w/${path}`)).toBeDefined();
});

/** Spellings that some file system or person takes for these names. */
const spellings: readonly string[] = [
	".ENV",
	".Env",
	".env.",
	".env ",
	".env. .",
	".env...",
	".env::$DATA",
	".env:x",
	".env:x:$DATA",
	".e​nv",
	"⁠.env",
	".env‍",
	"﻿.env",
	".en­v",
	".env‮",
	".env\0",
	"．env",
	".ｅｎｖ",
	".𝐞𝐧𝐯",
	".ⓔⓝⓥ",
	"․env",
	"./.env",
	".//.env",
	"a\\.env",
	"a/./.env",
	"ID_RSA",
	"ıd_rsa",
	"id_rſa",
	"id_rsa.PUB",
	".SSH/config",
	".ſsh/config",
	".ssh./config",
	".ssh /config",
];

test(`T15: none of ${spellings.length} spellings hides what a file is`, () => {
	expect(spellings.length).toBeGreaterThanOrEqual(27);
	expect(spellings.filter(path => secretRule(`/w/${path}`) === undefined)).toEqual([]);
});

test.each([
	"/w/src/secret-store.ts",
	"/w/src/token.ts",
	"/w/src/auth.ts",
	"/w/docs/passwords.html",
	"/w/src/core.ts",
	"/w/history.md",
	"/w/src/core",
	"/w/apps.core.ts",
	"/w/data.json.gz",
	"/w/src/fish_history.ts",
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
	"/w/src/id_map.ts",
])("%s holds no secrets by its name", path => {
	expect(secretRule(path)).toBeUndefined();
});

/** Names that tools, servers and clouds give to files with keys, passwords, sessions and memory. */
const secretNames = [
	"kaggle.json ssh_host_rsa_key ssh_host_ed25519_key private_key.json deploy_key config/database.yml LocalSettings.php a.publishsettings",
	".m2/settings.xml .m2/settings-security.xml gcp-key.json cookies.txt a.hprof a.tfplan a.jceks private-key.txt rsa_key github_deploy_key",
	"jwt_key a.pvk a.snk a.pgp configuration.php config.inc.php settings.local.php parameters.yml app/etc/env.php sites/default/settings.php",
	"database.php databases.yml cookies.json storageState.json playwright/.auth/user.json cookiejar heapdump a.heapsnapshot a.mdmp a.saz",
	"a.postman_environment.json http-client.private.env.json rest-client.env.json insomnia.json a.1pif a.1pux a.psafe3 recovery-codes.txt",
	"backup_codes.txt seed-phrase.txt mnemonic.txt wallet.json filezilla.xml sitemanager.xml recentservers.xml ws_ftp.ini WinSCP.ini a.rdg",
	"a.remmina a.mobileconfig a.nmconnection a.cscfg accessTokens.json azureProfile.json msal_token_cache.bin gcp-sa.json sa-key.json",
	"google-services.json aws-keys.csv rootkey.csv accessKeys.csv vault.yml pip.conf .htdigest users.htpasswd .rhosts krb5.conf krb5cc_1000",
	"a.ccache a.kirbi a.truststore a.bcfks ngrok.yml .cvspass .svn/auth .hg/hgrc dump.rdb a.ldif a.bson a.mdf a.realm a.jwk a.age age-key.txt",
	"github_token.txt gh_token access_token bearer.txt passphrase.txt AuthKey.p8 a.provisionprofile unattend.xml tomcat-users.xml web.config",
	"connectionStrings.config users.properties jdbc.properties db.properties hibernate.cfg.xml pgpass.conf pg_service.conf my.cnf odbc.ini",
	".erlang.cookie OAI_CONFIG_LIST deploy_rsa github_rsa server_ed25519 vagrant_private_key chap-secrets ipsec.secrets shadow- gshadow",
	"opasswd dataSources.local.xml webServers.xml robomongo.json otr.private_key accounts.xml .muttrc huggingface/token .config/hub cwallet.sso",
].flatMap(line => line.split(" "));

test("T15: names of files with secrets are known at any depth", () => {
	const unknown = secretNames.filter(name => secretRule(`/w/deep/${name}`) === undefined);
	expect(unknown).toEqual([]);
	const plain =
		"src/hotkey.json src/keys.ts src/monkey.json i18n/key.json public-key.ts src/cookies.ts src/cookie-banner.json src/tokens.ts src/wallet.ts docs/recovery.md src/primary_key.sql.ts src/passphrase.ts src/config.php src/env.d.ts access_token.md src/design-token.json src/login.tsx src/auth.ts";
	expect(plain.split(" ").filter(name => secretRule(`/w/${name}`) !== undefined)).toEqual([]);
});

test("T12: names of files that a system or a tool runs are warned of in any folder", () => {
	const names =
		"a.mount a.slice a.container a.cron a.vim a.el a.bicep a.tofu a.nuspec a.natvis a.ld a.gdb a.modulemap a.psrc a.clixml a.theme a.iqy a.shb a.job a.iso a.vhd rc.local anacrontab entrypoint postinst prerm APKBUILD Jamroot codegen.ts wireit.json phinx.yml codeception.yml castor.php golangci.yaml sqlc.yaml gqlgen.yml werf.yaml atlantis.yaml bicepconfig.json azuredeploy.json nixpacks.toml dbt_project.yml prefect.yaml dagster.yaml readthedocs.yml dart_test.yaml pubspec_overrides.yaml Trunk.toml drone.yml webserver_config.py etc/init.d/a etc/profile.d/a script/server exe/a config/boot.rb config/puma.rb config/initializers/a.rb spec/spec_helper.rb META-INF/spring.factories META-INF/MANIFEST.MF patches/a+1.patch ftplugin/a.vim plugin/a.lua hook/build.dart tests/bootstrap.php kernels/a/kernel.json dags/a.py workflows/a.yml tekton/a.yaml bamboo-specs/a.yml".split(
			" ",
		);
	expect(names.filter(name => sensitiveReason(`src/deep/${name}`, "write") === undefined)).toEqual(
		[],
	);
});

/** Known names that are not warned of: too many files of that name or in such a folder are plain source, data or pictures. */
const unwarned = [
	"deploy.ts release.js publish.mjs logo.svg data.xml data.yaml main.js~ env/lib/a.py bin/a.js bin/a.rb scripts/a.ts",
	"script/a.py ci/a.js config/a.rb conf/a.py build/a.js project/Dependencies.scala tasks/a.js",
	"deploy/a.py docker/a.py vim/autoload/a.ts src/commands/a.md src/rules/a.md",
].flatMap(line => line.split(" "));

test("T12: all known names of files that run code or instruct agents but 23 are warned of, at any depth", () => {
	const names = [...busyNames, ...agentNames, ...placedNames];
	const without = (folder: string): string[] =>
		names.filter(name => sensitiveReason(`${folder}${name}`, "write") === undefined);
	expect(without("packages/a/")).toEqual(unwarned);
	// At the top, data configures a tool.
	expect(without("")).toEqual(unwarned.filter(name => !name.startsWith("data.")));
	expect(unwarned).toHaveLength(23);
});

test("T12: files that a system or a program loads as code, and those of tools, are warned of in any folder", () => {
	const names = [...nativeNames, ...toolNames];
	expect(names.filter(name => sensitiveReason(`src/deep/${name}`, "write") === undefined)).toEqual(
		[],
	);
});

test("T12: data at the top and in folders of deployment configures what runs; elsewhere it is data", () => {
	const warned = [
		"tool.json",
		"any.toml",
		"k8s/web.yaml",
		"infra/prod/main.json",
		"roles/a/tasks/main.yml",
	];
	expect(warned.filter(name => sensitiveReason(name, "write") === undefined)).toEqual([]);
	const plain = [
		"src/tool.json",
		"data/any.toml",
		"public/manifest.json",
		"i18n/messages_de.properties",
	];
	expect(plain.filter(name => sensitiveReason(name, "write") !== undefined)).toEqual([]);
});

test.each(agentNames)(
	"T12: %s is said to tell agents what to do, or to hold their secrets",
	name => {
		expect(["instructsAgents", "secret"]).toContain(sensitiveReason(name, "write"));
	},
);

test("T12: source that looks like it is not warned of", () => {
	const plain = [...plainNames, ...lookalikes];
	expect(plain.filter(name => sensitiveReason(name, "write") !== undefined)).toEqual([]);
});

test.each([
	"src/x.csproj.user",
	"build/x.rsp",
	"tests/x.runsettings",
	"src/x.tt",
	"app/app.pro",
	"m4/x.m4",
	"aux/install-sh",
	"aux/config.guess",
	"drivers/Kbuild",
	"pkg/PKGBUILD",
	"meta/x.bb",
	"rpm/x.spec",
	"debian/rules",
	"src/META-INF/services/x.Y",
	"tools/eslint-local-rules.js",
	"db/alembic/env.py",
	"lib/x-gdb.py",
	"bin/setup",
	"group_vars/all.yml",
	"molecule/default/converge.yml",
	"fw/platformio.ini",
	"proto/buf.gen.yaml",
	"a/x.rules",
	"etc/cron.d/job",
	"lib/x.pyz",
	"lib/x.jnilib",
	"docs/x.xlsm",
	"docs/x.chm",
	"setup/x.appinstaller",
])("writing %s is pointed out, because a tool, a server or a system runs it", path => {
	expect(sensitiveReason(path, "write")).toBeDefined();
});
