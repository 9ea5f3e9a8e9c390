/**
 * Names of files that run, or that decide what runs: on this machine, in a pipeline or in an editor. Lowercase. Collected from the documentation of the
 * tools, GitHub's Linguist (`filenames`, `extensions`), npm's cosmiconfig and lilconfig (`search places`), SchemaStore's catalog (`fileMatch`) and
 * Windows' list of high-risk file types.
 */
const words = (...lines: readonly string[]): ReadonlySet<string> =>
	new Set(lines.flatMap(line => line.split(" ")));

/** Folders whose whole contents decide what runs, besides dot-folders: hooks, build code, dependencies. */
export const codeFolders = words(
	"githooks git-hooks husky rakelib buildsrc build-logic xtask magefiles fastlane ruby_lsp renv",
);

/** Folders whose data files decide what is deployed. */
export const deploymentFolders = words(
	"ci deploy deployment docker k8s kubernetes helm charts ansible playbooks roles terraform infra infrastructure ops systemd salt manifests",
	"group_vars host_vars molecule",
);

/** Endings of data that configures a program, where its folder says so. */
export const dataEndings = words(
	"json json5 jsonc hjson yaml yml toml ini cfg xml properties edn neon dhall kdl cue hocon hcl sls lock dist",
);

/** Endings of files that a system, a program or an interpreter loads as code. */
export const nativeEndings = words(
	"node so dylib dll exe wasm pyd pyc pyo class jar war ear aar dex apk phar gem egg whl deb rpm msi msix appx dmg pkg xpi crx nupkg snupkg",
	"elf o a lib obj ko efi com scr pif cpl ocx sys drv rlib beam jmod bundle vsix appimage snap flatpak",
	"psrc pssc clixml theme themepack iqy slk ade mde xbap wsb msu mcf grp its plg prf prg shb shs rgs job vsto iso img vhd vhdx",
	"pyz pyzw jnilib xll xla xlam xlsm docm dotm pptm potm xltm msp mst appinstaller application diagcab chm run",
);

/** Endings of files that are run, or that decide what a build or an editor runs. */
export const codeEndings = words(
	"code-workspace csproj fsproj vbproj vcxproj shproj projitems wixproj sqlproj esproj njsproj pyproj proj sln slnx slnf targets props ruleset",
	"pubxml suo gradle kts gant sbt mk cmake bzl star bazel nix just ninja gn gni gyp gypi pri qbs gpr nims nimble gemspec podspec cabal rake thor",
	"csx fsx linq cake pth smk nf ipynb tf hcl nomad rockspec opam dhall prisma lock lockb service timer socket desktop command reg inf conf config",
	"xcconfig xcscheme xcworkspacedata pbxproj plist sublime-project sublime-build sublime-settings sublime-commands",
	"ps1 psm1 psd1 ps1xml psc1 cdxml sh bash zsh fish ksh csh bat cmd vbs vbe jse wsf wsh wsc sct hta msc lnk url scf library-ms",
	"rsp runsettings tt t4 pro m4 ebuild bb bbappend spec rules",
	"mount automount slice path target container pod kube volume network swap cron vim el bicep tofu nuspec natvis ld lds gdb lldb stp modulemap ttinclude",
	"code-snippets launch preinst postinst prerm postrm",
	"settingcontent-ms appref-ms gadget jnlp scpt applescript workflow action shortcut terminal fileloc webloc inetloc ahk au3",
);

/** Files without an extension that a build, a shell or a server runs. Names that end in `file` or `rc` count, too. */
export const codeNames = words(
	"gradlew mvnw configure bootstrap autogen artisan crontab wscript waf sconstruct sconscript build workspace buck dune dune-workspace mill sbt",
	"install-sh config.guess config.sub kbuild kconfig pkgbuild gdbinit lldbinit",
	"makevars cask eask opam rust-toolchain appraisals mlproject cleanup description namespace",
	"pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit post-checkout post-merge post-rewrite applypatch-msg pre-applypatch",
	"post-applypatch pre-rebase pre-push pre-auto-gc pre-receive post-receive post-update reference-transaction push-to-checkout sendemail-validate",
	"fsmonitor-watchman post-index-change user-data rc.local anacrontab entrypoint docker-entrypoint jamroot apkbuild captain-definition",
	"preinst postinst prerm postrm",
);

