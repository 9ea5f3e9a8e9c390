import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openedPath } from "../../../src/paths/openedPath.ts";
import { makeTempFolder } from "../../helpers/tempFolder.ts";

test("a file of a folder that was opened by a link is named below the link, any other as it is", async () => {
	const base = realpathSync(await makeTempFolder());
	mkdirSync(join(base, "real"));
	symlinkSync(join(base, "real"), join(base, "link"));
	const roots = [join(base, "gone"), join(base, "link")];
	expect(openedPath(join(base, "real", "src", "a.ts"), roots)).toBe(
		join(base, "link", "src", "a.ts"),
	);
	expect(openedPath(join(base, "really", "a.ts"), roots)).toBe(join(base, "really", "a.ts"));
	expect(openedPath(join(base, "real", "a.ts"), [join(base, "real")])).toBe(
		join(base, "real", "a.ts"),
	);
});
