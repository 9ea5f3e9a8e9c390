import * as l10n from "@vscode/l10n";
import { assumptions } from "../../client/contract/schemas.ts";
import type { Connection } from "../../client/contract/serviceClient.ts";
import { Disposable, Emitter, type Event } from "../../common/disposable.ts";
import type { Log } from "../../common/log.ts";
import type { ConnectionView } from "../../shared/chat.ts";
import { mayReach } from "./askPlainHost.ts";
import { parseEndpoint } from "./endpoint.ts";
import { plainHostOf } from "./plainHosts.ts";
import { type ApiKeys, KeyStoreError, readKey } from "./secrets.ts";
import type { Settings } from "../base/settings.ts";
import * as vscode from "vscode";
import * as z from "zod/mini";
import type { NetworkSetup } from "../../client/transport/transport.ts";

export interface LocalServiceAddress {
	/** Starts the service if necessary and returns its address. */
	connect(): Promise<{ readonly baseUrl: string; readonly token: string }>;
	/** Restarts a service that crashed too often to be restarted automatically. */
	restart(): Promise<void>;
	readonly state: { readonly state: "stopped" | "starting" | "running" | "failed" };
}

type ServiceTarget =
	| { readonly kind: "local" }
	| {
			readonly kind: "remote";
			readonly baseUrl: string;
			readonly origin: string;
			readonly label: string;
	  }
	/** The endpoint setting isn't a valid address. Nothing is sent until it is corrected. */
	| { readonly kind: "invalid"; readonly sentence: string };

/** A service that a job or chat keeps using when the settings change. */
export interface ServiceEndpoint {
	readonly kind: "local" | "remote";
	/** Without `/v1`. Empty for the local service, whose port changes. */
	readonly baseUrl: string;
	/** Origin of the base URL, or `local`. */
	readonly origin: string;
	readonly label: string;
}

/** Thrown by `resolve` if the settings or the key store don't allow a request. Nothing was sent. */
export class ConnectionError extends Error {
	override readonly name = "ConnectionError";
}

/**
 * Determines which service answers. Invariants: a configured endpoint is never silently replaced by the local service, and a key is sent only to the
 * origin it was entered for (docs/security.md).
 */
export class ServiceConnection extends Disposable {
	private readonly changed = this.register(new Emitter<void>());
	private readonly settings: Settings;
	private readonly keys: ApiKeys;
	private readonly localService: LocalServiceAddress;
	private readonly log: Log;
	/** Fires when the service, its address or its key changed. */
	readonly onDidChange: Event<void> = this.changed.event;

	constructor(settings: Settings, keys: ApiKeys, localService: LocalServiceAddress, log: Log) {
		super();
		this.settings = settings;
		this.keys = keys;
		this.localService = localService;
		this.log = log;
		this.register(keys.onDidChange(() => this.changed.fire()));
		this.register(
			settings.onDidChange(names => {
				if (names.some(name => !/^(?:chat|video)\./.test(name))) {
					this.changed.fire();
				}
			}),
		);
	}

	/** Returns the service that questions are sent to under the current settings. */
	target(): ServiceTarget {
		const endpoint = this.settings.get("endpoint");
		if (endpoint === "") {
			return { kind: "local" };
		}
		const checked = parseEndpoint(endpoint);
		return checked.ok
			? { kind: "remote", baseUrl: checked.baseUrl, origin: checked.origin, label: checked.label }
			: { kind: "invalid", sentence: checked.sentence };
	}

	/** Returns the service that a video started now uses for its whole life. Throws `ConnectionError` if the settings name none. */
	endpoint(): ServiceEndpoint {
		const target = this.target();
		switch (target.kind) {
			case "local":
				return { kind: "local", baseUrl: "", origin: "local", label: l10n.t("Local service") };
			case "remote":
				return target;
			case "invalid":
				throw new ConnectionError(
					l10n.t("The setting cutaway.endpoint isn't valid. {0}", target.sentence),
				);
		}
	}

