/** A provider of models that is used with the user's own key. */
export interface ModelProvider {
	readonly title: string;
	readonly name: string;
	/** Its OpenAI-compatible base URL. */
	readonly baseUrl: string;
	readonly keysPage: string;
}

/** The providers offered by name. None is contacted before the user enters a key for it. */
export const modelProviders: readonly ModelProvider[] = [
	{
		title: "OpenRouter",
		name: "openrouter",
		baseUrl: "https://openrouter.ai/api/v1",
		keysPage: "https://openrouter.ai/settings/keys",
	},
	{
		title: "OpenAI",
		name: "openai",
		baseUrl: "https://api.openai.com/v1",
		keysPage: "https://platform.openai.com/api-keys",
	},
	{
		title: "Anthropic",
		name: "anthropic",
		baseUrl: "https://api.anthropic.com/v1",
		keysPage: "https://console.anthropic.com/settings/keys",
	},
	{
		title: "Google",
		name: "google",
		baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
		keysPage: "https://aistudio.google.com/apikey",
	},
	{
		title: "Groq",
		name: "groq",
		baseUrl: "https://api.groq.com/openai/v1",
		keysPage: "https://console.groq.com/keys",
	},
	{
		title: "Mistral",
		name: "mistral",
		baseUrl: "https://api.mistral.ai/v1",
		keysPage: "https://console.mistral.ai/api-keys",
	},
	{
		title: "DeepSeek",
		name: "deepseek",
		baseUrl: "https://api.deepseek.com/v1",
		keysPage: "https://platform.deepseek.com/api_keys",
	},
	{
		title: "Together",
		name: "together",
		baseUrl: "https://api.together.xyz/v1",
		keysPage: "https://api.together.ai/settings/api-keys",
	},
	{ title: "xAI", name: "xai", baseUrl: "https://api.x.ai/v1", keysPage: "https://console.x.ai" },
];
