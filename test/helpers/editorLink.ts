import { MessageChannel } from "node:worker_threads";
import { onTestFinished } from "vitest";
import { silentLog } from "../../src/common/log.ts";
import type { EditorModels } from "../../src/common/modelSetup.ts";
import { EditorLink } from "../../src/localService/editorModels/editorLink.ts";
import { EditorQuestions } from "../../src/localService/host/serviceThread.ts";
import type { FromWorker, ToWorker } from "../../src/localService/host/workerMessages.ts";

/**
 * Opens a link for the test to these models, with a port between as between the service's thread and the extension host; `received`
 * takes the messages that come to the thread.
 */
export function openLink(answer: EditorModels["answer"], received: unknown[] = []): EditorLink {
	const { port1: thread, port2: host } = new MessageChannel();
	onTestFinished(() => thread.close());
	const link = new EditorLink(question => thread.postMessage(question));
	const questions = new EditorQuestions({ answer }, reply => host.postMessage(reply), silentLog);
	thread.on("message", (message: ToWorker) => {
		received.push(message);
		if (message.type === "editor-parts" || message.type === "editor-end") {
			link.receive(message);
		}
	});
	host.on("message", (message: FromWorker) => {
		if (message.type === "ask-editor") {
			void questions.ask(message.id, message.request);
		} else if (message.type === "cancel-editor") {
			questions.cancel(message.id);
		}
	});
	return link;
}
