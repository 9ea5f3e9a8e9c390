/**
 * The script inside a diagram's frame: `frame/main.ts` with its dependencies, as text, because the frame can't load anything. The build inserts it;
 * without the build there are no diagrams.
 */
export const frameSource: string = "";
