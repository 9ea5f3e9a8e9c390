import type { ChatPushes, ChatRequests } from "../../src/shared/chat.ts";
import type { Host } from "../shared/host.ts";
import type { ChatActions } from "./base/actions.ts";
import { describeFailure, type Draft } from "./draft/draft.ts";
import type { VersionAnchor } from "./messages/versions.ts";

/** Dependencies of the actions; evaluated at each use. */
interface HostActionDependencies {
	readonly host: Host<ChatRequests, ChatPushes>;
	readonly draft: Pick<Draft, "say">;
	readonly versions: Pick<VersionAnchor, "leave">;
}

/** Creates the actions that send a request to the host. Failures are shown below the composer. */
export function createHostActions(
	view: () => HostActionDependencies,
): Pick<ChatActions, "ask" | "showVersion"> {
	const call: Host<ChatRequests, ChatPushes>["call"] = (method, params) => {
		const reply = view().host.call(method, params);
		reply.catch((error: unknown) => view().draft.say(describeFailure(error)));
		return reply;
	};
	return {
		ask: (method, params) => void call(method, params),
		showVersion: (turnId, step) => {
			view().versions.leave(turnId, step);
			void call("showVersion", { turnId, step });
		},
	};
}
