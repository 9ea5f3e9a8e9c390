import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { buildChatRequest } from "../../chat/chatRequest.ts";
import { startTurn } from "../../chat/contract/turn.ts";
import type { ServiceClient } from "../../client/contract/serviceClient.ts";
import { Disposable } from "../../common/disposable.ts";
import { isAbortError } from "../../common/errors.ts";
import { Coalescer, type Lazy } from "../../common/async.ts";
import type { OpenRepository } from "../../editor/gitChanges.ts";
import {
	type DiffSource,
	isMerging,
	readGitDiff,
	recentCommits,
	sendableDiff,
} from "../../tools/contract/gitDiff.ts";
import { isExcludedPath } from "../base/excludedPaths.ts";
import { asSentence } from "../base/failureAdvice.ts";
import type { ChatController } from "../chat/chatController.ts";
import type { ServiceConnection } from "../connection/connection.ts";
import { commitMessageIn, exceedsBox } from "./commitMessage.ts";
import {
	changesLimit,
	commitQuestion,
	roomForChanges,
	sendableChanges,
	sendableSurroundings,
} from "./commitQuestion.ts";
import { chooseRepository, rethrowGitFailure } from "./repositories.ts";

export interface CommitMessageDependencies {
	readonly chat: Lazy<Pick<ChatController, "options" | "contextUse">>;
	readonly client: Pick<ServiceClient, "streamChat">;
	readonly connection: Pick<ServiceConnection, "target">;
}

/** The number of commit subjects that show a model the style. */
const shownSubjects = 10;

/** The longest answer to read, in UTF-16 units. */
const maxAnswer = 20_000;

/** Time between updates of the box, in milliseconds. */
const showMs = 250;

/** The most written texts to recognize. */
const maxWritten = 8;

/** Writes commit messages into the input boxes of Git repositories with the chat's model, one at a time. */
export class CommitMessages extends Disposable {
	private readonly dependencies: CommitMessageDependencies;
	private stopper: AbortController | undefined;

	constructor(dependencies: CommitMessageDependencies) {
		super();
		this.dependencies = dependencies;
		this.register({ dispose: () => this.stop() });
	}

	/**
	 * Writes the message for a repository's staged changes, or for all changes if none are staged, with one request. Throws an error with a message for
	 * the user if there is no result; the input box then keeps its text.
	 */
	async generate(clicked: unknown): Promise<void> {
		const repository = await chooseRepository(clicked);
		if (!repository || this.stopper) {
			return;
		}
		const stopper = new AbortController();
		this.setRunning(stopper);
		try {
			await vscode.window.withProgress({ location: vscode.ProgressLocation.SourceControl }, () =>
				this.write(repository, stopper),
			);
		} catch (error) {
			if (!isAbortError(error)) {
				const isLocal = this.dependencies.connection.target().kind === "local";
				throw asSentence(error, isLocal);
			}
		} finally {
			this.setRunning(undefined);
		}
	}

	stop(): void {
		this.stopper?.abort();
	}

	/** Shows Stop instead of the sparkle icon in every repository, because its URI differs from the editor's in a remote window. */
	private setRunning(stopper: AbortController | undefined): void {
		this.stopper = stopper;
		void vscode.commands.executeCommand(
			"setContext",
			"cutaway.writesCommitMessage",
			stopper !== undefined,
		);
	}

	private async write(repository: OpenRepository, stopper: AbortController): Promise<void> {
		const { inputBox } = repository;
		const source = { ...repository.source, signal: stopper.signal };
		const { client } = this.dependencies;
		const controller = await this.dependencies.chat.get();
		const { model, parameters, instructions = [], isDemo } = await controller.options.settled();
		if (isDemo) {
			throw new Error(l10n.t("The demo can't write commit messages. Choose a model first."));
		}
		const limit = changesLimit(controller.contextUse()?.contextLength);
		const prepared = (await isMerging(source).catch(rethrowGitFailure))
			? inputBox.value.trim()
			: "";
		const commits = await recentCommits(source, shownSubjects).catch(rethrowGitFailure);
		const subjects = commits.map(({ subject }) => subject);
		const facts = sendableSurroundings({ subjects, prepared });
		const room = roomForChanges(limit, facts);
		const changes = sendableChanges(await changesOf(source, room), room);
		if (changes === "") {
			throw new Error(l10n.t("There are no changes to describe."));
		}
		const prompt = commitQuestion({ ...facts, changes });
		const options = { model, parameters, instructions, serverTools: [] };
		const request = buildChatRequest([startTurn({ id: "", prompt, createdAt: 0, options })]);
		const call = { signal: stopper.signal, isSingleAttempt: true };
		const box = new MessageBox(inputBox, prepared, stopper);
		const streamed = new Coalescer(showMs, () =>
			box.show(commitMessageIn(answer, false, subjects)),
		);
		let answer = "";
		try {
			for await (const event of client.streamChat(request, call)) {
				if (event.type === "text-delta") {
					answer += event.text;
					streamed.schedule();
				}
				if (answer.length > maxAnswer) {
					throw new Error(
						l10n.t("The answer was far too long for a commit message and was stopped."),
					);
				}
			}
			const message = commitMessageIn(answer, true, subjects);
			if (message === "") {
				throw new Error(l10n.t("The answer contains no commit message."));
			}
			streamed.dispose();
			box.finish(message);
			tellOfLongMessage(inputBox.value);
		} catch (error) {
			streamed.dispose();
			box.restore();
			throw error;
		}
	}
}

/** Shows a notice if the box can't show the whole message at once. */
function tellOfLongMessage(message: string): void {
	const shown: unknown = vscode.workspace.getConfiguration("scm").get("inputMaxLineCount");
	if (exceedsBox(message, shown)) {
		const words = l10n.t(
			"The message has {0} lines. Scroll in the box to read all of it before you commit.",
			message.split("\n").length,
		);
		void vscode.window.showInformationMessage(words);
	}
}

async function changesOf(source: DiffSource, limit: number): Promise<string> {
	const staged = await readGitDiff(source, true).catch(rethrowGitFailure);
	const diffs =
		staged.length > 0 ? staged : await readGitDiff(source, false).catch(rethrowGitFailure);
	return sendableDiff(source.root, diffs, limit, isExcludedPath);
}

/**
 * A repository's input box while its message is streamed. Writes whole lines, because the editor keeps every text of the box in its history. If the
 * user types or commits meanwhile, keeps that text and ends the request.
 */
class MessageBox {
	private readonly box: { value: string };
	private readonly before: string;
	private readonly prepared: string;
	private readonly stopper: AbortController;
	/** The last written texts, because the editor may report an earlier one after a later one was set. */
	private readonly written: Set<string>;

	constructor(box: { value: string }, prepared: string, stopper: AbortController) {
		this.box = box;
		this.before = box.value;
		this.prepared = prepared;
		this.stopper = stopper;
		this.written = new Set([box.value]);
	}

	show(message: string): void {
		if (message !== "") {
			this.set(this.prepared === "" ? message : `${this.prepared}\n\n${message}`);
		}
	}

	/** Writes the whole message in one step, so that a single undo restores the previous text. */
	finish(message: string): void {
		this.restore();
		this.show(message);
	}

	restore(): void {
		this.set(this.before);
	}

	private set(text: string): void {
		if (!this.written.has(this.box.value)) {
			this.stopper.abort();
		} else if (this.box.value !== text) {
			const [oldest = ""] = this.written;
			if (this.written.size >= maxWritten) {
				this.written.delete(oldest);
			}
			this.written.add(text);
			this.box.value = text;
		}
	}
}
