import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import * as z from "zod/mini";
import { escapeMarkdown } from "../common/plainMarkdown.ts";
import { parseJson } from "../common/json.ts";
import { cutPage } from "../localService/base/limits.ts";
import type { PageText, ThreadPage } from "./readPage.ts";

/** The most elements for Readability to process, because large pages take too long. */
const maxElements = 60_000;
/** Elements nested deeper are reduced to their text. */
const maxDepth = 200;

/**
 * Converts a page's main article, or all text, to Markdown without links and images. For the conversation of a GitHub issue or pull request, its body
 * and comments as the page's data or its elements have them; for its other pages, or without any, the whole main element. For a page of a known forum,
 * its posts.
 */
export function extractText(html: string, thread?: ThreadPage): PageText {
	const { document } = parseHTML(html);
	const isConversation = thread === "conversation";
	const issue = isConversation ? embeddedIssue(document) : undefined;
	if (issue) {
		return issueText(issue);
	}
	const heading = document.querySelector("title")?.textContent ?? "";
	const posts = thread === "other" ? [] : postsOf(document);
	if (posts.length > 0) {
		const isCut = document.querySelector(".ajax-pagination-form, .js-ajax-pagination") !== null;
		return threadText(heading, posts, isCut);
	}
	// Must be read before Readability modifies the document.
	const main = thread ? document.querySelector("main") : null;
	const whole = nodeText(main ?? document);
	const article = main || isDeeperThan(document, maxDepth) ? undefined : articleOf(document);
	return {
		title: oneLine(article?.title ?? heading),
		text: cutPage(
			article ? nodeText(parseHTML(`<html>${article.content}</html>`).document) : whole,
		),
	};
}

const postSchema = z.object({
	id: z.optional(z.string()),
	bodyHTML: z.string(),
	author: z.nullish(z.object({ login: z.string() })),
});
const timelineSchema = z.nullish(
	z.object({
		totalCount: z.optional(z.number()),
		edges: z.array(z.object({ node: z.optional(z.unknown()) })),
	}),
);
const issueSchema = z.extend(postSchema, {
	title: z.string(),
	frontTimelineItems: timelineSchema,
	timelineItems: timelineSchema,
	backTimelineItems: timelineSchema,
});
const issueDataSchema = z.object({
	data: z.object({ repository: z.object({ issue: issueSchema }) }),
});
const embeddedSchema = z.object({
	payload: z.object({
		preloadedQueries: z.optional(z.array(z.object({ result: z.optional(z.unknown()) }))),
		issueViewerRoute: z.optional(z.unknown()),
	}),
});

type EmbeddedIssue = z.infer<typeof issueSchema>;

/** Returns the issue in the data of a GitHub page that its script renders; undefined if the page has none. */
function embeddedIssue(
	document: ReturnType<typeof parseHTML>["document"],
): EmbeddedIssue | undefined {
	for (const script of document.querySelectorAll('script[data-target="react-app.embeddedData"]')) {
		const { data } = embeddedSchema.safeParse(parseJson(script.textContent ?? ""));
		const { preloadedQueries = [], issueViewerRoute } = data?.payload ?? {};
		for (const answer of [issueViewerRoute, ...preloadedQueries.map(({ result }) => result)]) {
			const found = issueDataSchema.safeParse(answer);
			if (found.success) {
				return found.data.data.repository.issue;
			}
		}
	}
	return undefined;
}

/** The body of an issue or pull request, or a comment. */
interface Post {
	readonly author: string;
	readonly text: string;
}

/** Where the pages of a program have the text of a post, the element around it, and its author. */
interface PostSelectors {
	readonly body: string;
	readonly post: string;
	/** The first that is there counts. */
	readonly author: readonly string[];
}

const gitHub: PostSelectors = {
	body: ".js-comment-body",
	post: ".js-comment, .js-comment-container",
	author: [".author, strong a"],
};

const postSelectors: readonly PostSelectors[] = [
	gitHub,
	// GitLab.
	{ body: ".note-text", post: ".note", author: [".note-header-author-name", ".author-link"] },
	// Gitea and Forgejo.
	{ body: ".comment-body .render-content", post: ".comment", author: [".author"] },
	// Discourse, as it answers programs without scripts.
	{ body: ".crawler-post .post", post: ".crawler-post", author: [".creator a", ".creator"] },
	// phpBB.
	{ body: ".postbody .content", post: ".post", author: [".author .username, .username-coloured"] },
	// Stack Overflow and its sister sites.
	{
		body: ".js-post-body, .comment-copy",
		post: ".comment, .answer, .question",
		author: [".comment-user", "[itemprop=author] a", ".user-details a"],
	},
	// Hacker News.
	{ body: ".commtext", post: ".comtr", author: [".hnuser"] },
];

/** Returns the posts that a page has as elements, such as that of a pull request. */
function postsOf(document: ReturnType<typeof parseHTML>["document"]): Post[] {
	for (const selectors of postSelectors) {
		const bodies = [...document.querySelectorAll(selectors.body)];
		if (bodies.length > 0) {
			return bodies.map(body => ({ author: authorOf(body, selectors), text: nodeText(body) }));
		}
	}
	return [];
}

function authorOf(body: PageElement, { post, author }: PostSelectors): string {
	const around = body.closest(post);
	const found = author.map(each => around?.querySelector(each)).find(each => each);
	return found?.textContent ?? "";
}

/** Whether an element is the body of a comment on GitHub. */
function isCommentBody(element: PageElement): boolean {
	return (element.getAttribute("class") ?? "").split(/\s+/).includes("js-comment-body");
}