/** Tools whose files are called as the tool, in any format of data or source, also with `-local` and the like. */
const tools = [
	"lefthook serverless nodemon ecosystem pm2 knexfile ormconfig docker-bake devspace okteto tilt_config helmfile wallaby quokka plopfile",
	"hygen testem testcafe nightwatch cucumber behat codecept locustfile captainhook grumphp rector ecs phpstan psalm robofile renovate",
	"dependabot mergify codecov goreleaser bitrise wercker shippable codefresh codeship-steps codeship-services screwdriver gitpod stackblitz",
	"devenv devcontainer knip typedoc tslint api-extractor electron-builder cordova capacitor nest-cli webpackfile config-overrides samconfig",
	"cdktf apprunner gunicorn_config celeryconfig local_settings ipython_config jupyter_notebook_config jupyter_server_config",
	"jupyter_lab_config uwsgi policyfile shakefile brownie-config ape-config premake4 premake5 xmake vimspector lint-staged commitlint",
	"release-please-config codegen openapitools wireit stryker phinx codeception phpcs castor deployer golangci sqlc gqlgen werf atlantis infracost",
	"bicepconfig azuredeploy nixpacks dbt_project great_expectations prefect dagster readthedocs antora-playbook dart_test pubspec_overrides",
	"trunk dioxus leptos bacon goss casc drone bamboo swiftgen sourcery xcodegen jamroot project-config user-config webserver_config superset_config",
].flatMap(line => line.split(" "));

/** Tools whose name is an ordinary word, which counts in files of data alone. */
const wordTools = [
	"garden moon dagger packages hooks bower firebase railway cirrus semaphore concourse amplify infection cdk spago hie dub jsr artillery",
	"import_map importmap behave tekton template omnisharp",
].flatMap(line => line.split(" "));

const dataFormat = "(?:json5?|jsonc|hjson|ya?ml|toml|ini|cfg|neon|xml|sdl|dhall)";
const anyFormat = `(?:${dataFormat}|[cm]?[jt]sx?|py|rb|php|lua|hs|groovy)`;

/** Returns a pattern of the tools' files. */
function filesOf(names: readonly string[], format: string): RegExp {
	const variant = "(?:[.-](?:local|override|dev|prod|ci|base|dist))?";
	return new RegExp(`^(?:${names.join("|")})${variant}\\.${format}(?:\\.dist)?$`);
}

export const codeFiles: readonly RegExp[] = [
	filesOf(tools, anyFormat),
	filesOf(wordTools, dataFormat),
	// Data files that tools and builds read.
	/^(?:package|package-lock|npm-shrinkwrap|packages\.lock|lerna|nx|turbo|rush|project|deno|[jt]sconfig.*|composer|angular|vcpkg|global|app|eas|vercel|now|cmakepresets|cmakeuserpresets|compile_commands|devbox|dotnet-tools|launchsettings|tauri\.conf|elm|esy|bsconfig|rescript|function|kernel|.*\.config|.*\.tf|.*-lock)\.json[5c]?$/,
	/^(?:taskfile|action|buildspec|appveyor|cloudbuild|skaffold|playbook|site|chart|values|kustomization|pubspec|pnpm-workspace|package|build|melos|analysis_options|.*pipelines?|environment|conda|meta|codemagic|render|heroku|app|mkdocs|galaxy|pulumi.*|(?:docker-)?compose.*|codegen|stack|shard|dvc|template|sam|kitchen|argo|workflow|cloud-init|.*-lock)\.ya?ml$/,
	/^(?:tox|bunfig|rust-toolchain|rustfmt|clippy|netlify|fly|wrangler|pyproject|cargo|mise|pixi|foundry|pants|buck|dprint|hatch|pdm|uv|poetry|ruff|pytest|coverage|buildpack|gleam|anchor|move|scarb|nargo|alire|fpm|manifest|localpreferences|project|.*\.versions)\.toml$/,
	/^(?:pom|build|ivy|server|settings|phpunit|logback.*|log4j2?|persistence|config)\.xml(?:\.dist)?$|^(?:tox|pytest|alembic|ansible|setup|mypy|php|desktop|inventory|hosts|pants|nim)\.(?:ini|cfg)$/,
	/^(?:(?:requirements|constraints)[\w.-]*\.(?:txt|in)|manifest\.in|conanfile\.txt|cmakelists\.txt|remappings\.txt|(?:gradle|gradle-wrapper|build|ant|boot|log4j2?|logging|sonar-project)\.properties)$/,
	// Source files that a tool runs by name.
	/^[a-z]+file$|^[\w-]+\.(?:docker|container)file$|^(?:proc|docker|container|make|vagrant)file\./,
	/^_?(?:ex|g?vim|nvim|bash|zsh|input|gdb|lldb|python|pylint|irb|pry|screen|wget|curl|mail|net)rc$|^rprofile\.site$|^(?:cleanup|configure)\.(?:win|ucrt)$/,
	/^(?:gulp|grunt|rake|danger|jake|cake|mage|nox|fab|broc|guard|cap|pod|fast|task|just|jenkins|conan|thor|gem|tox|berks|puppet|snake)file\./,
	/\.(?:config|conf|setup|workspace|preset)\.(?:[cm]?[jt]sx?|py|rb|php|lua|script)$/,
	/^(?:webpack|rollup|rspack|esbuild|vite|vitest|jest|karma|babel|gatsby|ember-cli-build|tsup)[.-](?!.*\.d\.ts$).*[cm]?[jt]s$|^truffle(?:-config)?\.js$/,
	/^(?:(?:pre|post)(?:install|build|publish|pack|version|start|test)|install|build|prepare)\.(?:[cm]?[jt]s|py|rb|php|pl)$/,
	/^(?:global|jest|vitest|tests?|playwright|cypress)[-_.]?(?:setup|teardown)\.[cm]?[jt]sx?$|^setup[-_.]?tests?\.[cm]?[jt]sx?$/,
	/^(?:setup|configure|conftest|sitecustomize|usercustomize|noxfile|fabfile|tasks|dodo|manage|wsgi|asgi|settings|conanfile|toxfile|hatch_build|conf)\.py$/,
	/^(?:meson\.(?:build|options)|meson_options\.txt|configure\.(?:ac|in)|makefile\.(?:am|in|pl)|build\.(?:pl|gn)|args\.gn|config\.ru|go\.(?:mod|sum|work)|v\.mod|pnpmfile\.[cm]?js|package\.(?:swift|resolved)|(?:project|workspace|tuist)\.swift|gems\.(?:rb|locked)|cabal\.project|vm\.args|paket\.(?:dependencies|references))$/,
	/^(?:build\.(?:rs|zig|zig\.zon|boot|clj|sc|mill)|(?:project|profiles|user)\.clj|(?:deps|bb|shadow-cljs|tests|figwheel-main|.*\.cljs)\.edn|mix\.exs|dune-project|startup\.jl|project\.janet|(?:setup|shakefile)\.hs|(?:early-)?init\.el|_targets\.r|(?:metadata|knife)\.rb)$/,
];

