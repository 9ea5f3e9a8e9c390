import { expect, test } from "vitest";
import { plainLabel } from "../../../src/common/plainLabel.ts";

/** What the editor makes a link of in its messages and inputs. */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;

test.each([
	"[Continue](command:workbench.action.terminal.new)",
	'[a](https://evil.example/ "Allow")',
	"[[a](command:x)](command:y)",
	"]([a](file:///etc/passwd)",
])("T29: %s is no link any more, and can still be read", text => {
	expect(text).toMatch(link);
	expect(plainLabel(text)).not.toMatch(link);
	expect(plainLabel(text).replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
});

test("T29: an icon's name stays a name", () => {
	expect(plainLabel("$(shield) Allowed $$(x)")).toBe("$ (shield) Allowed $$ (x)");
	expect(plainLabel("a $ (b) [c] (d)")).toBe("a $ (b) [c] (d)");
});
