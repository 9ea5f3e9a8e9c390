import * as z from "zod/mini";
import { ToolFailure } from "../../common/errors.ts";
import type { Clock } from "../../common/async.ts";
import type { EditPreview } from "./edits.ts";
import type { CallOrigin, EditorActions, FileChange } from "./editorActions.ts";
import { jsonSchemaOf } from "./schemaProblems.ts";
import type { PathTarget } from "../../paths/resolveTarget.ts";

/**
 * Effect of a tool. `read` reads inside the workspace; `show` changes what the user sees; `write` changes files; `paid` costs money; `question` asks
 * the user and is its own approval; `visit` requests from a web server; `external` is anything that a foreign tool does. `read` and `show` run
 * without asking unless their plan has warnings; the others ask, except for `question` and for a page whose address the user typed.
 */
export type ToolEffect = "read" | "show" | "write" | "paid" | "question" | "visit" | "external";

/** A path in a call, and what is expected there. */
export interface PathUse {
	readonly path: string;
	readonly use: "read" | "write";
	readonly expects: "file" | "folder" | "missing" | "any";
}

/** A tool for the model. Its schema is the only source of what the model is told and what is accepted. */
export interface Tool {
	readonly name: string;
	/** Title on cards, such as “Read file”. */
	readonly title: string;
	/** Description for the model. docs/interface.md §2.4. */
	readonly description: string;
	readonly effect: ToolEffect;
	/** JSON Schema of the arguments, generated from the zod schema. */
	readonly parameters: ToolParameters;
	/** Validates arguments without changing them. Returns at most three problems. */
	accept(input: unknown): AcceptedInput;
}

/** A request with valid arguments, or their problems. */
export type AcceptedInput =
	| { readonly ok: true; readonly request: ToolRequest }
	| { readonly ok: false; readonly problems: readonly string[] };

export interface ToolRequest {
	/** Paths in the call, in the order of the targets passed to `plan`. */
	readonly paths: readonly PathUse[];
	/** Examines the current state and returns exactly what the call would do. Changes nothing. Throws `ToolFailure`. */
	plan(targets: readonly PathTarget[], dependencies: ToolDependencies): Promise<ToolPlan>;
}

export interface ToolDependencies {
	readonly editor: EditorActions;
	/** Resolves a further path by the path rules. Returns undefined if they refuse it. */
	readonly look: (path: string) => PathTarget | undefined;
	/**
	 * Resolves a further path if the model may learn of it without approval: the path is allowed, its name doesn't suggest secrets, the user hasn't
	 * excluded it, and it has no further hard links.
	 */
	readonly tellable: (path: string) => PathTarget | undefined;
	/** Resolves a path that a plan found itself, such as the open file's, by all rules. Throws `ToolFailure`. */
	readonly resolve: (use: PathUse) => PathTarget;
	readonly callId: string;
	readonly chatId: string;
	/** The chat question for which the call was made. */
	readonly askedBelow: CallOrigin | undefined;
	/** Whether the user typed this exact URL in the chat. */
	readonly isTyped: (address: string) => boolean;
	readonly clock: Clock;
	readonly signal: AbortSignal;
}

/** A foreign tool, and a digest of its name, description and schema. */
export interface ExternalCall {
	readonly server: string;
	readonly tool: string;
	/** Its name in the editor, where the names above are a guess from it. */
	readonly wholeName?: string;
	readonly digest: string;
}

/** Exactly what a call would do at the moment. */
export interface ToolPlan {
	readonly summary: string;
	readonly preview?: EditPreview;
	readonly warnings?: readonly string[];
	/** Further data that determines the effect, besides the tool, its arguments and targets. The approval is bound to it. */
	readonly binding?: readonly string[];
	/** The video to generate. Its length is that of the service if undefined, its shape unknown. */
	readonly clip?: {
		readonly prompt: string;
		readonly seconds: number | undefined;
		readonly shape: string | undefined;
	};
	/** URL of a visit. Needs approval unless the user typed it or allowed it in the chat. */
	readonly address?: string;
	readonly external?: ExternalCall;
	/** Targets not named by the arguments. They are checked and bound in the same way. */
	readonly targets?: readonly PathTarget[];
	/** Whether `warnings` mention secrets in the result. Otherwise they are masked. */
	readonly isAskedForSecrets?: boolean;
	/** Returns the file changes with these hunks, or with all if undefined. Absent in plans that change no files. */
	changes?(hunks: ReadonlySet<number> | undefined): readonly FileChange[];
	/** Runs the plan. Returns the result, or a next plan, which is checked as well. `hunks` are the chosen ones, or all. */
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

/** JSON Schema of a tool's arguments. docs/interface.md §2.4. */
export type ToolParameters = z.infer<typeof parametersSchema>;

interface ToolDefinition<Schema extends z.ZodMiniType> extends Pick<
	Tool,
	"name" | "description" | "effect"
> {
	/** Evaluated when shown, because the definition exists before the language is known. */
	title(): string;
	readonly schema: Schema;
	/** Returns the paths in the arguments. Absent in tools without paths. */
	paths?(input: z.infer<Schema>): readonly PathUse[];
	plan(
		input: z.infer<Schema>,
		targets: readonly PathTarget[],
		dependencies: ToolDependencies,
	): Promise<ToolPlan> | ToolPlan;
}

const maxProblems = 3;

export function defineTool<Schema extends z.ZodMiniType>(definition: ToolDefinition<Schema>): Tool {
	const { name, description, effect, schema } = definition;
	const parameters = parametersSchema.parse(jsonSchemaOf(schema));
	return {
		name,
		get title() {
			return definition.title();
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

/** Record of a call, written before it runs. docs/faults.md, class T. */
export interface LedgerEntry {
	readonly callId: string;
	readonly tool: string;
	readonly fingerprint: string;
}

/** Persistent record of calls. */
export interface ToolLedger {
	/** Resolves once the entry is on disk. The call must not run before. Rejects if the entry can't be written. */
	begin(entry: LedgerEntry): Promise<void>;
}

/** Returns the target of a call that names one path. */
export function only(targets: readonly PathTarget[]): PathTarget {
	const [target] = targets;
	if (!target) {
		throw new ToolFailure("The call names no file.");
	}
	return target;
}
