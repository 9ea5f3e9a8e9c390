/** Parts of a picture that a clip can come nearer to, from the top left; `own` is one that the address names otherwise. */
const places = {
	topLeft: [0, 0],
	top: [30, 0],
	topRight: [60, 0],
	left: [0, 30],
	middle: [30, 30],
	right: [60, 30],
	bottomLeft: [0, 60],
	bottom: [30, 60],
	bottomRight: [60, 60],
} as const;

/** Width and height of a part, in percent of the picture. */
const size = 40;

/** The parts that a user can choose; `whole` names none. */
export const picturePoints = [
	"whole",
	...(["topLeft", "top", "topRight", "left", "middle", "right"] as const),
	...(["bottomLeft", "bottom", "bottomRight"] as const),
] as const;
export type PicturePoint = (typeof picturePoints)[number] | "own";

/** A part as in an address. @see https://www.w3.org/TR/media-frags/#naming-space */
const fragment = /(#|&)xywh=[^&]*/;

const fragmentOf = ([x, y]: readonly [number, number]): string =>
	`xywh=percent:${x},${y},${size},${size}`;

/** Returns the part that an address names. */
export function partOf(address: string): PicturePoint {
	const [found] = fragment.exec(address) ?? [];
	if (found === undefined) {
		return "whole";
	}
	return (
		picturePoints.find(part => part !== "whole" && fragmentOf(places[part]) === found.slice(1)) ??
		"own"
	);
}

/** Returns an address that names a part in place of another; of `own` unchanged. */
export function withPart(address: string, part: PicturePoint): string {
	if (part === "own") {
		return address;
	}
	const bare = address.replace(fragment, "").replace(/#$/, "");
	return part === "whole"
		? bare
		: `${bare}${bare.includes("#") ? "&" : "#"}${fragmentOf(places[part])}`;
}
