import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { ToolFailure } from "../../common/errors.ts";
import { cutResult } from "../contract/resultText.ts";
import { defineTool, type ToolDependencies, type ToolPlan } from "../contract/tool.ts";

/** The longest URL to request, in characters. A card shows all of it. */
const maxAddress = 2000;
const maxRedirects = 5;
/** The most characters of a page for the model. */
const maxText = 16_000;

export const browsing = defineTool({
	name: "browsing",
	title: () => l10n.t("Browsing"),
	description: "Reads a public web page. Returns its text.",
	effect: "visit",
	schema: z.strictObject({
		url: z
			.string()
			.check(
				z.minLength(1),
				z.maxLength(maxAddress),
				z.describe("Address of the page, with https."),
			),
	}),
	plan: ({ url }, _, dependencies) => planVisit(url, dependencies, []),
});

/** Plans a request to one URL. A redirect is planned and approved as another request. */
function planVisit(
	text: string,
	{ isTyped }: ToolDependencies,
	before: readonly string[],
): ToolPlan {
	const url = URL.parse(text, before.at(-1));
	if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
		throw new ToolFailure("That is not the address of a web page.");
	}
	if (url.username !== "" || url.password !== "") {
		throw new ToolFailure("The address holds a user name or a password.");
	}
	// The fragment isn't sent to a server.
	url.hash = "";
	const address = url.href;
	if (address.length > maxAddress) {
		throw new ToolFailure(`The address is longer than ${maxAddress} characters.`);
	}
	if (url.protocol === "http:" && !isTyped(address)) {
		throw new ToolFailure("Only https is read, unless the user typed the address with http.");
	}
	const [from] = before.slice(-1).map(last => new URL(last).host);
	return {
		summary: l10n.t("Read {0}", address),
		address,
		warnings: [
			...(from === undefined ? [] : [l10n.t("The page at {0} redirects to this address.", from)]),
			l10n.t("This sends all {0} characters of the address to {1}.", address.length, url.host),
		],
		run: async dependencies => {
			const { editor, signal } = dependencies;
			const page = await editor.readPage(address, signal);
			if (!("to" in page)) {
				return cutResult(`${page.title}\n${address}\n\n${page.text}`, maxText);
			}
			if (before.length >= maxRedirects) {
				throw new ToolFailure(`The page leads on more than ${maxRedirects} times.`);
			}
			return planVisit(page.to, dependencies, [...before, address]);
		},
	};
}
