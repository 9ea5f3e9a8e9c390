import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import * as z from "zod/mini";
import {
	maxTokensSchema,
	modelIdSchema,
	systemPromptSchema,
	temperatureSchema,
	topPSchema,
} from "../../chat/log/chatMeta.ts";
import {
	assumptions,
	durationSchema,
	motionStrengthSchema,
} from "../../client/contract/schemas.ts";
import {
	type ChosenLook,
	clipGrounds,
	clipPaddings,
	clipShapes,
	clipSignatures,
	clipTypeSizes,
	maxThemeName,
	usualGroundColor,
} from "../../common/clipLooks.ts";
import type { Event } from "../../common/disposable.ts";
import type { Log } from "../../common/log.ts";
import { serverTools } from "../../client/contract/schemas.ts";
import { engineKinds } from "../../common/modelSetup.ts";
import { videoEngineKinds, type WorkflowPlaces } from "../../common/videoEngines.ts";
import type { ChatWorkspace } from "../../chat/log/chatRecord.ts";
import { groundColorSchema } from "../../shared/clipLookNames.ts";
import { userSetting } from "./userSetting.ts";

/** The four models that the interface names (docs/interface.md §4.4). The user can add more. */
export const namedModels = [
	"llm-4-turbo-tools",
	"llm-3.5-turbo-tools",
	"llm-4-turbo",
	"llm-3.5-turbo",
] as const;

/** Whether the demo answers for a model: no endpoint is set, and the model isn't one found on this machine. */
export function isDemo(settings: Pick<Settings, "get">, model: string): boolean {
	return settings.get("endpoint") === "" && namedModels.some(named => named === model);
}

/** Whether the local service uses a model of a server or of the editor. Such a model may support images. */
export function isAskedLocally(settings: Pick<Settings, "get">, model: string): boolean {
	return settings.get("endpoint") === "" && model.includes("/");
}

/** A list without its invalid entries, so that one mistake in the settings file doesn't take the others away. */
function listOf<Entry>(entry: z.ZodMiniType<Entry>) {
	return z.pipe(
		z.array(z.unknown()),
		z.transform((all): Entry[] =>
			all.flatMap(each => {
				const parsed = z.safeParse(entry, each);
				return parsed.success ? [parsed.data] : [];
			}),
		),
	);
}

/** Empty, an absolute path of any platform, or a path in the home folder. */
const videoFolder = z
	.string()
	.check(z.trim(), z.maxLength(4096), z.regex(/^$|^~(?:$|[\\/])|^\/|^[A-Za-z]:[\\/]|^\\\\/));
const keyScheme = z.string().check(z.regex(/^[\x21-\x7e]*$/));
const workflowPlace = z.string().check(z.regex(/^[^.]{1,100}\..{1,200}$/));
const workflowSchema = z.object({
	file: z.string().check(z.minLength(1), z.maxLength(4096)),
	prompt: workflowPlace,
	seed: z.optional(workflowPlace),
	frames: z.optional(workflowPlace),
	image: z.optional(workflowPlace),
	framesPerSecond: z.optional(z.number().check(z.minimum(1), z.maximum(120))),
}) satisfies z.ZodMiniType<WorkflowPlaces>;
/** The setting is empty until a model is chosen; the first model of the interface is used then. */
const modelSetting = z.union([
	z.pipe(
		z.literal(""),
		z.transform((): string => namedModels[0]),
	),
	modelIdSchema,
]);
const headerName = z.string().check(z.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/));

/** Entry of `tools.disabled` that disables every tool. */
export const everyTool = "*";

/**
 * All settings with their schemas and defaults. `strict` is the value of a setting that protects the user, in place of the default, while the user's
 * own is invalid. `manifest.test.ts` compares this table with package.json.
 */
