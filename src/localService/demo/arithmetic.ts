/** What a sum comes to, or why it comes to nothing. */
export type ArithmeticResult =
	| { readonly isNumber: true; readonly value: number }
	| { readonly isNumber: false; readonly reason: string };

/** Longer sums are not worked out, which also bounds how deep brackets can nest. */
const maxLength = 200;

/**
 * Works out a sum of numbers with + - * / % ^ and brackets, as also × ÷ − and **; undefined when the text is no sum.
 * `%` is the remainder and `^` binds from the right. Nothing of the text is ever run as code.
 */
export function calculate(text: string): ArithmeticResult | undefined {
	const tokens = tokenize(text);
	if (!tokens || !tokens.some(token => /[-+*/%^]/.test(token))) {
		return undefined;
	}
	const reader: Reader = { tokens, position: 0 };
	const value = readSum(reader);
	if (value === undefined || reader.position < tokens.length) {
		return undefined;
	}
	return Number.isFinite(value)
		? { isNumber: true, value }
		: { isNumber: false, reason: "it divides by zero or grows beyond all numbers I can write" };
}

/** A number as people write it: 12 significant digits, no trailing zeros. */
export function formatNumber(value: number): string {
	return value.toLocaleString("en", { maximumSignificantDigits: 12 });
}

interface Reader {
	readonly tokens: readonly string[];
	position: number;
}

function tokenize(text: string): readonly string[] | undefined {
	if (text.length > maxLength) {
		return undefined;
	}
	const plain = text.replaceAll("×", "*").replaceAll("÷", "/").replaceAll("−", "-");
	const pattern = /\s*(?:(\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+)|(\*\*)|([-+*/%^()]))\s*/giy;
	const tokens: string[] = [];
	let end = 0;
	for (const match of plain.matchAll(pattern)) {
		tokens.push(match[1] ?? (match[2] === undefined ? (match[3] ?? "") : "^"));
		end = match.index + match[0].length;
	}
	return end === plain.length ? tokens : undefined;
}

function take(reader: Reader, ...choices: readonly string[]): string | undefined {
	const token = reader.tokens[reader.position];
	if (token === undefined || !choices.includes(token)) {
		return undefined;
	}
	reader.position += 1;
	return token;
}

const operations: Readonly<Record<string, (left: number, right: number) => number>> = {
	"+": (left, right) => left + right,
	"-": (left, right) => left - right,
	"*": (left, right) => left * right,
	"/": (left, right) => left / right,
	"%": (left, right) => left % right,
};

/** One level of operators that bind from the left; undefined once something is missing. */
function readChain(
	reader: Reader,
	operators: readonly string[],
	readOperand: (reader: Reader) => number | undefined,
): number | undefined {
	let value = readOperand(reader);
	let operator = take(reader, ...operators);
	while (value !== undefined && operator !== undefined) {
		const right = readOperand(reader);
		value = right === undefined ? undefined : operations[operator]?.(value, right);
		operator = take(reader, ...operators);
	}
	return value;
}

function readSum(reader: Reader): number | undefined {
	return readChain(reader, ["+", "-"], readProduct);
}

function readProduct(reader: Reader): number | undefined {
	return readChain(reader, ["*", "/", "%"], readSigned);
}

/** A sign binds weaker than a power, as on paper: -2 ^ 2 is -4. */
function readSigned(reader: Reader): number | undefined {
	const sign = take(reader, "+", "-");
	if (sign === undefined) {
		return readPower(reader);
	}
	const value = readSigned(reader);
	return value !== undefined && sign === "-" ? -value : value;
}

function readPower(reader: Reader): number | undefined {
	const base = readAtom(reader);
	if (base === undefined || take(reader, "^") === undefined) {
		return base;
	}
	const exponent = readSigned(reader);
	return exponent === undefined ? undefined : base ** exponent;
}

function readAtom(reader: Reader): number | undefined {
	if (take(reader, "(") !== undefined) {
		const value = readSum(reader);
		return take(reader, ")") === undefined ? undefined : value;
	}
	const number = Number(reader.tokens[reader.position] ?? Number.NaN);
	if (Number.isNaN(number)) {
		return undefined;
	}
	reader.position += 1;
	return number;
}
