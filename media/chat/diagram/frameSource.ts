/**
 * The script that runs inside a diagram's frame, `frame/main.ts` with everything it needs, as text: the frame can load nothing, so
 * the page hands it over. The build puts it here; without the build there are no diagrams.
 */
export const frameSource: string = "";
