import type { CodeToken } from "../../../clip/codeToken.ts";
import type { CodeRow } from "./codeLayout.ts";
import { columnsOf } from "../../../clip/columns.ts";
import { longestCommon } from "../../../common/longestCommon.ts";
import { easeInOut, progressBetween } from "./palette.ts";

export interface ChangeRow extends CodeRow {
	readonly kind: "same" | "removed" | "added";
	/** Index of its line in the change. Rows of a block of changed lines share the block. */
	readonly block: number;
}

/** A piece of code at a position. */
export interface PlacedToken extends CodeToken {
	readonly row: number;
	readonly column: number;
}

/** A piece that exists before and after, and moves. */
export interface TokenMove {
	readonly from: PlacedToken;
	readonly to: PlacedToken;
	/** Whether it is a row that passes over others, on a ground of its own. */
	readonly isLifted?: true;
}

/**
 * How the pieces of a change move: straight to their places; or first to their rows and then along them, so that the words of a line that is broken
 * into several don't cross; or the other way round, for lines that are joined.
 */
export type MovePath = "straight" | "downFirst" | "acrossFirst";

interface TokenWay {
	readonly down: number;
	readonly across: number;
}

/** Returns the shares of the way down and across at a share of the time, 0 to 1. */
export function wayAt(path: MovePath, time: number): TokenWay {
	const early = easeInOut(progressBetween(time, 0, 0.5));
	const late = easeInOut(progressBetween(time, 0.5, 1));
	const whole = easeInOut(time);
	const ways = {
		straight: { down: whole, across: whole },
		downFirst: { down: early, across: late },
		acrossFirst: { down: late, across: early },
	};
	return ways[path];
}

export interface TokenMoves {
	readonly path: MovePath;
	readonly moves: readonly TokenMove[];
	readonly leaving: readonly PlacedToken[];
	readonly arriving: readonly PlacedToken[];
}

/**
 * Matches the pieces of `before` and `after`: unchanged lines row by row, then lines that moved as a whole, then tokens of each changed block in
 * order, then the other words that both have, wherever they are. Chooses the path on which fewest of them cross others. Every matched word moves.
 */
export function matchTokens(before: readonly ChangeRow[], after: readonly ChangeRow[]): TokenMoves {
	const moves: TokenMove[] = [];
	const stays = (rows: readonly ChangeRow[]) =>
		rows.flatMap((row, index) => (row.kind === "same" ? [wholeRow(row, index)] : []));
	const stayed = stays(after);
	stays(before).forEach((from, index) => {
		const to = stayed[index];
		moves.push(...(to ? [{ from, to }] : []));
	});
	let left = placedTokens(before, "removed");
	let right = placedTokens(after, "added");
	for (const match of [movedLines, blockTokens, otherWords]) {
		const found = match(left, right);
		const taken = new Set<PlacedToken>(found.flatMap(({ from, to }) => [from, to]));
		left = left.filter(token => !taken.has(token));
		right = right.filter(token => !taken.has(token));
		moves.push(...found);
	}
	let path: MovePath = "straight";
	let free = withoutCollisions(moves, stayed.length, path);
	for (const other of ["downFirst", "acrossFirst"] as const) {
		const moving = free.size < moves.length ? withoutCollisions(moves, stayed.length, other) : free;
		[path, free] = lettersIn(moving) > lettersIn(free) ? [other, moving] : [path, free];
	}
	// Words pass over one another rather than vanish. Signs don't, because many alike would swarm.
	const kept = withCompany(
		new Set(moves.filter(move => !isSign(move.to) || free.has(move))),
		stayed.length,
	);
	const lifted = liftedRows(moves.slice(stayed.length), free, before, after);
	const isOfLifted = ({ from }: TokenMove): boolean =>
		lifted.some(row => row.from.row === from.row);
	const others = moves.filter(move => !isOfLifted(move));
	const dropped = others.filter(move => !kept.has(move));
	return {
		path,
		moves: [...others.filter(move => kept.has(move)), ...lifted],
		leaving: [...left, ...dropped.map(({ from }) => from)],
		arriving: [...right, ...dropped.map(({ to }) => to)],
	};
}

