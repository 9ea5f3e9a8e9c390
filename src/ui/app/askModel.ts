import * as l10n from "@vscode/l10n";
import type { ServiceClient } from "../../client/contract/serviceClient.ts";
import { asSentence } from "../base/failureAdvice.ts";
import type { ChatController } from "../chat/chatController.ts";
import type { ServiceConnection } from "../connection/connection.ts";

export interface AskDependencies {
	readonly client: Pick<ServiceClient, "chat">;
	readonly connection: Pick<ServiceConnection, "target">;
}

/**
 * Asks the shown chat's model a question outside the chat; nothing is stored. Sends one request. Throws an error with a message for the user if there
 * is no model or no answer, and `AbortError`.
 */
export async function askModel(
	{ options }: Pick<ChatController, "options">,
	{ client, connection }: AskDependencies,
	question: string,
	signal: AbortSignal,
): Promise<string> {
	const { model, isDemo } = await options.settled();
	if (isDemo) {
		throw new Error(l10n.t("The demo can't propose scenes. Choose a model first."));
	}
	const messages = [{ role: "user", content: question }];
	try {
		const answer = await client.chat({ model, messages }, { signal });
		return answer.messages.map(({ content }) => content).join("\n");
	} catch (error) {
		throw asSentence(error, connection.target().kind === "local");
	}
}
