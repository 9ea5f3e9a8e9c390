/** The examples of CommonMark's specification; the package brings no types. */
declare module "commonmark-spec" {
	export const tests: readonly {
		/** Tabs are arrows, `→`. */
		readonly markdown: string;
		readonly html: string;
		readonly section: string;
		readonly number: number;
	}[];
}