/**
 * Returns the move of a whole row that has the same text elsewhere, but whose words can't move without coming over others. Returns none for several
 * such rows, because they would cover one another.
 */
function liftedRows(
	moves: readonly TokenMove[],
	kept: ReadonlySet<TokenMove>,
	before: readonly ChangeRow[],
	after: readonly ChangeRow[],
): readonly TokenMove[] {
	const byRow = Map.groupBy(moves, ({ from }) => from.row);
	const rows = [...byRow].flatMap(([row, tokens]): readonly TokenMove[] => {
		const [old, fresh] = [before[row], after[tokens[0]?.to.row ?? -1]];
		const isWhole =
			old?.kind === "removed" &&
			fresh?.kind === "added" &&
			rowText(old) === rowText(fresh) &&
			tokens.every(({ to }) => to.row === tokens[0]?.to.row);
		return isWhole && !tokens.every(move => kept.has(move))
			? [
					{
						from: wholeRow(old, row),
						to: wholeRow(fresh, tokens[0]?.to.row ?? row),
						isLifted: true,
					},
				]
			: [];
	});
	return rows.length === 1 ? rows : [];
}

const lettersIn = (moves: ReadonlySet<TokenMove>): number =>
	[...moves].reduce((sum, { to }) => sum + to.text.length, 0);

/** Moments of a move at which collisions are checked. */
const moments = Array.from({ length: 19 }, (_, index) => (index + 1) / 20);
const letterHeight = 0.86;

/** Returns moves that don't cross others: first those of unchanged rows (the first `staying`), then longer pieces before shorter ones. */
function withoutCollisions(
	moves: readonly TokenMove[],
	staying: number,
	path: MovePath,
): ReadonlySet<TokenMove> {
	const ways = moments.map(time => wayAt(path, time));
	const kept = new Set(moves.slice(0, staying));
	const others = moves.slice(staying);
	for (const move of others.toSorted((left, right) => right.to.text.length - left.to.text.length)) {
		if (![...kept].some(other => collide(move, other, ways))) {
			kept.add(move);
		}
	}
	return kept;
}

/** Returns moves without signs that would move alone. Keeps the moves of unchanged rows, the first `staying`. */
function withCompany(moves: ReadonlySet<TokenMove>, staying: number): ReadonlySet<TokenMove> {
	const all = [...moves];
	const isBeside = (one: TokenMove, other: TokenMove): boolean =>
		one !== other && one.from.row === other.from.row && one.to.row === other.to.row;
	return new Set(
		all.filter(
			(move, index) =>
				index < staying ||
				!isSign(move.to) ||
				all.some(other => isBeside(move, other) && !isSign(other.to)),
		),
	);
}

function collide(left: TokenMove, right: TokenMove, ways: readonly TokenWay[]): boolean {
	const at = (from: number, to: number, share: number): number => from + (to - from) * share;
	return ways.some(({ down, across }) => {
		const rows = [left, right].map(({ from, to }) => at(from.row, to.row, down));
		const [first = 0, second = 0] = [left, right].map(({ from, to }) =>
			at(from.column, to.column, across),
		);
		return (
			Math.abs((rows[0] ?? 0) - (rows[1] ?? 0)) < letterHeight &&
			first < second + columnsOf(right.to.text) - 0.01 &&
			second < first + columnsOf(left.to.text) - 0.01
		);
	});
}

interface BlockToken extends PlacedToken {
	readonly block: number;
	readonly line: string;
}

const rowText = (row: CodeRow): string => row.tokens.map(({ text }) => text).join("");

function wholeRow(row: CodeRow, index: number): PlacedToken {
	return { row: index, column: 0, text: rowText(row), kind: "plain" };
}

