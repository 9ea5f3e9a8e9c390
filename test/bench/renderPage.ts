import { type AnswerText, GrowingAnswer } from "../../media/chat/markdown/answer.ts";
import { createMarkdownEngine } from "../../media/chat/markdown/final/engine.ts";
import { loadMath } from "../../media/chat/markdown/final/loadMath.ts";
import { loadHighlighter } from "../../media/chat/markdown/final/highlight.ts";
import { IdleQueue } from "../../media/chat/markdown/elements/idle.ts";
import { PieceSplitter } from "../../media/chat/markdown/stream/pieces.ts";
import { renderBlocks } from "../../media/chat/markdown/final/renderBlocks.ts";
import { ScrollPin } from "../../media/chat/scroll/scrollPin.ts";

/** What streaming one stretch of text cost. */
export interface StreamCost {
	/** Wall time of the whole loop, waiting for frames included, in milliseconds per 1024 characters. */
	readonly msPerKb: number;
	/** Time spent in script alone, in milliseconds per 1024 characters. */
	readonly scriptMsPerKb: number;
	/** Script and layout within one frame, in milliseconds. */
	readonly frame: { readonly p50: number; readonly p95: number; readonly worst: number };
}

/** How a text that is already there is shown before the stretch that is measured. */
export type Renderer = "answer" | "lines" | "redraw" | "streamdown";

/** Characters of one fragment, and fragments shown per frame. */
const fragmentCharacters = 4;
const fragmentsPerFrame = 32;

const tools = {
	engine: createMarkdownEngine(),
	idle: new IdleQueue(),
	loadHighlighter,
	fileLinks: { linkIn: () => undefined },
	loadMath,
	onFailed: (error: unknown) => {
		throw error;
	},
};

let surface: Surface | undefined;

const nextFrame = (): Promise<unknown> => new Promise(requestAnimationFrame);

interface Surface {
	append(text: string): void;
	/** Ends the work of a frame. */
	readonly flush?: () => void;
	readonly scroller: HTMLElement;
}

/** A panel like the chat view's conversation, empty and following its end. */
async function createSurface(renderer: Renderer): Promise<Surface> {
	const scroller = document.createElement("div");
	const content = document.createElement("div");
	scroller.className = "scroller";
	content.className = "conversation";
	scroller.append(content);
	const main = document.createElement("main");
	main.append(scroller);
	document.body.replaceChildren(main);
	const pin = new ScrollPin(scroller, content, () => undefined);
	pin.jumpToEnd();
	if (renderer === "lines") {
		return { scroller, append: createLineWriter(content) };
	}
	if (renderer === "redraw") {
		return { scroller, ...createRedrawing(content) };
	}
	if (renderer === "streamdown") {
		return { scroller, ...(await createStreamdown(content)) };
	}
	const answer: AnswerText = new GrowingAnswer(tools);
	content.append(answer.element);
	return { scroller, append: text => answer.append(text) };
}

/** The floor: plain text, a `div` for every line. */
function createLineWriter(content: HTMLElement): (text: string) => void {
	let line = new Text();
	const begin = (): void => {
		const element = document.createElement("div");
		line = new Text();
		element.append(line);
		content.append(element);
	};
	begin();
	return text => {
		for (const [index, part] of text.split("\n").entries()) {
			if (index > 0) {
				begin();
			}
			line.appendData(part);
		}
	};
}

/** What would do without the writers by hand: the piece that still grows is parsed and drawn again in every frame. */
function createRedrawing(content: HTMLElement): Omit<Surface, "scroller"> {
	const splitter = new PieceSplitter((source, next) => tools.engine.judgeBoundary(source, next));
	let element = document.createElement("div");
	let line = "";
	const draw = (source: string): void => {
		const work = renderBlocks(tools.engine, source, {});
		for (let step = work.next(); ; step = work.next()) {
			if (step.done) {
				element.replaceChildren(...step.value);
				return;
			}
		}
	};
	content.append(element);
	return {
		append: text => {
			for (const [index, part] of text.split("\n").entries()) {
				if (index > 0) {
					const finished = splitter.addLine(line);
					line = "";
					if (finished) {
						draw(finished.source);
						element = document.createElement("div");
						content.append(element);
					}
				}
				line += part;
			}
		},
		flush: () => draw(splitter.rest + line),
	};
}

/** The peer: React draws the whole text so far with `streamdown` in every frame. */
async function createStreamdown(content: HTMLElement): Promise<Omit<Surface, "scroller">> {
	const path: string = "/media/streamdown.js";
	const peer = (await import(path)) as {
		createStreamdown(content: HTMLElement): (text: string) => void;
	};
	const draw = peer.createStreamdown(content);
	let text = "";
	return {
		append: part => {
			text += part;
		},
		flush: () => draw(text),
	};
}

/** Resolves once all that waits for quiet moments is done, highlighting included. */
async function quiet(): Promise<void> {
	await loadHighlighter("ts");
	await nextFrame();
	await new Promise<void>(resolve => {
		tools.idle.add({
			next: () => {
				resolve();
				return { done: true, value: undefined };
			},
		});
	});
	await nextFrame();
}

/** Shows `before` at leisure on a surface of its own. */
async function prepare(renderer: Renderer, before: string): Promise<void> {
	surface = await createSurface(renderer);
	for (let position = 0; position < before.length; position += 8192) {
		surface.append(before.slice(position, position + 8192));
		surface.flush?.();
		await nextFrame();
	}
	await quiet();
}

/** Streams a text onto the surface as fast as frames come. */
async function stream(text: string): Promise<StreamCost> {
	const frames: number[] = [];
	let script = 0;
	const start = performance.now();
	for (let position = 0; position < text.length;) {
		await nextFrame();
		const frameStart = performance.now();
		for (let count = 0; count < fragmentsPerFrame; count++) {
			surface?.append(text.slice(position, position + fragmentCharacters));
			position += fragmentCharacters;
		}
		surface?.flush?.();
		script += performance.now() - frameStart;
		follow();
		frames.push(performance.now() - frameStart);
	}
	await nextFrame();
	const kilobytes = text.length / 1024;
	return {
		msPerKb: (performance.now() - start) / kilobytes,
		scriptMsPerKb: script / kilobytes,
		frame: quantiles(frames),
	};
}

/** Goes to the end, which forces the layout this frame needs anyway, so that it counts here. */
function follow(): void {
	if (surface) {
		surface.scroller.scrollTop = surface.scroller.scrollHeight;
	}
}

function quantiles(values: readonly number[]): StreamCost["frame"] {
	const sorted = values.toSorted((a, b) => a - b);
	const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
	return { p50: at(0.5), p95: at(0.95), worst: at(1) };
}

/** Streams a text in real time and returns the longest task it caused, in milliseconds; 0 when none took 50. */
async function pace(text: string, charactersPerFrame: number): Promise<number> {
	const tasks: number[] = [];
	const observer = new PerformanceObserver(list => {
		tasks.push(...list.getEntries().map(entry => entry.duration));
	});
	observer.observe({ entryTypes: ["longtask"] });
	for (let position = 0; position < text.length; position += charactersPerFrame) {
		await nextFrame();
		surface?.append(text.slice(position, position + charactersPerFrame));
	}
	await quiet();
	tasks.push(...observer.takeRecords().map(entry => entry.duration));
	observer.disconnect();
	return Math.max(0, ...tasks);
}

const bench = { prepare, stream, pace };

declare global {
	interface Window {
		readonly bench: typeof bench;
	}
}

Object.assign(window, { bench });
