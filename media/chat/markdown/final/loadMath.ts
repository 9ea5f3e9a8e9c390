import type { MathRenderer } from "./math.ts";

let loading: Promise<MathRenderer> | undefined;

/** Loads the formula renderer on first use. All callers share it. */
export function loadMath(): Promise<MathRenderer> {
	loading ??= import("./katex.ts").then(({ createMathRenderer }) => createMathRenderer());
	return loading;
}
