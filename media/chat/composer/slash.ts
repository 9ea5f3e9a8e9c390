import type { ChatPushes, ChatRequests } from "../../../src/shared/chat.ts";
import type { SlashOffer, SlashOutcome } from "../../../src/shared/slash.ts";
import type { Host } from "../../shared/host.ts";
import type { Attaching } from "./attaching.ts";
import type { ChatSettingsPanel } from "../settings/chatSettingsPanel.ts";
import { asCommand } from "../draft/slashText.ts";
import { describeFailure, type Draft } from "../draft/draft.ts";

/** The parts of the view that commands use. */
export interface SlashView {
	readonly host: Pick<Host<ChatRequests, ChatPushes>, "call">;
	readonly draft: Draft;
	readonly page: { focusComposer(): void; setCursor(position: number): void };
	readonly attaching: Pick<Attaching, "completion">;
	readonly settings: Pick<ChatSettingsPanel, "open">;
}

/** Accepts a command from the list. `isOnlyCompleted` inserts it without running it. */
export function acceptCommand(
	view: SlashView,
	{ insert, takesMore }: SlashOffer,
	isOnlyCompleted: boolean,
): void {
	view.draft.set(insert);
	if (takesMore || isOnlyCompleted) {
		follow(view, insert);
	} else {
		void runCommand(view);
	}
}

/** Runs the composer's command. Restores its text if it had no effect. */
export async function runCommand(view: SlashView): Promise<void> {
	const { host, draft } = view;
	const { text, chatId } = draft;
	try {
		const outcome = await draft.run(command =>
			host.call("runCommand", { text: asCommand(command) }),
		);
		if (outcome.type === "started") {
			draft.sayInNext(outcome.sentence ?? "", chatId);
		} else {
			await apply(view, text, outcome);
		}
	} catch (error) {
		putBack(draft, text, describeFailure(error));
	}
}

async function apply(
	view: SlashView,
	text: string,
	outcome: Exclude<SlashOutcome, { type: "started" }>,
): Promise<void> {
	const { draft, settings } = view;
	switch (outcome.type) {
		case "done":
			draft.say(outcome.sentence ?? "");
			return;
		case "fill":
			draft.prepend(outcome.text);
			follow(view, draft.text);
			draft.say(outcome.sentence ?? "");
			return;
		case "kept":
			putBack(draft, text, outcome.sentence ?? "");
			return;
		case "list":
			draft.prepend("/");
			follow(view, "/");
			return;
		case "settings":
			await settings.open(outcome.field);
	}
}

function putBack(draft: Draft, text: string, sentence: string): void {
	draft.prepend(text);
	draft.say(sentence);
}

/** Updates the completions as if the text had been typed. */
function follow({ page, attaching }: SlashView, text: string): void {
	page.focusComposer();
	page.setCursor(text.length);
	attaching.completion.follow(text, text.length);
}
