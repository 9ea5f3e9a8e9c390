import { Emitter } from "../../src/common/disposable.ts";
import type { SettingName, Settings, SettingValue } from "../../src/ui/base/settings.ts";

const defaults: { readonly [Name in SettingName]: SettingValue<Name> } = {
	endpoint: "",
	"auth.header": "Authorization",
	"auth.scheme": "Bearer",
	"files.path": "/v1/files",
	"files.field": "file",
	network: "auto",
	"chat.model": "llm-4-turbo-tools",
	"chat.models": [],
	"chat.serverTools": [],
	"chat.temperature": null,
	"chat.topP": null,
	"chat.maxTokens": null,
	"chat.extraParameters": {},
	"chat.systemPrompts": {},
	"chat.systemPrompt": "",
	"chat.projectInstructions": true,
	notifications: "whenHidden",
	"editor.lightBulb": true,
	"video.duration": 2,
	"video.autoLength": true,
	"video.motionStrength": 3,
	"video.folder": "",
	"tools.enabled": true,
	"tools.disabled": [],
	"tools.external": [],
	"tools.offerToEditor": true,
	"tools.askBeforeReading": false,
	"localService.servers": [],
	"localService.engine": "auto",
	"localService.modelHub": "",
	"localService.packageMirror": "",
	"localService.contextLength": 0,
	"localService.video.engine": "local",
	"localService.video.baseUrl": "",
	"localService.video.model": "",
	"localService.video.header": "Authorization",
	"localService.video.scheme": "Bearer",
	"localService.video.durations": [],
	"localService.video.motionPhrases": [],
	"localService.video.shape": "16:9",
	"localService.video.theme": "editor",
	"localService.video.ground": "gradient",
	"localService.video.groundColor": "#6c5ce7",
	"localService.video.typeSize": "auto",
	"localService.video.bar": true,
	"localService.video.numbers": true,
	"localService.video.padding": "usual",
	"video.signature": "off",
	"localService.video.workflow": null,
};

/** Settings in memory, with the defaults of the manifest. */
export function createFakeSettings(
	values: { readonly [Name in SettingName]?: SettingValue<Name> } = {},
): Settings {
	const current = new Map<SettingName, unknown>(
		Object.entries({ ...defaults, ...values }) as [SettingName, unknown][],
	);
	const changed = new Emitter<readonly SettingName[]>();
	return {
		// Every name was set with a value of its own type, which the map's one value type loses.
		get: name => current.get(name) as SettingValue<typeof name>,
		set: (name, value) => {
			current.set(name, value);
			changed.fire([name]);
			return Promise.resolve();
		},
		onDidChange: changed.event,
	};
}