	/** Returns the address and key for the next request. Asks before the first one that would travel unencrypted. Starts the local service if it is used. */
	async resolve(): Promise<Connection> {
		const endpoint = this.endpoint();
		if (endpoint.kind === "remote") {
			await mayReach(this.keys, endpoint.baseUrl);
		}
		return await this.connectTo(endpoint);
	}

	/**
	 * Returns the address and key of a service, regardless of the current endpoint, because a video stays with the service it was started on. Starts
	 * the local service if it is used.
	 */
	async connectTo(service: Omit<ServiceEndpoint, "label">): Promise<Connection> {
		const network = this.settings.get("network");
		if (service.kind === "local") {
			if (this.localService.state.state === "failed") {
				// It is no longer restarted automatically, but this request comes from a user action.
				await this.localService.restart();
			}
			const { baseUrl, token } = await this.localService.connect();
			return {
				baseUrl,
				apiKey: token,
				auth: assumptions.auth,
				files: assumptions.files,
				network,
				hasDetails: true,
			};
		}
		const { baseUrl, origin } = service;
		if (!this.keys.plain.allows(baseUrl)) {
			throw new ConnectionError(plainSentence(baseUrl));
		}
		const apiKey = await this.savedKey(origin);
		return {
			baseUrl,
			...(plainHostOf(baseUrl) === undefined ? {} : { isPlainAllowed: true }),
			...(apiKey ? { apiKey } : {}),
			auth: { header: this.settings.get("auth.header"), scheme: this.settings.get("auth.scheme") },
			files: { path: this.settings.get("files.path"), field: this.settings.get("files.field") },
			network,
		};
	}

	async view(): Promise<ConnectionView> {
		const target = this.target();
		switch (target.kind) {
			case "local":
				return { kind: "local", label: l10n.t("Demo"), hasKey: false };
			case "remote":
				return {
					kind: "remote",
					label: target.label,
					hasKey: (await readKey(this.keys, target.origin, this.log)) !== undefined,
				};
			case "invalid":
				return {
					kind: "invalid",
					label: l10n.t("The service's address isn't valid"),
					hasKey: false,
				};
		}
	}

	private async savedKey(origin: string): Promise<string | undefined> {
		try {
			return await this.keys.get(origin);
		} catch (error) {
			if (error instanceof KeyStoreError) {
				throw new ConnectionError(
					l10n.t(
						"Couldn't read the key store. Use “Cutaway: Set API Key…” to keep a key for this session.",
					),
					{ cause: error },
				);
			}
			throw error;
		}
	}
}

/** Shows why nothing was sent to a host that the user hasn't allowed. */
export function plainSentence(address: string): string {
	return l10n.t(
		"{0} is reached without encryption, and you haven't allowed that. Send again to be asked again.",
		new URL(address).host,
	);
}

/** Returns proxy and certificate settings for requests outside VS Code. Ignores workspace settings, which could redirect all. */
export function readNetworkSetup(settings: Pick<Settings, "get">): NetworkSetup {
	const network = settings.get("network");
	const isOff = userSetting("proxySupport") === "off";
	return {
		mode: isOff ? "direct" : network,
		proxy: textSetting("proxy"),
		noProxy: z.safeParse(z.array(z.string()), userSetting("noProxy")).data ?? [],
		proxyAuthorization: textSetting("proxyAuthorization"),
		isProxyChecked: userSetting("proxyStrictSSL") !== false,
		hasSystemCertificates: network === "auto" && userSetting("systemCertificates") !== false,
	};
}

function textSetting(name: string): string {
	return z.safeParse(z.string(), userSetting(name)).data ?? "";
}

function userSetting(name: string): unknown {
	const section = vscode.workspace.getConfiguration("http");
	const inspected = section.inspect(name);
	return inspected?.workspaceValue === undefined && inspected?.workspaceFolderValue === undefined
		? section.get(name)
		: (inspected.globalValue ?? inspected.defaultValue);
}
