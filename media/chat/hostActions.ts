import type { ChatPushes, ChatRequests } from "../../src/shared/index.ts";
import type { Host } from "../shared/host.ts";
import type { ChatActions } from "./base/index.ts";
import type { Attaching } from "./composer/index.ts";
import { describeFailure, type Draft } from "./draft/index.ts";
import type { VersionPlace } from "./messages/index.ts";
import type { WordActions } from "./wordActions.ts";

/** What the actions work with; read when one is used. */
interface HostActionParts {
	readonly host: Host<ChatRequests, ChatPushes>;
	readonly draft: Pick<Draft, "say" | "leave">;
	readonly versions: Pick<VersionPlace, "leave">;
}

/** What is not done elsewhere. */
type HostActions = Omit<
	ChatActions,
	| keyof Attaching["actions"]
	| keyof WordActions
	| "send"
	| "useExample"
	| "draftChanged"
	| "jumpToLatest"
	| "showMessages"
>;

/** What merely asks the host for something; that it failed is said below the composer. */
export function createHostActions(view: () => HostActionParts): HostActions {
	const ask: Host<ChatRequests, ChatPushes>["call"] = (method, params) => {
		const call = view().host.call(method, params);
		call.catch((error: unknown) => view().draft.say(describeFailure(error)));
		return call;
	};
	return {
		stop: () => void ask("stop", {}),
		newChat: () => view().draft.leave(ask("newChat", {})),
		showHistory: () => void ask("showHistory", {}),
		runBannerAction: action => void ask("runBannerAction", { action }),
		duplicateChat: turnId => void ask("duplicateChat", { turnId }),
		connect: () => void ask("connect", {}),
		chooseModel: id => void ask("chooseModel", id === undefined ? {} : { id }),
		retry: (turnId, model) =>
			void ask("retryTurn", { turnId, ...(model === undefined ? {} : { model }) }),
		showVersion: (turnId, step) => {
			view().versions.leave(turnId, step);
			void ask("showVersion", { turnId, step });
		},
		runAction: (turnId, action) => void ask("runAction", { turnId, action }),
		answerTool: answer => void ask("answerTool", answer),
		cancelTool: place => void ask("cancelTool", place),
		undoTool: place => void ask("undoTool", place),
		showChangedFiles: () => void ask("showChangedFiles", {}),
		copyMessage: (turnId, index) => void ask("copyMessage", { turnId, index }),
		copyCode: text => void ask("copyCode", { text }),
		insertCode: text => void ask("insertCode", { text }),
		applyCode: (turnId, text, info) => void ask("applyCode", { turnId, text, info }),
		createFileFromCode: (turnId, text, info) =>
			void ask("createFileFromCode", { turnId, text, info }),
		generateVideo: (turnId, text) => void ask("generateVideo", { turnId, text }),
		openVideo: jobId => void ask("openVideo", { jobId }),
		runVideoAction: (jobId, action) => void ask("runVideoAction", { jobId, action }),
		chooseVideoAction: jobId => void ask("chooseVideoAction", { jobId }),
		openLink: url => void ask("openLink", { url }),
		setModel: model => void ask("setModel", { model }),
		setServerTool: (tool, isOn) => void ask("setServerTool", { tool, isOn }),
	};
}
