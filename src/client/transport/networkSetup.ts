export interface NetworkSetup {
	/** `direct` ignores all proxies, including those of the environment. */
	readonly mode: "auto" | "direct";
	/** Proxy URL, possibly with user name and password; if empty, the environment's proxies apply. */
	readonly proxy: string;
	/** Hosts that are contacted without a proxy; if empty, the environment's list applies. */
	readonly noProxy: readonly string[];
	/** Value of the header `Proxy-Authorization`, or empty. */
	readonly proxyAuthorization: string;
	/** Whether the certificate of an https proxy must be valid. All other certificates always must be. */
	readonly isProxyChecked: boolean;
	/** Whether to trust the system's certificate authorities. */
	readonly hasSystemCertificates: boolean;
}

/** Settings without an editor: no proxy, and the system's certificate authorities. */
export const directNetwork: NetworkSetup = {
	mode: "direct",
	proxy: "",
	noProxy: [],
	proxyAuthorization: "",
	isProxyChecked: true,
	hasSystemCertificates: true,
};
