/** The used parts of highlight.js. */
export declare const highlighter: {
	getLanguage(name: string): object | undefined;
	highlight(
		code: string,
		options: { readonly language: string; readonly ignoreIllegals: boolean },
	): { readonly value: string };
};
