/** Python source, bundled as text. */
declare module "*.py" {
	const source: string;
	export default source;
}

/** Emscripten's module, passed to `loadPyodide` so that it isn't fetched. */
declare module "pyodide/pyodide.asm.mjs" {
	const createPyodideModule: NonNullable<
		NonNullable<Parameters<typeof import("pyodide").loadPyodide>[0]>["createPyodideModule"]
	>;
	export default createPyodideModule;
}
