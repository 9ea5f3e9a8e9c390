import type { Lazy } from "../../common/async.ts";
import type { CommandTable } from "../base/commands.ts";
import type { OutputLog } from "./outputLog.ts";
import type { QuickAction } from "../editor/quickActions.ts";
import type { Runtime } from "./runtime.ts";
import type { VideoCommandId } from "../video/videoEntry.ts";
import { openSample, showAccessibilityHelp } from "./readOnlyDocuments.ts";
import type { HistoryStep } from "./chatHistoryCommands.ts";

/** Creates the handlers of the chat and connection commands. Each loads its code when it is run. */
export function commandTable(
	runtime: Lazy<Runtime>,
	output: OutputLog,
): Omit<CommandTable, VideoCommandId> {
	return {
		...chatCommands(runtime),
		"cutaway.askAboutSelection": loading(
			runtime,
			() => import("./attachCommands.ts"),
			({ askAboutSelection }, current) => askAboutSelection(current),
		),
		...quickActionCommands(runtime),
		"cutaway.attachFiles": loading(
			runtime,
			() => import("./attachCommands.ts"),
			({ attachFiles }, current, resource, resources) => attachFiles(current, resource, resources),
		),
		...scmCommands(runtime),
		...movingCommands(runtime),
		"cutaway.openSample": openSample,
		...connectionCommands(runtime),
		"cutaway.chooseModel": loading(
			runtime,
			() => import("../models/chooseModel.ts"),
			({ chooseModel }, { models }) => chooseModel(models),
		),
		"cutaway.chooseTools": async () => (await (await runtime.get()).tools.get()).choose(),
		"cutaway.chooseVideoEngine": loading(
			runtime,
			() => import("../videoEngine/chooseVideoEngine.ts"),
			({ chooseVideoEngine }, { videoEngine }) => chooseVideoEngine(videoEngine),
		),
		"cutaway.diagnoseModels": loading(
			runtime,
			() => import("../models/diagnoseModels.ts"),
			({ diagnoseModels }, { models }) => diagnoseModels(models),
		),
		"cutaway.deletePythonPackages": loading(
			runtime,
			() => import("../models/pythonPackages.ts"),
			({ deletePythonPackages }, { removePackages }) => deletePythonPackages(removePackages),
		),
		"cutaway.showLog": () => output.show(),
	};
}

/** Returns the handler of a command that loads its code, together with the runtime, when it is run. */
function loading<Code, Result>(
	runtime: Lazy<Runtime>,
	load: () => Promise<Code>,
	run: (code: Code, runtime: Runtime, ...args: readonly unknown[]) => Promise<Result>,
): (...args: readonly unknown[]) => Promise<Result> {
	return async (...args) => run(...(await Promise.all([load(), runtime.get()])), ...args);
}

function scmCommands(runtime: Lazy<Runtime>) {
	const comments = async () => (await runtime.get()).reviewComments.get();
	return {
		"cutaway.reviewChanges": loading(
			runtime,
			() => import("../scm/reviewChanges.ts"),
			({ reviewChanges }, current, clicked, file) => reviewChanges(current, clicked, file),
		),
		"cutaway.generateCommitMessage": async repository =>
			(await (await runtime.get()).commitMessages.get()).generate(repository),
		"cutaway.stopCommitMessage": async () =>
			(await (await runtime.get()).commitMessages.get()).stop(),
		"cutaway.showFindings": async turnId => (await comments()).show(turnId),
		"cutaway.applyFinding": async thread => (await comments()).apply(thread),
		"cutaway.dismissFinding": async thread => (await comments()).dismiss(thread),
		"cutaway.dismissFindings": async () => (await comments()).dismissAll(),
	} satisfies Partial<CommandTable>;
}

function quickActionCommands(runtime: Lazy<Runtime>) {
	const run = (action: QuickAction) =>
		loading(
			runtime,
			() => import("../editor/quickActions.ts"),
			({ runQuickAction }, current, argument) => runQuickAction(current, action, argument),
		);
	return {
		"cutaway.explainSelection": run("explain"),
		"cutaway.fixSelection": run("fix"),
		"cutaway.documentSelection": run("document"),
		"cutaway.writeTestsForSelection": run("writeTests"),
	} satisfies Partial<CommandTable>;
}

