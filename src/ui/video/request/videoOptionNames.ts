import * as l10n from "@vscode/l10n";

/** Words for the amounts of motion, 1 to 5. Interface §4.1, field `motion_strength`. */
export function motionWords(): readonly string[] {
	return [l10n.t("Very low"), l10n.t("Low"), l10n.t("Medium"), l10n.t("High"), l10n.t("Very high")];
}

/** The most motion there is. */
const mostMotion = 5;

/** An amount of motion in words: «Motion 3 of 5». */
export function motionName(strength: number): string {
	return l10n.t("Motion {0} of {1}", strength, mostMotion);
}
