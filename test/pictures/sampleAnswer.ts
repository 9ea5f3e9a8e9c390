import { type ScriptedModel, throughLocalService } from "../helpers/scriptedModel.ts";

/** What the model of the pictures answers. */
export const greeting = `A greeting that counts the letters of a name:

\`\`\`ts
/** Greets somebody, and says how long the name is. */
export function greet(name: string): string {
	const letters = [...name].length;
	return \`Hello, \${name}! Your name has \${letters} letters.\`;
}
\`\`\`

It counts what a reader sees as letters, not code units.`;

/** Settings with which the scripted model has the name of a model that people run. */
export function throughRealName(model: ScriptedModel): Readonly<Record<string, unknown>> {
	model.ids = ["Qwen3-4B"];
	return throughLocalService(model, "lmstudio/Qwen3-4B");
}
