/** How a text is encoded, as far as its bytes tell. */
export type FileEncoding =
	| { readonly type: "utf-8"; readonly hasMark: boolean }
	/** `label` is Python's and JavaScript's name of the encoding. */
	| {
			readonly type: "utf-16";
			readonly label: "utf-16-le" | "utf-16-be";
			readonly hasMark: boolean;
	  }
	/** Possible encodings, the most likely first. */
	| { readonly type: "other"; readonly labels: readonly string[] };

const utf8Mark = [0xef, 0xbb, 0xbf];

/** Whether bytes start with the byte order mark of UTF-8. */
export function hasUtf8Mark(bytes: Uint8Array): boolean {
	return utf8Mark.every((byte, index) => bytes[index] === byte);
}

/** Detects the encoding of a text. `bytes` may end within a character. Returns undefined if it isn't text. */
export function encodingOf(bytes: Uint8Array): FileEncoding | undefined {
	const wide = wideEncodingOf(bytes);
	if (wide) {
		return wide;
	}
	if (bytes.some(byte => byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b)) {
		return undefined;
	}
	if (decode("utf-8", bytes) !== undefined) {
		return { type: "utf-8", hasMark: hasUtf8Mark(bytes) };
	}
	const labels = likelyEncodings(bytes);
	return labels.length > 0 ? { type: "other", labels } : undefined;
}

/** Decodes bytes that may end within a character. Returns undefined if they are invalid. */
export function decode(label: string, bytes: Uint8Array): string | undefined {
	try {
		return new TextDecoder(decoderLabels[label] ?? label, { fatal: true }).decode(bytes, {
			stream: true,
		});
	} catch {
		return undefined;
	}
}

/** JavaScript's names where they differ from Python's. */
const decoderLabels: Readonly<Record<string, string>> = {
	"utf-16-le": "utf-16le",
	"utf-16-be": "utf-16be",
	cp932: "shift_jis",
	cp949: "euc-kr",
	euc_jp: "euc-jp",
};

function wideEncodingOf(bytes: Uint8Array): FileEncoding | undefined {
	const [first, second] = bytes;
	if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
		return { type: "utf-16", label: first === 0xff ? "utf-16-le" : "utf-16-be", hasMark: true };
	}
	const head = bytes.subarray(0, 512);
	const zeros = [0, 1].map(parity => head.filter((byte, at) => byte === 0 && at % 2 === parity));
	const [even = 0, odd = 0] = zeros.map(found => found.length / (head.length / 2));
	// Text with mostly ASCII characters.
	if (head.length >= 4 && Math.max(even, odd) > 0.6 && Math.min(even, odd) === 0) {
		return { type: "utf-16", label: odd > even ? "utf-16-le" : "utf-16-be", hasMark: false };
	}
	return undefined;
}

/** Encodings with characters of two bytes, by Python's names, and the first bytes of their common characters. */
const doubleByte: Readonly<Record<string, readonly (readonly [from: number, to: number])[]>> = {
	cp932: [
		[0x82, 0x83],
		[0x88, 0x97],
	],
	cp949: [[0xb0, 0xc8]],
	gb18030: [[0xb0, 0xd7]],
	big5: [[0xa4, 0xc6]],
	euc_jp: [
		[0xa4, 0xa5],
		[0xb0, 0xcf],
	],
};
/** Encodings of one byte, by names that Python and JavaScript share. Nearly any bytes are valid in them. */
const singleByte = [
	"windows-1252",
	"windows-1250",
	"windows-1251",
	"windows-1253",
	"windows-1254",
	"windows-1257",
	"windows-1255",
	"windows-1256",
	"koi8-r",
];
const maxLabels = 3;
/** Candidates may be this much less likely than the first. */
const tolerance = 0.2;

function likelyEncodings(bytes: Uint8Array): string[] {
	const scored = [...singleByte, ...Object.keys(doubleByte)].flatMap(label => {
		const text = decode(label, bytes);
		const ranges = doubleByte[label];
		const score = (): number =>
			(ranges ? commonShare(bytes, ranges) : 1) * plausibleShare(text ?? "");
		return text === undefined ? [] : [{ label, score: score() }];
	});
	const best = Math.max(...scored.map(({ score }) => score));
	return scored
		.filter(({ score }) => score >= best - tolerance)
		.toSorted((one, other) => other.score - one.score)
		.slice(0, maxLabels)
		.map(({ label }) => label);
}

/** Returns the share of two-byte characters whose first byte is that of a common one. */
function commonShare(
	bytes: Uint8Array,
	ranges: readonly (readonly [from: number, to: number])[],
): number {
	let all = 0;
	let common = 0;
	for (let at = 0; at < bytes.length; at += 1) {
		const byte = bytes[at] ?? 0;
		if (byte >= 0x80) {
			all += 1;
			common += ranges.some(([from, to]) => byte >= from && byte <= to) ? 1 : 0;
			at += 1;
		}
	}
	return all === 0 ? 0 : common / all;
}

/** Returns the share of words with other than ASCII characters that are written in one script with usual capitals. */
function plausibleShare(text: string): number {
	const words = text.split(/[\p{Cc} -@[-`{-~]+/u).filter(word => /\P{ASCII}/u.test(word));
	return words.length === 0 ? 0 : words.filter(isPlausible).length / words.length;
}

const scripts = [
	/^\p{Script=Latin}+$/u,
	/^\p{Script=Cyrillic}+$/u,
	/^\p{Script=Greek}+$/u,
	/^\p{Script=Hebrew}+$/u,
	/^\p{Script=Arabic}+$/u,
	/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+$/u,
	/^\p{Script=Hangul}+$/u,
];

/** Characters other than letters that occur in texts of any language. */
const typographic = /[–—‘’‚“”„…•€£¥§°²³½«»·×\u{A0}、。「」（），：；！？０-９]/gu;

function isPlausible(word: string): boolean {
	const letters = word.replaceAll(typographic, "");
	if (letters === "") {
		return true;
	}
	const foreign = letters.replaceAll(/[A-Za-z]/g, "").length;
	return (
		scripts.some(script => script.test(letters)) &&
		!/[£€¥]\p{L}|\p{Ll}\p{Lu}/u.test(word) &&
		!(/^\p{Script=Latin}+$/u.test(letters) && letters.length > 2 && foreign > letters.length / 2)
	);
}