function connectionCommands(runtime: Lazy<Runtime>) {
	/** Loads the code for connecting with the first command that needs it. */
	const connecting = (
		step: "connectToService" | "useLocalService" | "setApiKey" | "removeApiKey",
	) =>
		loading(
			runtime,
			() => import("../connection/connect.ts"),
			(connect, { connecting: context }) => connect[step](context),
		);
	/** For a model behind the local service, uses the key of the model's server. */
	const keyOfModel = (step: "setModelKey" | "removeModelKey", otherwise: () => Promise<void>) =>
		loading(
			runtime,
			() => import("../models/chooseModel.ts"),
			async (choosing, { models }) => {
				if (!(await choosing[step](models))) {
					await otherwise();
				}
			},
		);
	return {
		"cutaway.connect": connecting("connectToService"),
		"cutaway.useLocalService": connecting("useLocalService"),
		"cutaway.setApiKey": keyOfModel("setModelKey", connecting("setApiKey")),
		"cutaway.removeApiKey": keyOfModel("removeModelKey", connecting("removeApiKey")),
		"cutaway.checkService": loading(
			runtime,
			() => import("../connection/checkService.ts"),
			({ runServiceCheck }, { client, connection }) => runServiceCheck(client, connection),
		),
	} satisfies Partial<CommandTable>;
}

/**
 * Returns the handler of a command about the chat. When it is run from the view's title bar or by a key in its page, focuses the composer afterwards.
 * When it is run from the palette, the user may be in an editor, which keeps the focus. VS Code passes an argument only from a title bar, an empty one
 * for this view.
 */
function fromChat(runtime: Lazy<Runtime>, run: (runtime: Runtime) => Promise<void>) {
	return async (...args: readonly unknown[]): Promise<void> => {
		const current = await runtime.get();
		const { chatView } = current;
		const isOfChat = args.length > 0 || chatView.hasFocus;
		await (isOfChat ? chatView.duringTitleAction(() => run(current)) : run(current));
	};
}

/** Creates the handlers of the commands about the chat as a whole. Each loads its code when it is run. */
function chatCommands(runtime: Lazy<Runtime>) {
	const history = (step: HistoryStep) =>
		fromChat(runtime, async current => {
			const { runHistoryStep } = await import("./chatHistoryCommands.ts");
			await runHistoryStep(current, step);
		});
	const newChat = async (): Promise<void> => {
		const { chat, chatView } = await runtime.get();
		const controller = await chat.get();
		// Focuses without waiting until the previous chat is saved, because a late focus change would steal keystrokes.
		await Promise.all([
			controller.hasJustBegun ? undefined : controller.newChat(),
			chatView.open(),
		]);
	};
	return {
		"cutaway.openChat": async () => (await runtime.get()).chatView.open(),
		"cutaway.newChat": newChat,
		"cutaway.title.newChat": newChat,
		"cutaway.title.history": history("showHistory"),
		"cutaway.title.changedFiles": fromChat(runtime, async ({ chat }) => {
			await (await chat.get()).tools.history.showChangedFiles();
		}),
		"cutaway.summarizeChat": async () => {
			const { chat, chatView } = await runtime.get();
			await chatView.open();
			const words = await (await chat.get()).summarizeAndGoOn();
			if (words !== undefined) {
				await chatView.fill(words);
			}
		},
		"cutaway.showAccessibilityHelp": showAccessibilityHelp,
		"cutaway.reloadChatView": fromChat(runtime, ({ chatView }) => chatView.reload()),
		"cutaway.showHistory": history("showHistory"),
		"cutaway.searchChats": history("searchChats"),
		"cutaway.renameChat": history("renameChat"),
		"cutaway.pinChat": history("pinChat"),
		"cutaway.archiveChat": history("archiveChat"),
		"cutaway.deleteChat": history("deleteChat"),
		"cutaway.duplicateChat": history("duplicateChat"),
		"cutaway.exportChat": history("exportChat"),
		"cutaway.copyChat": history("copyChat"),
		"cutaway.importChat": history("importChat"),
	} satisfies Partial<CommandTable>;
}

function movingCommands(runtime: Lazy<Runtime>) {
	return {
		"cutaway.goToQuestion": fromChat(runtime, async ({ chat, chatView }) => {
			const { goToQuestion } = await import("../chatView/goToQuestion.ts");
			await goToQuestion(await chat.get(), chatView);
		}),
		"cutaway.nextCodeBlock": async () => (await runtime.get()).chatView.moveToCodeBlock("next"),
		"cutaway.previousCodeBlock": async () =>
			(await runtime.get()).chatView.moveToCodeBlock("previous"),
	} satisfies Partial<CommandTable>;
}
