/**
 * Text of a model, a service or a file for the editor's own messages and inputs, where `[words](command:…)` would become a link
 * that runs a command, and `$(name)` an icon: neither comes to life, and every word stays readable (threat T29).
 */
export function plainLabel(text: string): string {
	return text.replaceAll("](", "] (").replaceAll("$(", "$ (");
}
