/**
 * Small parts without a subject of their own: menus, sizes, names of models, targets of links, the focus.
 * In: values.
 * Out: elements.
 */
export { formatBytes } from "./byteSize.ts";
export { keepFocus } from "./focusKeeper.ts";
export { createLinkTarget } from "./linkTarget.ts";
export { demoName, modelName, renderModelName, renderModelOption } from "./modelName.ts";