export const settingsTable = {
	// No address, so that nothing is sent to another service than the user's.
	endpoint: { schema: z.string().check(z.trim()), fallback: "", strict: "invalid" },
	"auth.header": { schema: headerName, fallback: assumptions.auth.header },
	"auth.scheme": { schema: keyScheme, fallback: assumptions.auth.scheme },
	"files.path": {
		schema: z.string().check(z.regex(/^\/[^?#\s]*$/)),
		fallback: assumptions.files.path,
	},
	"files.field": {
		schema: z.string().check(z.regex(/^[^\s"\r\n]+$/)),
		fallback: assumptions.files.field,
	},
	network: { schema: z.enum(["auto", "direct"]), fallback: "auto" },
	"chat.model": { schema: modelSetting, fallback: "" },
	"chat.models": { schema: listOf(modelIdSchema), fallback: [] },
	"chat.serverTools": { schema: listOf(z.enum(serverTools)), fallback: [] },
	"chat.temperature": { schema: temperatureSchema, fallback: null },
	"chat.topP": { schema: topPSchema, fallback: null },
	"chat.maxTokens": { schema: maxTokensSchema, fallback: null, strict: 1_024 },
	"chat.extraParameters": { schema: z.record(z.string(), z.unknown()), fallback: {} },
	"chat.systemPrompts": {
		schema: z.record(z.string().check(z.minLength(1), z.maxLength(80)), systemPromptSchema),
		fallback: {},
	},
	"chat.systemPrompt": { schema: z.string().check(z.trim(), z.maxLength(80)), fallback: "" },
	"chat.projectInstructions": { schema: z.boolean(), fallback: true, strict: false },
	notifications: { schema: z.enum(["whenHidden", "always", "never"]), fallback: "whenHidden" },
	"editor.lightBulb": { schema: z.boolean(), fallback: true },
	"video.duration": { schema: durationSchema, fallback: 2 },
	"video.autoLength": { schema: z.boolean(), fallback: true },
	"video.motionStrength": { schema: motionStrengthSchema, fallback: 3 },
	"video.folder": { schema: videoFolder, fallback: "" },
	"tools.enabled": { schema: z.boolean(), fallback: true, strict: false },
	"tools.disabled": { schema: z.array(z.string()), fallback: [], strict: [everyTool] },
	"tools.external": { schema: listOf(z.string()), fallback: [] },
	"tools.offerToEditor": { schema: z.boolean(), fallback: true, strict: false },
	"tools.askBeforeReading": { schema: z.boolean(), fallback: false, strict: true },
	"localService.servers": {
		schema: listOf(
			z.object({
				name: z.string().check(z.regex(/^[\w.-]{1,40}$/)),
				baseUrl: z.string().check(z.trim(), z.maxLength(2048)),
				header: z.exactOptional(headerName),
				scheme: z.exactOptional(keyScheme),
			}),
		),
		fallback: [],
	},
	"localService.engine": { schema: z.enum(engineKinds), fallback: "auto" },
	"localService.modelHub": { schema: z.string().check(z.trim(), z.maxLength(2048)), fallback: "" },
	"localService.packageMirror": {
		schema: z.string().check(z.trim(), z.maxLength(2048)),
		fallback: "",
	},
	"localService.contextLength": {
		schema: z.int().check(z.minimum(0), z.maximum(10_000_000)),
		fallback: 0,
	},
	"localService.video.engine": { schema: z.enum(videoEngineKinds), fallback: "local" },
	"localService.video.baseUrl": {
		schema: z.string().check(z.trim(), z.maxLength(2048)),
		fallback: "",
	},
	"localService.video.model": {
		schema: z.string().check(z.trim(), z.maxLength(200)),
		fallback: "",
	},
	"localService.video.header": { schema: headerName, fallback: assumptions.auth.header },
	"localService.video.scheme": { schema: keyScheme, fallback: assumptions.auth.scheme },
	"localService.video.durations": {
		schema: z.array(z.int().check(z.minimum(1), z.maximum(600))).check(z.maxLength(50)),
		fallback: [],
	},
	"localService.video.motionPhrases": {
		schema: z.array(z.string().check(z.maxLength(400))).check(z.maxLength(5)),
		fallback: [],
	},
	"localService.video.shape": { schema: z.enum(clipShapes), fallback: "16:9" },
	"localService.video.theme": {
		schema: z.string().check(z.minLength(1), z.maxLength(maxThemeName)),
		fallback: "editor",
	},
	"localService.video.ground": { schema: z.enum(clipGrounds), fallback: "gradient" },
	"localService.video.groundColor": { schema: groundColorSchema, fallback: usualGroundColor },
	"localService.video.typeSize": { schema: z.enum(clipTypeSizes), fallback: "auto" },
	"localService.video.bar": { schema: z.boolean(), fallback: true },
	"localService.video.numbers": { schema: z.boolean(), fallback: true },
	"localService.video.padding": { schema: z.enum(clipPaddings), fallback: "usual" },
	"video.signature": { schema: z.enum(clipSignatures), fallback: "off" },
	"localService.video.workflow": { schema: z.nullable(workflowSchema), fallback: null },
} as const satisfies Record<string, SettingEntry>;

interface SettingEntry {
	readonly schema: z.ZodMiniType;
	readonly fallback: unknown;
	readonly strict?: unknown;
}

type SettingsTable = typeof settingsTable;
/** A setting's name without `cutaway.`. */
export type SettingName = keyof SettingsTable;
/** Value of a setting after validation. */
export type SettingValue<Name extends SettingName> = z.output<SettingsTable[Name]["schema"]>;

/** Access to the settings. Values are validated when they are read. */
export interface Settings {
	get<Name extends SettingName>(name: Name): SettingValue<Name>;
	/** Writes to the user settings, because workspaces can't set Cutaway's settings. */
	set<Name extends SettingName>(name: Name, value: SettingValue<Name>): Promise<void>;
	readonly onDidChange: Event<readonly SettingName[]>;
}

/** Returns the settings' choice for the appearance of clips. */
export function chosenLook(settings: Pick<Settings, "get">): ChosenLook {
	return {
		shape: settings.get("localService.video.shape"),
		theme: settings.get("localService.video.theme"),
		ground: settings.get("localService.video.ground"),
		groundColor: settings.get("localService.video.groundColor").toLowerCase(),
		typeSize: settings.get("localService.video.typeSize"),
		bar: settings.get("localService.video.bar"),
		numbers: settings.get("localService.video.numbers"),
		padding: settings.get("localService.video.padding"),
	};
}

/** Writes the parts of a choice that differ from the settings. */
export async function keepLook(
	settings: Pick<Settings, "get" | "set">,
	look: Partial<ChosenLook>,
): Promise<void> {
	await saveSetting(settings, "localService.video.shape", look.shape);
	await saveSetting(settings, "localService.video.theme", look.theme);
	await saveSetting(settings, "localService.video.ground", look.ground);
	await saveSetting(settings, "localService.video.groundColor", look.groundColor);
	await saveSetting(settings, "localService.video.typeSize", look.typeSize);
	await saveSetting(settings, "localService.video.bar", look.bar);
	await saveSetting(settings, "localService.video.numbers", look.numbers);
	await saveSetting(settings, "localService.video.padding", look.padding);
}

/** Writes a setting if the value is given and differs. */
export async function saveSetting<Name extends SettingName>(
	settings: Pick<Settings, "get" | "set">,
	name: Name,
	value: SettingValue<Name> | undefined,
): Promise<void> {
	if (value !== undefined && value !== settings.get(name)) {
		await settings.set(name, value);
	}
}

const isSettingName = (name: string): name is SettingName => Object.hasOwn(settingsTable, name);
const settingNames = Object.keys(settingsTable).filter(isSettingName);

/** Returns the entries that the schema of a list leaves out. */
function leftOutEntries(name: SettingName, list: unknown): readonly unknown[] {
	const { schema } = settingsTable[name];
	const isLeftOut = (entry: unknown): boolean => {
		const parsed = z.safeParse(schema, [entry]);
		return parsed.success && Array.isArray(parsed.data) && parsed.data.length === 0;
	};
	return Array.isArray(list) ? list.filter(isLeftOut) : [];
}

/** Shows that a protective setting is invalid, with a button that opens it. */
async function showInvalid(setting: string): Promise<void> {
	const open = l10n.t("Open Settings");
	const sentence = l10n.t(
		"The setting {0} isn't valid. Until it is corrected, Cutaway uses its strictest value.",
		setting,
	);
	if ((await vscode.window.showWarningMessage(sentence, open)) === open) {
		await vscode.commands.executeCommand("workbench.action.openSettings", setting);
	}
}

/**
 * Creates access to the user's settings. An invalid value is replaced by the strict one and shown once if the setting protects the user, else by the
 * default; each is logged once.
 */
export function createSettings(log: Log): Settings {
	const warned = new Set<string>();
	const isNew = (name: SettingName, value: unknown): boolean => {
		const before = warned.size;
		return warned.add(JSON.stringify([name, value])).size > before;
	};
	return {
		get: name => {
			const { schema, fallback, strict }: SettingEntry = settingsTable[name];
			const value = userSetting(name);
			const parsed = z.safeParse(schema, value);
			const setting = `cutaway.${name}`;
			const instead = strict ?? fallback;
			if (!parsed.success && isNew(name, value)) {
				log.warn("A setting is not valid; another value is used", { setting });
				if (strict !== undefined) {
					void showInvalid(setting);
				}
			} else if (leftOutEntries(name, value).length > 0 && isNew(name, value)) {
				log.warn("Entries of a setting are not valid and are left out", { setting });
			}
			// oxlint-disable-next-line no-unsafe-type-assertion -- The table pairs every schema with a fallback of its own type, which the index loses.
			return (parsed.success ? parsed.data : z.parse(schema, instead)) as SettingValue<typeof name>;
		},
		set: async (name, value) => {
			const list: readonly unknown[] | undefined = Array.isArray(value) ? value : undefined;
			// Keeps what is invalid, for the user to correct.
			const leftOut = leftOutEntries(name, userSetting(name));
			const written = list ? [...list, ...leftOut] : value;
			await vscode.workspace
				.getConfiguration("cutaway")
				.update(name, written, vscode.ConfigurationTarget.Global);
		},
		onDidChange: listener =>
			vscode.workspace.onDidChangeConfiguration(change => {
				const names = settingNames.filter(name => change.affectsConfiguration(`cutaway.${name}`));
				if (names.length > 0) {
					listener(names);
				}
			}),
	};
}

/** Returns the workspace of this window, or undefined if no folder is open. */
export function currentWorkspace(): ChatWorkspace | undefined {
	const { workspaceFolders = [], name } = vscode.workspace;
	return workspaceFolders.length === 0
		? undefined
		: { folders: workspaceFolders.map(({ uri }) => uri.toString()), name: name ?? "" };
}
