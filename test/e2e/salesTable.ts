import { createRandom } from "../helpers/random.ts";

/** A column of numbers and what a summary of it should say. */
interface ColumnFigures {
	readonly name: string;
	readonly min: number;
	readonly max: number;
	readonly mean: number;
	readonly missing: number;
}

/** What a summary of a table should say, computed here and not by what is tested. */
export interface TableFigures {
	readonly rows: number;
	readonly columns: readonly ColumnFigures[];
}

/** A CSV file of at least so many bytes with numbers, text, quotes and gaps in it, and the figures of its numbers. */
export function salesTable(bytes: number): {
	readonly csv: string;
	readonly figures: TableFigures;
} {
	const { next, below } = createRandom(20_261_120);
	const lines = ["order,customer,quantity,price"];
	const columns = { order: [], quantity: [], price: [] } as Record<string, (number | undefined)[]>;
	for (let size = 0, order = 1; size < bytes; order++) {
		const quantity = next() < 0.02 ? undefined : below(40) - 5;
		const price = next() < 0.03 ? undefined : below(100_000) / 100;
		const line = `${order},"Customer ""${below(500)}"", Ltd",${quantity ?? ""},${price ?? ""}`;
		columns["order"]?.push(order);
		columns["quantity"]?.push(quantity);
		columns["price"]?.push(price);
		lines.push(line);
		size += line.length + 1;
	}
	return {
		csv: `${lines.join("\n")}\n`,
		figures: {
			rows: lines.length - 1,
			columns: Object.entries(columns).map(([name, values]) => figuresOf(name, values)),
		},
	};
}

function figuresOf(name: string, values: readonly (number | undefined)[]): ColumnFigures {
	const numbers = values.filter(value => value !== undefined);
	return {
		name,
		min: numbers.reduce((low, value) => Math.min(low, value), Infinity),
		max: numbers.reduce((high, value) => Math.max(high, value), -Infinity),
		mean: numbers.reduce((sum, value) => sum + value, 0) / numbers.length,
		missing: values.length - numbers.length,
	};
}
