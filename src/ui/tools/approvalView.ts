import * as l10n from "@vscode/l10n";
import { revealHidden, revealInLine } from "../../common/hiddenText.ts";
import type { ApprovalView, ChangedLine } from "../../shared/tools.ts";
import type { ApprovalRequest } from "../../tools/gate/approvals.ts";
import { changedRuns } from "../../tools/codePlacement/lineChanges.ts";
import type { FilePreview } from "../../tools/contract/edits.ts";
import { shorten } from "../../common/shortText.ts";

/** The most lines of a change on a card: of a single one, and of each of several. */
const maxLines = { alone: 12, each: 6 };

/** Unchanged lines to show on each side of a change. */
const context = 1;

/** The most characters of a line on each side of a change, in UTF-16 code units, because a minified file is one line. */
const maxBeside = 400;

/** Converts a request for its card. The editor shows the whole change. */
export function approvalView(requestId: string, request: ApprovalRequest): ApprovalView {
	const { files, address, warnings, canRemember, preview, clip, external, argumentsText } = request;
	const changes = (preview?.files ?? []).flatMap(changesOf);
	const count = (kind: ChangedLine["kind"]): number =>
		changes.reduce((sum, { lines }) => sum + lines.filter(line => line.kind === kind).length, 0);
	const most = changes.length > 1 ? maxLines.each : maxLines.alone;
	let number = 0;
	return {
		requestId,
		files: [...files],
		...(address === undefined ? {} : { address: addressParts(address) }),
		warnings: [...warnings],
		canRemember,
		hunks: changes.map(({ label, firstLine, lines, isHunk }) => ({
			...(isHunk ? { number: number++ } : {}),
			title: revealInLine(l10n.t("{0}, line {1}", label, firstLine)),
			file: revealInLine(label),
			firstLine,
			lines: lines.slice(0, most).map(line => ({ ...line, text: revealHidden(line.text) })),
			left: lines.slice(most).filter(isChange).length,
		})),
		...(changes.length > 0 ? { counts: { added: count("added"), removed: count("removed") } } : {}),
		...(external ? { external: { argumentsText, ...wholeName(external) } } : {}),
		...(clip ? { clip: { prompt: revealHidden(clip.prompt), facts: factsOf(clip) } } : {}),
	};
}

function wholeName({ wholeName: name }: NonNullable<ApprovalRequest["external"]>): {
	wholeName?: string;
} {
	return name === undefined ? {} : { wholeName: name };
}

/** Describes a video's length and shape, as far as they are known. */
function factsOf({ seconds, shape }: NonNullable<ApprovalRequest["clip"]>): string {
	const length = seconds === undefined ? undefined : l10n.t("{0} s", seconds);
	return [length, shape].filter(fact => fact !== undefined).join(" · ");
}

/** Splits a URL around its host. The URL standard converts international names to ASCII, so that the shown name is the requested one. */
function addressParts(address: string): NonNullable<ApprovalView["address"]> {
	const { host } = new URL(address);
	const start = address.indexOf("//") + 2;
	return { before: address.slice(0, start), host, after: address.slice(start + host.length) };
}

interface ShownChange {
	readonly label: string;
	readonly firstLine: number;
	readonly lines: readonly ChangedLine[];
	readonly isHunk: boolean;
}

function changesOf(file: FilePreview): ShownChange[] {
	const { target, change, before, after, hunks } = file;
	const { label } = target;
	if (change === "create" || change === "delete") {
		const lines = compared(wholeLines(before), wholeLines(after), 1, 1);
		return [{ label, firstLine: 1, lines, isHunk: false }];
	}
	return hunkLines({ before, hunks }).map(lines => ({
		label,
		firstLine: lines.find(isChange)?.number ?? 1,
		lines,
		isHunk: true,
	}));
}

/** Splits a file into lines. A final line break doesn't start another line. */
function wholeLines(text: string): string[] {
	return text === "" ? [] : linesOf(text.replace(/\r?\n$/, ""));
}