/** Files that only their folder tells apart from plain source. */
export const codePlaces: readonly RegExp[] = [
	/(?:^|\/)(?:config|rel)\/(?:.*\/)?[^/]+\.exs$/,
	/(?:^|\/)deps\/build\.jl$/,
	/(?:^|\/)(?:init|cron|profile|rc|services|cont-init)\.d\/.|(?:^|\/)(?:scripts?|exe|tools)\/[^/.]+$/,
	/(?:^|\/)config\/(?:boot|application|environment|puma|unicorn|deploy|initializers\/.*)\.rb$|(?:^|\/)(?:spec_helper|rails_helper|test_helper)\.rb$/,
	/(?:^|\/)meta-inf\/(?:spring\.factories|spring\/.*\.imports|manifest\.mf)$|(?:^|\/)patches\/.*\.(?:patch|diff)$/,
	/(?:^|\/)(?:f?t?plugin|after)\/.*\.(?:vim|lua)$|(?:^|\/)(?:tool|hook)\/[^/]+\.dart$|(?:^|\/)(?:tests?\/)?bootstrap\.php$/,
	/(?:^|\/)(?:kernels\/.*\/kernel\.json|dags\/.*\.py|(?:workflows|pipelines|tekton|gitlab-ci|bamboo-specs)\/.*\.ya?ml)$/,
	/(?:^|\/)(?:tests?|specs?|__tests__|e2e)\/setup\.[cm]?[jt]sx?$/,
	/(?:^|\/)_templates\/.*\.t$/,
	/(?:^|\/)(?:debian|etc\/cron\.[a-z]+|bin|sbin)\/[^/.]+$|(?:^|\/)meta-inf\/services\/[^/]+$/,
	/(?:^|\/)(?:alembic|migrations)\/env\.py$|(?:^|\/)pavement\.py$|-gdb\.py$/,
	/(?:^|\/)(?:eslint-local-rules\.[cm]?[jt]s|buildout\.cfg|mocha\.opts|autoexec\.sas|startup\.m)$/,
	/\.[a-z]+proj\.user$/,
	/(?:^|\/)(?:platformio\.ini|air\.toml|buf\.(?:gen\.)?(?:work\.)?yaml|cross\.toml)$/,
];
