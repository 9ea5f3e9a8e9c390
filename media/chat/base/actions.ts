import type {
	AttachmentUse,
	BannerAction,
	TurnAction,
	CardPlace,
	ToolAnswer,
	VideoAction,
} from "../../../src/shared/index.ts";

/** What clicks inside answers ask for. */
export interface AnswerClicks {
	openLink(address: string): void;
	copyCode(code: string): void;
	insertCode(code: string): void;
	/** `info` is what stands behind the opening fence of the block. */
	applyCode(turnId: string, code: string, info: string): void;
	createFileFromCode(turnId: string, code: string, info: string): void;
	generateVideo(turnId: string, text: string): void;
}

/** What a person can do in the chat view. Templates report intent through these and decide nothing. */
export interface ChatActions {
	/** Sends what stands in the composer, or puts it behind the messages that wait while an answer runs. */
	send(): void;
	stop(): void;
	newChat(): void;
	showHistory(): void;
	runBannerAction(action: BannerAction): void;
	/** Copies the chat up to a turn, and shows the copy. */
	duplicateChat(turnId: string): void;
	connect(): void;
	/** Makes an offered model the one that answers; without an id lists all of them. */
	chooseModel(id?: string): void;
	retry(turnId: string, model?: string): void;
	/** Shows the question before (-1) or after the one shown in the composer; says whether there was one to show. */
	recallQuestion(step: 1 | -1, cursor: number): boolean;
	/** Offers the models to ask a question again with, in a menu at a button. */
	openRetryMenu(turnId: string, anchor: HTMLElement): void;
	/** Opens a question for changing, in its own place. */
	beginEdit(turnId: string): void;
	changeEdit(turnId: string, text: string): void;
	cancelEdit(turnId: string): void;
	sendEdit(turnId: string): void;
	/** Takes off an attachment of a question that is being changed, counted from 0. */
	leaveOutAttachment(turnId: string, index: number): void;
	showVersion(turnId: string, step: 1 | -1): void;
	runAction(turnId: string, action: TurnAction): void;
	answerTool(answer: ToolAnswer): void;
	cancelTool(place: CardPlace): void;
	undoTool(place: CardPlace): void;
	showChangedFiles(): void;
	/** `index` -1 is the question. */
	copyMessage(turnId: string, index: number): void;
	copyCode(text: string): void;
	insertCode(text: string): void;
	/** `info` is what stands behind the opening fence of the block. */
	applyCode(turnId: string, text: string, info: string): void;
	createFileFromCode(turnId: string, text: string, info: string): void;
	generateVideo(turnId: string, text: string): void;
	openVideo(jobId: string): void;
	runVideoAction(jobId: string, action: VideoAction): void;
	chooseVideoAction(jobId: string): void;
	openLink(url: string): void;
	setModel(model: string): void;
	setServerTool(tool: "code_interpreter" | "browsing", isOn: boolean): void;
	/** Puts an example into the composer. */
	useExample(text: string): void;
	/** What is written, and where the cursor stands in it. */
	draftChanged(text: string, cursor: number): void;
	attachFiles(): void;
	removeAttachments(ids: readonly string[]): void;
	confirmAttachment(id: string): void;
	retryAttachment(id: string): void;
	setAttachmentUse(ids: readonly string[], use: AttachmentUse): void;
	/** Moves through what `@` offers. */
	moveCompletion(step: 1 | -1): void;
	/**
	 * Takes an offer, the one that is active or the one that was clicked: attaches what `@` offers, runs a command unless it is
	 * only to be written.
	 */
	acceptCompletion(index?: number, isOnlyCompleted?: boolean): void;
	dismissCompletion(): void;
	jumpToLatest(): void;
	/** Goes to a turn that is not on the page. */
	showMessages(turnId: string): void;
}
