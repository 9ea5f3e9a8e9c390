/** The command under which the composer lists the demo's own: `/demo markdown`. */
export const demoCommand = "demo";

/**
 * The commands that the local service's demo answers, each with what stands for the words behind it, so that the composer can
 * offer them and does not take them for mistakes. A test holds them against the demo.
 */
export const demoCommands = {
	help: "",
	markdown: "",
	code: "LANGUAGE",
	table: "",
	long: "KB",
	messages: "N",
	slow: "",
	echo: "TEXT",
	call: "TOOL JSON",
	history: "",
	request: "",
	fail: "KIND",
} as const satisfies Readonly<Record<string, string>>;

/** The name of a command of the demo, without its slash. */
export type DemoCommandName = keyof typeof demoCommands;
