import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { allow, createToolBench, type Decision, type ToolBench } from "../../helpers/toolBench.ts";

const allowInChat: Decision = ({ fingerprint }) => ({ type: "allow", fingerprint, scope: "chat" });

const edit = (find: string, replace: string, ...paths: readonly string[]) => ({
	files: paths.map(path => ({ path, edits: [{ find, replace }] })),
});

const list = (...lines: readonly string[]): string[] => lines.flatMap(line => line.split(" "));

/** Files that run code or configure what does, in the workspace folder itself and in a package. */
const busyNames = list(
	"package.json package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml pnpm-workspace.yaml lerna.json nx.json",
	"turbo.json rush.json project.json deno.json deno.jsonc deno.lock bun.lockb bunfig.toml tsconfig.json jsconfig.json",
	"pom.xml build.sbt build.gradle build.gradle.kts settings.gradle gradle.properties gradlew gradlew.bat mvnw build.xml",
	"ivy.xml project.clj deps.edn build.boot shadow-cljs.edn mix.exs rebar.config gulpfile.js gulpfile.mjs Gulpfile.ts",
	"Gruntfile.js gruntfile.ts Taskfile.yml taskfile.yaml Makefile GNUmakefile makefile.js common.mk Justfile justfile.js",
	"Rakefile rakefile.rb Gemfile Gemfile.lock app.gemspec Podfile Cartfile Fastfile Dangerfile dangerfile.ts dangerfile.js",
	"Jakefile.js Cakefile Brocfile.js magefile.go noxfile.py fabfile.py dodo.py wscript SConstruct tasks.py manage.py",
	"setup.py setup.cfg pyproject.toml poetry.lock Pipfile Pipfile.lock requirements.txt requirements-dev.txt tox.ini",
	"constraints.txt conftest.py pytest.ini sitecustomize.py usercustomize.py MANIFEST.in easy-install.pth __editable__.pth",
	"notebook.ipynb lefthook.yml lefthook.toml .lintstagedrc .lintstagedrc.json .lintstagedrc.js lint-staged.config.js",
	"commitlint.config.js .huskyrc .pre-commit-config.yaml flake.nix flake.lock default.nix shell.nix devenv.nix go.mod go.sum",
	"go.work composer.json composer.lock Cargo.toml Cargo.lock build.rs rust-toolchain.toml rustfmt.toml clippy.toml",
	"Package.swift Package.resolved pubspec.yaml CMakeLists.txt CMakePresets.json CMakeUserPresets.json toolchain.cmake",
	"meson.build BUILD BUILD.bazel WORKSPACE WORKSPACE.bazel MODULE.bazel rules.bzl BUCK configure configure.ac conanfile.py",
	"conanfile.txt vcpkg.json Dockerfile Dockerfile.dev prod.Dockerfile Containerfile docker-compose.yml compose.yaml",
	"compose.override.yml docker-compose.override.yml docker-bake.hcl Vagrantfile Tiltfile Earthfile skaffold.yaml Procfile",
	".gitlab-ci.yml azure-pipelines.yml bitbucket-pipelines.yml Jenkinsfile appveyor.yml cloudbuild.yaml action.yml",
	"action.yaml buildspec.yml .travis.yml .drone.yml .woodpecker.yml netlify.toml vercel.json wrangler.toml fly.toml app.yaml",
	"serverless.yml main.tf terraform.tfvars ansible.cfg playbook.yml Chart.yaml values.yaml kustomization.yaml",
	".clangd .clang-format .clang-tidy compile_commands.json .nvim.lua .nvimrc .exrc .vimrc .Rprofile .Renviron .dir-locals.el",
	".editorconfig .envrc .env .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .babelrc .babelrc.js .eslintrc.js .eslintrc.cjs",
	".prettierrc.js .swcrc .mocharc.js .nycrc .stylelintrc.js .bashrc .profile .zshrc .gitattributes .gitmodules .gitconfig",
	"vite.config.ts vitest.config.ts vitest.workspace.ts webpack.config.js webpack.prod.js rollup.config.mjs jest.config.ts",
	"jest.setup.js karma.conf.js protractor.conf.js wdio.conf.ts babel.config.js postcss.config.cjs tailwind.config.ts",
	"next.config.mjs nuxt.config.ts svelte.config.js astro.config.mjs eslint.config.js prettier.config.mjs stylelint.config.js",
	"playwright.config.ts cypress.config.ts metro.config.js hardhat.config.ts truffle-config.js gatsby-node.js gatsby-config.js",
	"gatsby-ssr.js ember-cli-build.js esbuild.js angular.json ionic.config.json capacitor.config.ts app.config.js",
	"gunicorn.conf.py alembic.ini wsgi.py asgi.py settings.py web.config App.config Directory.Build.props app.csproj app.sln",
	"nuget.config global.json app.vcxproj app.code-workspace run.sh run.bash run.zsh run.fish run.bat run.cmd run.ps1 run.psm1",
	"run.vbs app.desktop app.service app.command app.reg postinstall.js preinstall.mjs install.py deploy.ts release.js publish.mjs",
	"php.ini .htaccess .user.ini artisan config.ru Steepfile Guardfile Capfile crontab logo.svg data.xml data.yaml",
	"TASKFI~1.JS main.js~ GULPFILE.JS Package.Swift CONFTEST.PY ｇulpfile.js",
);

