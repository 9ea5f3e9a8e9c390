/**
 * Which file a path means, and whether it may be touched: how a path is written, where its links lead, which
 * names are sensitive, what ignore rules leave out, whether bytes there are text.
 * In: a path as a model, a user or a document wrote it, and the folders of the workspace.
 * Out: a `PathTarget` inside the workspace, or the reason why there is none, in words for the model and for the user.
 */
export { createIgnoreMatcher, type IgnoreFile, plainFolderGlobs } from "./gitIgnore.ts";
export { createGlobExclusion } from "./globExclusion.ts";
export { globalIgnoreText, ownGitHome } from "./globalIgnore.ts";
export { openedPath } from "./openedPath.ts";
export { absolutePathRefusal, pathInFolder, pathPlatform } from "./pathForm.ts";
export { pathFormWords } from "./pathFormWords.ts";
export { type PathRefusal, refusalMessages } from "./pathMessages.ts";
export { refusalWords, sensitiveFileMessage } from "./pathWords.ts";
export { readRepositoryIgnore } from "./repositoryIgnore.ts";
export {
	distinctRoots,
	isSameTarget,
	type WorkspacePaths,
	resolveTarget,
	type PathTarget,
} from "./resolveTarget.ts";
export { isInDependency, secretRule, sensitiveReason } from "./sensitivePaths.ts";
export { isUnmarkedUtf16 } from "./textBytes.ts";
