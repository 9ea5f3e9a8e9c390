import * as z from "zod/mini";
import type { Clock } from "../../common/async.ts";
import type { EditPreview } from "./edits.ts";
import type { CallOrigin, EditorActions, FileChange } from "./editorActions.ts";
import { jsonSchemaOf } from "./jsonSchema.ts";
import type { PathTarget } from "../../paths/resolveTarget.ts";

/**
 * Effect of a tool on the world: `read` only looks, inside the workspace; `show` moves what the user sees; `write`
 * changes files; `paid` costs money; `question` asks the user and is its own approval; `visit` asks a server of the web;
 * `external` is whatever a tool of somebody else does.
 */
export type ToolEffect = "read" | "show" | "write" | "paid" | "question" | "visit" | "external";

/** A path a call names, and what has to be there. */
export interface PathUse {
	readonly path: string;
	readonly use: "read" | "write";
	readonly expects: "file" | "folder" | "missing" | "any";
}

/** A tool the model may ask for. Its schema is the only source of what the model is told and of what is accepted. */
export interface Tool {
	/** As the model calls it. */
	readonly name: string;
	/** As a user reads it on a card, such as «Read file». */
	readonly title: string;
	/** Written for a model. Interface §2.4. */
	readonly description: string;
	readonly effect: ToolEffect;
	/** JSON Schema of the arguments, made from the zod schema. */
	readonly parameters: ToolParameters;
	/** Checks arguments without changing them; the problems are at most three. Row U7. */
	accept(input: unknown): AcceptedInput;
}

/** Arguments that fit the schema, as what they ask for; or where they do not fit. */
export type AcceptedInput =
	| { readonly ok: true; readonly request: ToolRequest }
	| { readonly ok: false; readonly problems: readonly string[] };

/** A call whose arguments are valid. */
export interface ToolRequest {
	/** The paths it names, in the order `plan` gets their targets. */
	readonly paths: readonly PathUse[];
	/** Looks at what is there and says exactly what would happen. Changes nothing. Throws `ToolFailure`. */
	plan(targets: readonly PathTarget[], dependencies: ToolDependencies): Promise<ToolPlan>;
}

/** Dependencies of a tool. */
export interface ToolDependencies {
	readonly editor: EditorActions;
	/** Passes a path found on the way through the rules for paths; undefined for one they refuse. */
	readonly look: (path: string) => PathTarget | undefined;
	/**
	 * The file at a path found on the way, when the model may be told of it without asking: the path is allowed, its name
	 * promises no secrets, the user did not exclude it, and it has no other names.
	 */
	readonly tellable: (path: string) => PathTarget | undefined;
	/** Passes a path a plan found itself, such as the open file's, through every rule. Throws `ToolFailure`. */
	readonly resolve: (use: PathUse) => PathTarget;
	readonly callId: string;
	/** The question of a chat that the call was made for, if any. */
	readonly askedBelow: CallOrigin | undefined;
	/** Whether the user typed this very address in the chat that the call was made for. */
	readonly isTyped: (address: string) => boolean;
	readonly clock: Clock;
	readonly signal: AbortSignal;
}

/** Whose tool a call is for, and what stands for its name, description and schema. */
export interface ExternalCall {
	readonly server: string;
	readonly tool: string;
	readonly digest: string;
}

/** Exactly what a call would do now. */
export interface ToolPlan {
	/** One line for the card. */
	readonly summary: string;
	/** Preview of a change for the user. */
	readonly preview?: EditPreview;
	/** Things to say aloud before it is allowed. */
	readonly warnings?: readonly string[];
	/** All that decides what happens, apart from the tool, its arguments and its targets; the approval is bound to it. */
	readonly binding?: readonly string[];
	/** The video it would have made, for its card. */
	readonly clip?: { readonly prompt: string; readonly seconds: number | undefined };
	/** The address that a visit asks; it is asked about unless the user typed it or allowed it in the chat. */
	readonly address?: string;
	/** The tool of somebody else that would be called. */
	readonly external?: ExternalCall;
	/** Targets that are not named by the arguments; judged and bound like those that are. */
	readonly targets?: readonly PathTarget[];
	/** Whether `warnings` speak of the secrets in what a reader tells; otherwise they are masked in its result. */
	readonly isAskedForSecrets?: boolean;
	/** Changes to files with these hunks taken, all when undefined; left out by plans that change none. */
	changes?(hunks: ReadonlySet<number> | undefined): readonly FileChange[];
	/**
	 * Does it, and returns what the model is told, or what would have to be done next, which is judged as this was. `hunks` are
	 * those the user chose, all when undefined.
	 */
	run(
		dependencies: ToolDependencies,
		hunks: ReadonlySet<number> | undefined,
	): Promise<string | ToolPlan>;
}

const parametersSchema = z.looseObject({
	type: z.literal("object"),
	properties: z.record(z.string(), z.looseObject({})),
	required: z.optional(z.array(z.string())),
});

/** The JSON Schema of a tool's arguments. Interface §2.4. */
export type ToolParameters = z.infer<typeof parametersSchema>;

/** How a tool is written down. */
export interface ToolDefinition<Schema extends z.ZodMiniType> extends Pick<
	Tool,
	"name" | "title" | "description" | "effect"
> {
	readonly schema: Schema;
	/** The paths arguments name; left out by tools that name none. */
	paths?(input: z.infer<Schema>): readonly PathUse[];
	plan(
		input: z.infer<Schema>,
		targets: readonly PathTarget[],
		dependencies: ToolDependencies,
	): Promise<ToolPlan> | ToolPlan;
}

/** At most this many problems of a call are told. Row U7. */
const maxProblems = 3;

/** Makes a tool of its definition. */
export function defineTool<Schema extends z.ZodMiniType>(definition: ToolDefinition<Schema>): Tool {
	const { name, description, effect, schema } = definition;
	const parameters = parametersSchema.parse(jsonSchemaOf(schema));
	return {
		name,
		// Looked up when it is shown: a definition is before the language is known.
		get title() {
			return definition.title;
		},
		description,
		effect,
		parameters,
		accept: value => {
			const parsed = z.safeParse(schema, value);
			if (!parsed.success) {
				return { ok: false, problems: parsed.error.issues.slice(0, maxProblems).map(problemOf) };
			}
			const input = parsed.data;
			return {
				ok: true,
				request: {
					paths: definition.paths?.(input) ?? [],
					plan: async (targets, context) => definition.plan(input, targets, context),
				},
			};
		},
	};
}

function problemOf(issue: z.core.$ZodIssue): string {
	const place = issue.path.map(String).join(".") || "arguments";
	switch (issue.code) {
		case "unrecognized_keys":
			return `${place}: does not take ${issue.keys.slice(0, maxProblems).join(", ").slice(0, 100)}`;
		case "invalid_type":
			return `${place}: must be ${issue.expected}`;
		case "too_small":
			return `${place}: must be at least ${String(issue.minimum)}`;
		case "too_big":
			return `${place}: must be at most ${String(issue.maximum)}`;
		case "invalid_value":
			return `${place}: must be one of ${issue.values.map(String).join(", ").slice(0, 200)}`;
		default:
			return `${place}: ${issue.message}`;
	}
}