/** Formats the posts of an issue or pull request: numbered, each quoted below its author, so that no text of one looks like another. */
function threadText(title: string, posts: readonly Post[], isCut: boolean): PageText {
	const shown = posts.map(({ author, text }, index) => {
		return `### ${index + 1} of ${posts.length}: ${shownName(author)}\n\n${quoted(text)}`;
	});
	const note = isCut ? "\n\n(The page holds a part of the comments only.)" : "";
	return { title: oneLine(title), text: `${cutPage(shown.join("\n\n"))}${note}` };
}

function shownName(author: string): string {
	return escapeMarkdown(oneLine(author) || "ghost");
}

/** Marks every line as a quotation. */
function quoted(text: string): string {
	return text.replaceAll(/\r\n|[\r\u0085\u2028\u2029]/g, "\n").replaceAll(/^/gm, "> ");
}

/** Formats an issue: its body, and each comment under its author. The timeline's other events are left out. */
function issueText(issue: EmbeddedIssue): PageText {
	const timelines = [issue.frontTimelineItems, issue.timelineItems, issue.backTimelineItems];
	const events = timelines.flatMap(items => items?.edges.map(({ node }) => node) ?? []);
	const found = events.flatMap(node => postSchema.safeParse(node).data ?? []);
	// The first and the last events overlap.
	const comments = new Map(found.map((comment, index) => [comment.id ?? index, comment]));
	const posts = [issue, ...comments.values()].map(({ author, bodyHTML }) => {
		const { document } = parseHTML(`<html><body>${bodyHTML}</body></html>`);
		return { author: author?.login ?? "", text: nodeText(document) };
	});
	const total = Math.max(0, ...timelines.map(items => items?.totalCount ?? 0));
	const isCut = total > new Set(events.map(eventId)).size;
	return threadText(issue.title, posts, isCut);
}

const eventSchema = z.object({ id: z.string() });

function eventId(event: unknown): unknown {
	return eventSchema.safeParse(event).data?.id ?? event;
}

/** Deep nesting can make a small page take minutes. */
function isDeeperThan(node: PageNode, depth: number): boolean {
	return (
		depth === 0 ||
		[...node.childNodes].some(child => isElement(child) && isDeeperThan(child, depth - 1))
	);
}

interface Article {
	readonly title: string | null | undefined;
	readonly content: string;
}

/** Readability modifies the document and throws for some unusual pages. */
function articleOf(document: ConstructorParameters<typeof Readability>[0]): Article | undefined {
	try {
		const article = new Readability(document, { maxElemsToParse: maxElements }).parse();
		return article?.content ? { title: article.title, content: article.content } : undefined;
	} catch {
		return undefined;
	}
}

/** The DOM types needed here. This module is compiled without the browser's types. */
interface PageNode {
	readonly nodeType: number;
	readonly textContent: string | null;
	readonly childNodes: Iterable<PageNode>;
}

interface PageElement extends PageNode {
	readonly localName: string;
	getAttribute(name: string): string | null;
	closest(selectors: string): PageElement | null;
	querySelector(selectors: string): PageNode | null;
}

const silent = new Set([
	"script",
	"style",
	"noscript",
	"template",
	"svg",
	"iframe",
	"head",
	"title",
	"nav",
]);
const blocks =
	/^(?:address|article|aside|blockquote|dd|div|dl|dt|figcaption|figure|footer|form|h[1-6]|header|hr|li|main|ol|p|section|table|tr|ul)$/;

function nodeText(root: PageNode): string {
	const parts: string[] = [];
	write(root, parts, 0);
	return parts
		.join("")
		.replaceAll(/[ \t]*\n[ \t]*/g, "\n")
		.replaceAll(/\n{3,}/g, "\n\n")
		.trim();
}

const textNode = 3;

function write(parent: PageNode, parts: string[], depth: number): void {
	for (const node of parent.childNodes) {
		if (node.nodeType === textNode) {
			parts.push(escapeMarkdown((node.textContent ?? "").replaceAll(/\s+/g, " ")));
		} else if (isElement(node)) {
			writeElement(node, parts, depth);
		}
	}
}

function isElement(node: PageNode): node is PageElement {
	return node.nodeType === 1;
}

function writeElement(element: PageElement, parts: string[], depth: number): void {
	const name = element.localName;
	if (silent.has(name)) {
		return;
	}
	if (name === "br") {
		parts.push("\n");
		return;
	}
	const sign = element.getAttribute("data-code-marker");
	if (sign !== null) {
		// A line of a diff on GitHub, whose sign is drawn by the style sheet.
		parts.push(escapeMarkdown(`${sign}${element.textContent ?? ""}`));
		return;
	}
	if (name === "pre" || depth >= maxDepth) {
		parts.push(`\n\n${escapeMarkdown(element.textContent ?? "")}\n\n`);
		return;
	}
	if (isCommentBody(element)) {
		// Among changed files, too, no text of a comment looks like another's or like the page's.
		const text = quoted(nodeText(element));
		parts.push(`\n\nComment of ${shownName(authorOf(element, gitHub))}:\n\n${text}\n\n`);
		return;
	}
	const isBlock = blocks.test(name);
	parts.push(isBlock ? opening(name) : "");
	write(element, parts, depth + 1);
	parts.push(isBlock ? closing(name) : name === "td" || name === "th" ? " " : "");
}

function opening(name: string): string {
	const level = /^h([1-6])$/.exec(name)?.[1];
	if (level !== undefined) {
		return `\n\n${"#".repeat(Math.min(6, Number(level) + 2))} `;
	}
	return name === "li" ? "\n- " : name === "tr" ? "\n" : "\n\n";
}

function closing(name: string): string {
	return name === "li" || name === "tr" ? "" : "\n\n";
}

function oneLine(text: string): string {
	return text.replaceAll(/\s+/g, " ").trim().slice(0, 200);
}
