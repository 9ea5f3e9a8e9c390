/** The way out to the network, as the user set it in the editor. */
export interface NetworkSetup {
	/** `direct` passes by every proxy, also by those of the environment. */
	readonly mode: "auto" | "direct";
	/** Address of the proxy, which may hold a name and a password; empty where those of the environment count. */
	readonly proxy: string;
	/** Hosts that are asked without a proxy; those of the environment where the list is empty. */
	readonly noProxy: readonly string[];
	/** Value of the header `Proxy-Authorization`; empty where the proxy's address holds what it wants. */
	readonly proxyAuthorization: string;
	/** Whether the certificate of a proxy that is reached by https must be valid. Those of all others always must. */
	readonly isProxyChecked: boolean;
	/** Whether the authorities that the system trusts are trusted. */
	readonly hasSystemCertificates: boolean;
}

/** The way of a program without an editor: no proxy, and the authorities of the system. */
export const directNetwork: NetworkSetup = {
	mode: "direct",
	proxy: "",
	noProxy: [],
	proxyAuthorization: "",
	isProxyChecked: true,
	hasSystemCertificates: true,
};
