/**
 * A local service that has a server make videos until it is killed. Arguments: folder, engine, address of the server, how many videos to
 * ask for. It prints `kept ID` for each that it was given an id for.
 */
import { join } from "node:path";
import { silentLog } from "../../src/common/log.ts";
import { remoteEngineKinds } from "../../src/common/videoEngines.ts";
import { LocalServer } from "../../src/localService/http/server.ts";
import { echoEngine } from "./echoEngine.ts";
import { quickClock } from "./quickClock.ts";
import { engineSetup, withEngine } from "./videoEngineBench.ts";

const [folder = "", name = "", url = "", count = "0"] = process.argv.slice(2);
const engine = remoteEngineKinds.find(candidate => candidate === name) ?? "videos-api";
const token = "crash-token-0123456789-abcdefghijklmnopqrs";
const videos = join(folder, "videos");
const setup = await engineSetup(engine, url, folder);
const none = {
	resvg: "",
	webpDecoder: "",
	sans: [],
	sansFaces: {
		bold: [],
		italic: [],
	},
	mono: [],
	monoFaces: {
		bold: [],
		italic: [],
		boldItalic: [],
	},
	otherSans: "",
	otherMono: "",
};
const server = await LocalServer.start({
	token,
	filesFolder: join(folder, `files-${process.pid}`),
	engine: echoEngine,
	videos: { folder: videos, workerFile: "", assets: none, ...withEngine(videos, () => setup) },
	clock: quickClock,
	log: silentLog,
});
for (let asked = 0; asked < Number(count); asked += 1) {
	const response = await fetch(`${server.baseUrl}/v1/videos/text-to-video`, {
		method: "POST",
		headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
		body: JSON.stringify({ prompt: `Crash ${process.pid} ${asked}`, duration: 2 }),
	});
	const { generation_id: id } = (await response.json()) as { generation_id: string };
	process.stdout.write(`kept ${id}\n`);
}
setInterval(() => undefined, 1_000);
