/** Asks the address in its first argument as the network setup in its second says, and prints the answer's body or the failure. */
import { ask, setNetwork } from "../../src/localService/base/network.ts";
import { directNetwork } from "../../src/client/transport/transport.ts";

const [, , address = "", setup = "{}"] = process.argv;
setNetwork({ ...directNetwork, mode: "auto", ...(JSON.parse(setup) as object) });
try {
	const response = await ask(new URL(address), { signal: AbortSignal.timeout(20_000) });
	process.stdout.write(`${response.status} ${await response.text()}`);
} catch (error) {
	const code = error instanceof Error && "code" in error ? ` ${String(error.code)}` : "";
	process.stdout.write(`${String(error)}${code}`);
}