/** Files that tell agents what to do. */
const agentNames = list(
	"AGENTS.md agents.md AGENTS.override.md CLAUDE.md CLAUDE.local.md GEMINI.md CONVENTIONS.md Conventions.md SKILL.md QWEN.md",
	"WARP.md CRUSH.md COPILOT.md copilot-instructions.md review.prompt.md plan.chatmode.md style.instructions.md tester.agent.md",
	"llms.txt llms-full.txt rules.md RULES.txt system-prompt.txt .cursorrules .windsurfrules .clinerules .goosehints .roomodes",
	".aider.conf.yml opencode.json opencode.jsonc crush.json .mcp.json mcp.json project.mdc",
);

/** Files whose folder decides. */
const placedNames = list(
	".cutaway/prompts/review.md .cutaway/a.ts .kiro/steering/tech.md .kiro/hooks/a.md .junie/guidelines.md .augment/rules/a.md",
	".agents/a.md .claude/commands/a.md .cursor/rules/a.mdc .windsurf/workflows/a.md .codex/a.md .continue/rules/a.md",
	".github/prompts/a.prompt.md .github/a.ts .gitlab-ci.d/a.yml .gitlab/ci/a.js .vscode/a.js .husky/a.js .storybook/main.ts",
	".idea/a.html .yarn/plugins/a.cjs .mvn/a.java .circleci/a.py .devcontainer/a.ts .config/a.ts .cargo/a.rs .obsidian/a.js",
	"src/.hidden/deep/a.ts packages/a/.vitepress/theme/a.ts node_modules/a/index.js packages/a/node_modules/b/index.js",
	"bower_components/a/a.js vendor/a/a.go vendor/a/a.rb lib/site-packages/a.py lib/python3/site-packages/a/b.py",
	"lib/dist-packages/a.py venv/lib/a.py env/lib/a.py renv/activate.R bin/a.js bin/a.rb scripts/a.ts script/a.py hooks/a.js",
	"githooks/a.py tools/hooks/a.js ci/a.js config/a.rb config/initializers/a.rb conf/a.py build/a.js buildSrc/src/main/java/A.java",
	"project/Dependencies.scala tasks/a.js rakelib/a.rb xtask/src/main.rs magefiles/a.go fastlane/a.rb deploy/a.py docker/a.py",
	"etc/profile.d/a.py etc/cron.d/a.rb vim/autoload/a.ts ruby_lsp/a/addon.rb Pods/a/a.m docs/prompts/a.md docs/agents/a.txt",
	"docs/skills/a/b.md src/commands/a.md src/rules/a.md",
);

/** Files that are plain anywhere but directly in the workspace folder. */
const plainNames = list(
	"pricing.ts App.tsx index.mjs util.cjs old.js View.vue Part.svelte main.py Main.java Main.kt Main.cs main.go lib.rs app.rb",
	"app.swift main.c main.cpp main.h app.dart index.php page.html page.css page.scss page.less guide.md notes.txt guide.rst",
	"readFile.ts profile.ts straße.ts 図.md",
);

