/** Words for the amounts of motion, 1 to 5. Interface §4.1, field `motion_strength`. */
export const motionWords = ["Very little", "Little", "Medium", "Much", "Very much"] as const;

/** An amount of motion in words: «Motion 3 of 5». */
export function motionName(strength: number): string {
	return `Motion ${strength} of ${motionWords.length}`;
}
