/**
 * A program: `npm run modules` draws the modules and which imports which into `docs/modules.svg`. It reads the imports alone, so
 * `test/unit/architecture.test.ts` can tell when the picture is out of date.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileOf, filesBelow, importsOf } from "./imports.ts";
import { projectRoot, say } from "./project.ts";

/** Module → the modules it imports. */
type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** A place in a row of the picture: a module, or a bend of an arrow that passes the row. */
interface Cell {
	readonly name: string;
	readonly isBend: boolean;
	readonly above: Cell[];
	readonly below: Cell[];
	x: number;
}

const leaf = "common";
const boxHeight = 30;
const rowHeight = 78;
const gap = 22;
const bendWidth = 14;
const characterWidth = 7.6;

/** The module that a file belongs to, as the picture names it: a folder of `src` or of `src/ui`, or `media`. */
function moduleOf(file: string): string {
	const [top = "", module = "", folder = ""] = file.split("/");
	if (top === "media") {
		return "media";
	}
	return module === "ui" ? `ui/${folder}` : module;
}

function readGraph(): Graph {
	const graph = new Map<string, Set<string>>();
	for (const file of [...filesBelow("src"), ...filesBelow("media")].toSorted()) {
		const from = moduleOf(file);
		const targets = graph.get(from) ?? new Set();
		graph.set(from, targets);
		for (const target of importsOf(file).map(fileOf)) {
			const to = target === undefined ? from : moduleOf(target);
			if (to !== from && to !== leaf) {
				targets.add(to);
			}
		}
	}
	graph.delete(leaf);
	return graph;
}

function reachable(graph: Graph, from: string): Set<string> {
	const targets = [...(graph.get(from) ?? [])];
	return new Set(targets.flatMap(target => [target, ...reachable(graph, target)]));
}

/** Leaves out an arrow that follows from others. */
function reduced(graph: Graph): Graph {
	return new Map(
		[...graph].map(([from, targets]) => {
			const beyond = new Set([...targets].flatMap(target => [...reachable(graph, target)]));
			return [from, new Set([...targets].filter(target => !beyond.has(target)))];
		}),
	);
}

/** How many arrows the longest way from a module down has. */
function heightOf(graph: Graph, name: string): number {
	return Math.max(0, ...[...(graph.get(name) ?? [])].map(target => 1 + heightOf(graph, target)));
}

/** Places modules row by row, the one that nobody imports on top, with a bend in every row that an arrow passes. */
function layRows(graph: Graph): Cell[][] {
	const heights = new Map([...graph.keys()].map(name => [name, heightOf(graph, name)]));
	const top = Math.max(...heights.values());
	const rows = Array.from({ length: top + 1 }, (): Cell[] => []);
	const place = (name: string, row: number, isBend: boolean): Cell => {
		const cell: Cell = { name, isBend, above: [], below: [], x: 0 };
		rows[row]?.push(cell);
		return cell;
	};
	const rowOf = (name: string): number => top - (heights.get(name) ?? 0);
	const cells = new Map([...graph.keys()].map(name => [name, place(name, rowOf(name), false)]));
	for (const [from, targets] of graph) {
		for (const to of targets) {
			let upper = cells.get(from);
			for (let row = rowOf(from) + 1; row <= rowOf(to) && upper; row += 1) {
				const lower = row === rowOf(to) ? cells.get(to) : place("", row, true);
				upper.below.push(...(lower ? [lower] : []));
				lower?.above.push(upper);
				upper = lower;
			}
		}
	}
	return rows;
}

const widthOf = ({ name, isBend }: Cell): number =>
	isBend ? bendWidth : Math.round(name.length * characterWidth) + 24;

/** Where a cell would be with its neighbors straight above and below it. */
function middleOf(neighbors: readonly Cell[], otherwise: number): number {
	const sum = neighbors.reduce((total, { x }) => total + x, 0);
	return neighbors.length === 0 ? otherwise : sum / neighbors.length;
}

