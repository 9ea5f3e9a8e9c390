import * as l10n from "@vscode/l10n";
import { assumptions } from "../../client/contract/assumptions.ts";
import type { Connection } from "../../client/contract/serviceClient.ts";
import { Disposable } from "../../common/disposable.ts";
import { Emitter, type Event } from "../../common/emitter.ts";
import type { Log } from "../../common/log.ts";
import type { ConnectionView } from "../../shared/chat.ts";
import { parseEndpoint } from "./endpoint.ts";
import { type ApiKeys, KeyStoreError } from "./secrets.ts";
import type { Settings } from "../base/settings.ts";

/** The local service as a connection needs it: an address and a token once it runs. */
export interface LocalServiceAddress {
	/** Starts the service when it does not run and says where it listens. */
	connect(): Promise<{ readonly baseUrl: string; readonly token: string }>;
	/** Starts a service again that crashed too often to be started by itself. */
	restart(): Promise<void>;
	readonly state: { readonly state: "stopped" | "starting" | "running" | "failed" };
}

/** Where questions go now. */
export type ServiceTarget =
	| { readonly kind: "local" }
	| {
			readonly kind: "remote";
			readonly baseUrl: string;
			readonly origin: string;
			readonly label: string;
	  }
	/** The endpoint in the settings is not an address; nothing is sent anywhere until it is mended. */
	| { readonly kind: "invalid"; readonly sentence: string };

/** A service that something stays with, whatever the settings name later. */
export interface ServiceEndpoint {
	readonly kind: "local" | "remote";
	/** Without `/v1`; empty for the local service, whose port changes. */
	readonly baseUrl: string;
	/** Origin of the base address, or `local`. */
	readonly origin: string;
	/** Name to show. */
	readonly label: string;
}

/** Thrown by `resolve` when the settings or the key store leave nowhere to send a request to; nothing was sent. */
export class ConnectionError extends Error {
	override readonly name = "ConnectionError";
}

/**
 * The one place that knows which service answers. Invariant: a set endpoint is never silently replaced by the local
 * service (fault L16), and a key goes to the origin it was given for and nowhere else (threat T1).
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

	/** Where questions go by the settings as they are. */
	target(): ServiceTarget {
		const endpoint = this.settings.get("endpoint");
		if (endpoint === "") {
			return { kind: "local" };
		}
		const checked = parseEndpoint(endpoint);
		return checked.ok
			? {
					kind: "remote",
					baseUrl: checked.baseUrl,
					origin: checked.origin,
					label: checked.label,
				}
			: { kind: "invalid", sentence: checked.sentence };
	}

	/**
	 * The service that a video started now belongs to for all its life. Throws `ConnectionError` when the settings name none.
	 */
	endpoint(): ServiceEndpoint {
		const target = this.target();
		switch (target.kind) {
			case "local":
				return { kind: "local", baseUrl: "", origin: "local", label: l10n.t("Local service") };
			case "remote":
				return target;
			case "invalid":
				throw invalidEndpoint(target.sentence);
		}
	}

	/** Returns the address and key for the next request; starts the local service when it is the one. */
	async resolve(): Promise<Connection> {
		return await this.connectTo(this.endpoint());
	}

	/**
	 * Address and key of one service, whatever the endpoint in the settings is now: a video stays with the service it was
	 * started at (faults J21, J22). Starts the local service when it is the one.
	 */
	async connectTo(service: Omit<ServiceEndpoint, "label">): Promise<Connection> {
		const network = this.settings.get("network");
		if (service.kind === "local") {
			if (this.localService.state.state === "failed") {
				// It gave up on starting by itself; behind this request is somebody's click (L14).
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
		const apiKey = await this.readKey(origin);
		return {
			baseUrl,
			...(apiKey ? { apiKey } : {}),
			auth: {
				header: this.settings.get("auth.header"),
				scheme: this.settings.get("auth.scheme"),
			},
			files: { path: this.settings.get("files.path"), field: this.settings.get("files.field") },
			network,
		};
	}

	/** Which service answers, as the chat view says it. */
	async view(): Promise<ConnectionView> {
		const target = this.target();
		switch (target.kind) {
			case "local":
				return { kind: "local", label: l10n.t("Demo"), hasKey: false };
			case "remote":
				return { kind: "remote", label: target.label, hasKey: await this.hasKey(target.origin) };
			case "invalid":
				return { kind: "remote", label: l10n.t("Invalid address"), hasKey: false };
		}
	}

	private async readKey(origin: string): Promise<string | undefined> {
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

	private async hasKey(origin: string): Promise<boolean> {
		try {
			return (await this.keys.get(origin)) !== undefined;
		} catch (error) {
			this.log.warn("The key store could not be read", { error: String(error) });
			return false;
		}
	}
}

function invalidEndpoint(sentence: string): ConnectionError {
	return new ConnectionError(l10n.t("The setting cutaway.endpoint isn't valid. {0}", sentence));
}
