import type { TurnAction } from "../../src/protocol/chat.ts";
import type { VideoAction } from "../../src/protocol/video.ts";

/** What a person can do in the chat view. Templates report intent through these and decide nothing. */
export interface ChatActions {
	send(): void;
	stop(): void;
	newChat(): void;
	showHistory(): void;
	connect(): void;
	retry(turnId: string): void;
	runAction(turnId: string, action: TurnAction): void;
	/** `index` -1 is the question. */
	copyMessage(turnId: string, index: number): void;
	copyCode(text: string): void;
	generateVideo(turnId: string, text: string): void;
	openVideo(jobId: string): void;
	runVideoAction(jobId: string, action: VideoAction): void;
	chooseVideoAction(jobId: string): void;
	openLink(url: string): void;
	setModel(model: string): void;
	setServerTool(tool: "code_interpreter" | "browsing", isOn: boolean): void;
	/** Puts an example into the composer. */
	useExample(text: string): void;
	draftChanged(text: string): void;
	jumpToLatest(): void;
	showEarlier(): void;
}