/** Moves cells as near to where they want to be as their neighbors in the row let them. */
function spread(row: readonly Cell[], wanted: ReadonlyMap<Cell, number>): void {
	const room = (left: Cell, right: Cell): number => (widthOf(left) + widthOf(right)) / 2 + gap;
	const at = (cell: Cell): number => wanted.get(cell) ?? 0;
	const fromLeft: number[] = [];
	for (const [index, cell] of row.entries()) {
		const left = row[index - 1];
		fromLeft.push(
			left ? Math.max(at(cell), (fromLeft[index - 1] ?? 0) + room(left, cell)) : at(cell),
		);
	}
	const fromRight: number[] = [];
	for (let index = row.length - 1; index >= 0; index -= 1) {
		const [cell, right] = [row[index], row[index + 1]];
		if (cell) {
			const limit = right ? (fromRight[index + 1] ?? 0) - room(cell, right) : at(cell);
			fromRight[index] = Math.min(at(cell), limit);
		}
	}
	for (const [index, cell] of row.entries()) {
		cell.x = ((fromLeft[index] ?? 0) + (fromRight[index] ?? 0)) / 2;
	}
}

/** Orders each row by its neighbors above, then by those below, some times over, and then gives the cells their places. */
function arrange(rows: readonly Cell[][]): void {
	for (const row of rows) {
		spread(row, new Map(row.map((cell, index) => [cell, index])));
	}
	const sweep = (ordered: readonly Cell[][], neighbors: "above" | "below" | "both"): void => {
		for (const row of ordered) {
			const near = (cell: Cell): Cell[] =>
				neighbors === "both" ? [...cell.above, ...cell.below] : cell[neighbors];
			const wanted = new Map(row.map(cell => [cell, middleOf(near(cell), cell.x)]));
			if (neighbors !== "both") {
				row.sort((one, other) => (wanted.get(one) ?? 0) - (wanted.get(other) ?? 0));
			}
			spread(row, wanted);
		}
	};
	for (let time = 0; time < 12; time += 1) {
		sweep(rows, "above");
		sweep(rows.toReversed(), "below");
	}
	for (let time = 0; time < 12; time += 1) {
		sweep(rows, "both");
		sweep(rows.toReversed(), "both");
	}
}

/** A line from one cell down to the next row's; the last one of an arrow ends in its head. */
function lineBetween(upper: Cell, lower: Cell, row: number): string {
	const half = boxHeight / 2;
	const from = row * rowHeight + (upper.isBend ? half : boxHeight);
	const to = (row + 1) * rowHeight + (lower.isBend ? half : -2);
	const bend = (to - from) / 2;
	const [x1, x2] = [Math.round(upper.x), Math.round(lower.x)];
	const head = lower.isBend ? "" : ' marker-end="url(#head)"';
	return `<path d="M${x1} ${from}C${x1} ${from + bend} ${x2} ${to - bend} ${x2} ${to}"${head}/>`;
}

function boxOf(cell: Cell, row: number): string {
	const [x, width] = [Math.round(cell.x), widthOf(cell)];
	const kind = cell.name.startsWith("ui/") ? ' class="ui"' : "";
	return (
		`<rect${kind} x="${x - width / 2}" y="${row * rowHeight}" width="${width}" height="${boxHeight}" rx="5"/>` +
		`<text x="${x}" y="${row * rowHeight + 20}">${cell.name}</text>`
	);
}

const style = [
	"svg{background:#fff}path{fill:none;stroke:#8b949e;stroke-width:1.3}marker path{fill:#8b949e;stroke:none}",
	"rect{fill:#f6f8fa;stroke:#8b949e}rect.ui{fill:#ddf4ff;stroke:#54aeff}",
	"text{font:13px ui-monospace,Menlo,Consolas,monospace;text-anchor:middle;fill:#1f2328}",
].join("");

const head =
	'<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>';

/** The picture as it is to be in `docs/modules.svg`. */
export function modulesPicture(): string {
	const rows = layRows(reduced(readGraph()));
	arrange(rows);
	const cells = rows.flat();
	const left = Math.floor(Math.min(...cells.map(cell => cell.x - widthOf(cell) / 2))) - 10;
	const right = Math.ceil(Math.max(...cells.map(cell => cell.x + widthOf(cell) / 2))) + 10;
	const height = (rows.length - 1) * rowHeight + boxHeight + 20;
	const lines = rows.flatMap((row, index) =>
		row.flatMap(cell => cell.below.map(lower => lineBetween(cell, lower, index))),
	);
	const boxes = rows.flatMap((row, index) =>
		row.filter(({ isBend }) => !isBend).map(cell => boxOf(cell, index)),
	);
	const size = `width="${right - left}" height="${height}" viewBox="${left} -10 ${right - left} ${height}"`;
	const open = `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="Modules and their imports">`;
	return [open, `<style>${style}</style>`, head, ...lines, ...boxes, "</svg>", ""].join("\n");
}

if (import.meta.main) {
	const file = join(projectRoot, "docs", "modules.svg");
	writeFileSync(file, modulesPicture());
	say(file);
}