function isChange({ kind }: ChangedLine): boolean {
	return kind === "added" || kind === "removed";
}

/** Returns the lines of each hunk, as if it were the only one accepted, but numbered after the hunks before it. */
export function hunkLines({
	before: text,
	hunks,
}: Pick<FilePreview, "before" | "hunks">): ChangedLine[][] {
	let shift = 0;
	return hunks.map(({ start, end, oldText, newText }) => {
		const from = startOfLines(text, start);
		const first = text.slice(0, from).split("\n").length;
		const head = cutHead(text.slice(from, start));
		const tail = cutTail(text.slice(end, endOfLines(text, end)));
		const [old, fresh] = [head + oldText + tail, head + newText + tail];
		// If both texts end with a line break, the empty line after it is left out.
		const drop = old.endsWith("\n") && fresh.endsWith("\n") ? -1 : undefined;
		const lines = compared(
			linesOf(old.slice(0, drop)),
			linesOf(fresh.slice(0, drop)),
			first,
			first + shift,
		);
		shift += newText.split("\n").length - oldText.split("\n").length;
		return lines;
	});
}

/** Returns the start of the line at an offset, including the context before it. */
function startOfLines(text: string, offset: number): number {
	let start = text.lastIndexOf("\n", offset - 1) + 1;
	for (let count = 0; count < context && start > 0; count += 1) {
		start = text.lastIndexOf("\n", start - 2) + 1;
	}
	return offset === 0 ? 0 : start;
}

/** Returns the end of the line at an offset, including the context after it. */
function endOfLines(text: string, offset: number): number {
	let end = offset - 1;
	for (let count = 0; count <= context; count += 1) {
		end = text.indexOf("\n", end + 1);
		if (end === -1) {
			return text.length;
		}
	}
	return end;
}

function cutHead(head: string): string {
	const start = head.lastIndexOf("\n") + 1;
	const begun = head.slice(start);
	return begun.length > maxBeside ? `${head.slice(0, start)}…${begun.slice(-maxBeside)}` : head;
}

function cutTail(tail: string): string {
	const end = tail.indexOf("\n") === -1 ? tail.length : tail.indexOf("\n");
	return shorten(tail.slice(0, end), maxBeside) + tail.slice(end);
}

function linesOf(text: string): string[] {
	return text.replaceAll("\r\n", "\n").replace(/\r$/, "").split("\n");
}

/** Compares the lines of two texts, without unchanged ones that are far from a change. */
function compared(
	old: readonly string[],
	fresh: readonly string[],
	firstOld: number,
	firstFresh: number,
): ChangedLine[] {
	const lines: ChangedLine[] = [];
	const add = (kind: ChangedLine["kind"], from: readonly string[], start: number, end: number) => {
		const first = kind === "removed" ? firstOld : firstFresh;
		from.slice(start, end).forEach((text, index) => {
			const shown = kind === "same" ? shorten(text, maxBeside) : text;
			lines.push({ kind, number: first + start + index, text: shown });
		});
	};
	let at = 0;
	for (const { start, end, freshStart, freshEnd } of changedRuns(old, fresh)) {
		add("same", fresh, at, freshStart);
		add("removed", old, start, end);
		add("added", fresh, freshStart, freshEnd);
		at = freshEnd;
	}
	add("same", fresh, at, fresh.length);
	return withoutFarLines(lines);
}

function withoutFarLines(lines: readonly ChangedLine[]): ChangedLine[] {
	const near = lines.map((_, index) =>
		lines.slice(Math.max(0, index - context), index + context + 1).some(isChange),
	);
	return lines.flatMap((line, index): ChangedLine[] => {
		const isGap = !near[index] && near[index - 1] === true && near.includes(true, index);
		return near[index] ? [line] : isGap ? [{ ...line, kind: "gap", text: "" }] : [];
	});
}
