import type { MathRenderer } from "./math.ts";

let loading: Promise<MathRenderer> | undefined;

/** Loads what draws formulas on first use; all callers share it. */
export function loadMath(): Promise<MathRenderer> {
	loading ??= import("./katex.ts").then(({ createMathRenderer }) => createMathRenderer());
	return loading;
}