async function editTwice(bench: ToolBench, path: string): Promise<boolean[]> {
	bench.put(`ws/${path}`, "one");
	const from = bench.asked.length;
	await bench.run("apply_edit", edit("one", "two", path));
	await bench.run("apply_edit", edit("two", "three", path));
	return bench.asked.slice(from).map(({ canRemember }) => canRemember);
}

const never = [
	...[...busyNames, ...agentNames].flatMap(name => [name, `packages/a/${name}`]),
	...placedNames,
	...plainNames,
];

test(`is asked about each time for ${busyNames.length + agentNames.length + placedNames.length} names of files that run code or tell agents what to do`, async () => {
	expect(busyNames.length + agentNames.length + placedNames.length).toBeGreaterThanOrEqual(285);
	expect(new Set(never).size).toBe(never.length);
	const bench = await createToolBench();
	bench.decide = allowInChat;
	const covered: string[] = [];
	for (const path of never) {
		const offers = await editTwice(bench, path);
		if (offers.length !== 2 || offers.includes(true)) {
			covered.push(path);
		}
	}
	expect(covered).toEqual([]);
}, 120_000);

test("holds for the next edits of plain source, prose and styles below the workspace folder", async () => {
	const bench = await createToolBench();
	bench.decide = allowInChat;
	for (const path of plainNames.map(name => `packages/a/src/${name}`)) {
		expect([path, ...(await editTwice(bench, path))]).toEqual([path, true]);
	}
});

test("in one of several folders does not take the folder's own name for a folder below it", async () => {
	const bench = await createToolBench();
	bench.put("second/main.py", "one");
	bench.roots = [...bench.roots, { name: "second", path: `${bench.base}/second` }];
	bench.decide = allowInChat;
	await bench.run("apply_edit", edit("one", "two", "second/main.py"));
	await bench.run("apply_edit", edit("two", "three", "second/main.py"));
	expect(bench.asked.map(({ canRemember }) => canRemember)).toEqual([false, false]);
});

test("ends when the file becomes a program", async () => {
	const bench = await createToolBench();
	bench.decide = allowInChat;
	const program = bench.put("ws/src/a.py", "#!/usr/bin/env python\none");
	chmodSync(bench.put("ws/src/b.py", "one"), 0o755);
	const plain = bench.put("ws/src/c.py", "one");
	for (const path of ["src/a.py", "src/b.py", "src/c.py"]) {
		await bench.run("apply_edit", edit("one", "two", path));
	}
	expect(bench.asked.map(({ canRemember }) => canRemember)).toEqual([false, false, true]);
	expect(readFileSync(program, "utf8")).toContain("two");
	await bench.run("apply_edit", edit("two", "#!/bin/sh", "src/c.py"));
	chmodSync(plain, 0o755);
	writeFileSync(plain, "two");
	await bench.run("apply_edit", edit("two", "three", "src/c.py"));
	expect(bench.asked).toHaveLength(5);
});

test("counts from the change that was shown and made, and for no file whose edits were left out", async () => {
	const bench = await createToolBench();
	bench.put("ws/src/a.ts", "one");
	bench.put("ws/src/b.ts", "one");
	bench.decide = ({ fingerprint }) => ({
		type: "allow",
		fingerprint,
		scope: "chat",
		hunks: new Set([0]),
	});
	await bench.run("apply_edit", edit("one", "two", "src/a.ts", "src/b.ts"));
	bench.decide = allow;
	await bench.run("apply_edit", edit("two", "three", "src/a.ts"));
	expect(bench.asked).toHaveLength(1);
	await bench.run("apply_edit", edit("one", "two", "src/b.ts"));
	expect(bench.asked).toHaveLength(2);
});

test("to a change of a file that moved on meanwhile is not a yes to what the change became", async () => {
	const bench = await createToolBench();
	const path = bench.put("ws/src/a.ts", "one");
	bench.decide = request => {
		if (bench.asked.length === 1) {
			writeFileSync(path, "one, and what nobody saw");
		}
		return allowInChat(request);
	};
	await bench.run("apply_edit", edit("one", "two", "src/a.ts"));
	expect(bench.asked).toHaveLength(2);
});