/** Returns the pieces of rows of a kind, without blank ones. */
function placedTokens(rows: readonly ChangeRow[], kind: ChangeRow["kind"]): readonly BlockToken[] {
	return rows.flatMap((row, index) => {
		const line = rowText(row).trim();
		let column = 0;
		return row.kind === kind
			? row.tokens.flatMap(piecesOf).flatMap(piece => {
					const placed = { ...piece, row: index, column, block: row.block, line };
					column += columnsOf(piece.text);
					return piece.text.trim() === "" ? [] : [placed];
				})
			: [];
	});
}

/** Splits tokens into words, with their quotation marks, operators and brackets, which move separately. */
function piecesOf(token: CodeToken): readonly CodeToken[] {
	const texts =
		token.text.match(/\s+|"[^"\s]*"|'[^'\s]*'|[\p{L}\p{M}\p{N}_$]+|[-+*/%=<>!&|^~?:.#]+|./gsu) ??
		[];
	return texts.map(text => ({ ...token, text }));
}

const isSign = ({ text }: CodeToken): boolean => !/[\p{L}\p{N}]/u.test(text);

type Matcher = (left: readonly BlockToken[], right: readonly BlockToken[]) => readonly TokenMove[];

/** Shorter lines, such as a closing bracket, are not recognized at another place. */
const shortestLine = 6;

const movedLines: Matcher = (left, right) => {
	const rowsOf = (tokens: readonly BlockToken[]) =>
		[...Map.groupBy(tokens, ({ row }) => row).values()].filter(
			row => (row[0]?.line.length ?? 0) >= shortestLine,
		);
	const free = rowsOf(right);
	return rowsOf(left).flatMap(row => {
		const at = free.findIndex(
			other => other[0]?.line === row[0]?.line && other.length === row.length,
		);
		const [other = []] = at === -1 ? [] : free.splice(at, 1);
		return other.flatMap((to, index) => pairOf(row[index], to));
	});
};

function pairOf(from: BlockToken | undefined, to: BlockToken): readonly TokenMove[] {
	return from?.text === to.text ? [{ from, to }] : [];
}

const blockTokens: Matcher = (left, right) => {
	const others = Map.groupBy(right, ({ block }) => block);
	return [...Map.groupBy(left, ({ block }) => block)].flatMap(([block, removed]) => {
		const added = others.get(block) ?? [];
		const pairs = longestCommon(removed.length, added.length, (row, column) =>
			removed[row]?.text === added[column]?.text ? weightOf(removed[row]) : 0,
		);
		const known = new Set(pairs.map(([row, column]) => `${row} ${column}`));
		return pairs.flatMap(([row, column]) => {
			const hasNeighbor =
				known.has(`${row - 1} ${column - 1}`) || known.has(`${row + 1} ${column + 1}`);
			const from = removed[row];
			const to = added[column];
			// A bracket that moves alone has no meaning.
			return from && to && (!isSign(from) || hasNeighbor) ? [{ from, to }] : [];
		});
	});
};

/** Pairs the words of a change that are left, each with the nearest of its text. */
const otherWords: Matcher = (left, right) => {
	const free = Map.groupBy(
		right.filter(token => !isSign(token)),
		({ text }) => text,
	);
	return left.flatMap(from => {
		const others = free.get(from.text) ?? [];
		const distance = (to: BlockToken): number =>
			Math.abs(to.row - from.row) * 100 + Math.abs(to.column - from.column);
		const to = others.toSorted((one, other) => distance(one) - distance(other))[0];
		if (isSign(from) || !to) {
			return [];
		}
		others.splice(others.indexOf(to), 1);
		return [{ from, to }];
	});
};

/** Names count more than brackets. */
function weightOf(token: PlacedToken | undefined): number {
	return token === undefined || isSign(token) ? 1 : token.text.length + 2;
}
