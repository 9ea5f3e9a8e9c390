/**
 * Escapes text of a model, a service or a file for the editor's messages and inputs, where `[words](command:…)` would become a link that runs a
 * command and `$(name)` an icon. docs/security.md.
 */
export function plainLabel(text: string): string {
	return text.replaceAll("](", "] (").replaceAll("$(", "$ (");
}
