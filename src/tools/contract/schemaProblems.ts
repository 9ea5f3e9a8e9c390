import * as z from "zod/mini";
import { isRecord } from "../../common/json.ts";

/** A JSON Schema from another author. */
type ForeignSchema = Readonly<Record<string, unknown>>;

/** The deepest nesting of schemas, including recursion. */
const maxDepth = 40;

/** How many comparisons with a value of an enumeration count as one evaluation. */
const comparisonsPerStep = 20;

/** The most schemas to evaluate for a value, because alternatives that refer to each other could continue forever. */
const maxSteps = 20_000;

/**
 * Returns where a value violates a foreign JSON Schema, in words for a model. Supports types, enumerations, objects, arrays, bounds, combinations and
 * internal references of any draft. Leaves `pattern` and `format` to the tool, because a foreign pattern could block the editor forever.
 */
export function schemaProblems(schema: ForeignSchema, value: unknown): readonly string[] {
	return problemsAt(
		{ root: schema, place: "", depth: 0, steps: { left: maxSteps } },
		schema,
		value,
	);
}

/**
 * Returns a value without members that are null where the schema neither requires them nor allows null, because models write null for what they leave
 * out. Other values stay as they are.
 */
export function withoutNulls(root: ForeignSchema, value: unknown): unknown {
	return keptOf({ root, place: "", depth: 0, steps: { left: maxSteps } }, root, value, maxDepth);
}

function keptOf(position: SchemaPosition, given: unknown, value: unknown, depth: number): unknown {
	if (depth === 0 || typeof value !== "object" || value === null) {
		return value;
	}
	const parts = partsOf(position, given, depth);
	const kept = Array.isArray(value)
		? value.map((item, index) =>
				parts.reduce<unknown>(
					(at, part) => keptOf(position, itemSchema(part, index), at, depth - 1),
					item,
				),
			)
		: keptMembers(position, parts, Object.entries(value), depth);
	// Of alternatives, the first one that the value then fits.
	return parts
		.flatMap(part => [listIn(part, "anyOf"), listIn(part, "oneOf")])
		.reduce<unknown>((at, alternatives) => {
			for (const each of alternatives) {
				const fitting = keptOf(position, each, at, depth - 1);
				if (problemsAt(position, each, fitting).length === 0) {
					return fitting;
				}
			}
			return at;
		}, kept);
}

function keptMembers(
	position: SchemaPosition,
	parts: readonly ForeignSchema[],
	members: readonly (readonly [string, unknown])[],
	depth: number,
): Readonly<Record<string, unknown>> {
	const needed = new Set(parts.flatMap(part => listIn(part, "required")));
	const kept = members.flatMap(([name, member]): [string, unknown][] => {
		const known = parts.flatMap(({ properties }) =>
			isRecord(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [],
		);
		const isLeftOut =
			member === null &&
			!needed.has(name) &&
			known.some(each => problemsAt(position, each, null).length > 0) &&
			position.steps.left >= 0;
		const others = parts.map(part => part["additionalProperties"]);
		const schemas = known.length > 0 ? known : others;
		return isLeftOut
			? []
			: [
					[
						name,
						schemas.reduce<unknown>((at, each) => keptOf(position, each, at, depth - 1), member),
					],
				];
	});
	return Object.fromEntries(kept);
}

/** Returns the schemas that hold for a value together: a schema with what it refers to, and all of its `allOf`. */
function partsOf(
	position: SchemaPosition,
	schema: unknown,
	depth: number,
): readonly ForeignSchema[] {
	const { root, steps } = position;
	steps.left -= 1;
	if (!isRecord(schema) || depth === 0 || steps.left < 0) {
		return [];
	}
	const { $ref } = schema;
	const others = [
		...(typeof $ref === "string" ? [referred(root, $ref)] : []),
		...listIn(schema, "allOf"),
	];
	return [schema, ...others.flatMap(each => partsOf(position, each, depth - 1))];
}

function listIn(schema: ForeignSchema, name: string): readonly unknown[] {
	const found = schema[name];
	return Array.isArray(found) ? found : [];
}

/** Returns the schema of an item of a list. */
function itemSchema(
	{ prefixItems, items, additionalItems }: ForeignSchema,
	index: number,
): unknown {
	const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
	const others = Array.isArray(items) ? additionalItems : items;
	return index < first.length ? first[index] : others;
}

interface SchemaPosition {
	readonly root: ForeignSchema;
	readonly place: string;
	readonly depth: number;
	/** Remaining evaluations for the whole value. Negative once they are used up. */
	readonly steps: { left: number };
}

function problemsAt(position: SchemaPosition, schema: unknown, value: unknown): string[] {
	const told = (words: string): string[] => [`${position.place || "arguments"}: ${words}`];
	if (schema === false) {
		return told("is not taken");
	}
	if (!isRecord(schema)) {
		return [];
	}
	position.steps.left -= 1;
	if (position.depth > maxDepth || position.steps.left < 0) {
		return told("is nested too deep");
	}
	const { type, enum: values, nullable } = schema;
	// OpenAPI's way to allow it.
	if (nullable === true && value === null) {
		return [];
	}
	const types = (Array.isArray(type) ? type : [type]).filter(each => typeof each === "string");
	if (types.length > 0 && !types.some(each => isOfType(value, each))) {
		return told(`must be ${types.join(" or ")}`);
	}
	position.steps.left -= Array.isArray(values) ? Math.floor(values.length / comparisonsPerStep) : 0;
	if (Array.isArray(values) && !values.some(each => isSame(each, value))) {
		return told(`must be one of ${JSON.stringify(values).slice(1, 200)}`);
	}
	if ("const" in schema && !isSame(schema["const"], value)) {
		return told(`must be ${JSON.stringify(schema["const"]).slice(0, 200)}`);
	}
	return [
		...boundProblems(schema, value).flatMap(told),
		...memberProblems(position, schema, value),
		...combinationProblems(position, schema, value).flatMap(each =>
			typeof each === "string" ? told(each) : each,
		),
	];
}

/** Whether two JSON values are equal, with names in the same order. */
function isSame(one: unknown, other: unknown): boolean {
	return JSON.stringify(one) === JSON.stringify(other);
}

function isOfType(value: unknown, type: string): boolean {
	switch (type) {
		case "null":
			return value === null;
		case "array":
			return Array.isArray(value);
		case "object":
			return isRecord(value);
		case "integer":
			return Number.isInteger(value);
		default:
			return typeof value === type;
	}
}

const bounds: readonly (readonly [
	name: string,
	kind: "length" | "size" | "count" | "value",
	isKept: (found: number, bound: number) => boolean,
	words: string,
])[] = [
	["minLength", "length", (found, bound) => found >= bound, "must have at least"],
	["maxLength", "length", (found, bound) => found <= bound, "must have at most"],
	["minItems", "size", (found, bound) => found >= bound, "must hold at least"],
	["maxItems", "size", (found, bound) => found <= bound, "must hold at most"],
	["minProperties", "count", (found, bound) => found >= bound, "must hold at least"],
	["maxProperties", "count", (found, bound) => found <= bound, "must hold at most"],
	["minimum", "value", (found, bound) => found >= bound, "must be at least"],
	["maximum", "value", (found, bound) => found <= bound, "must be at most"],
	["exclusiveMinimum", "value", (found, bound) => found > bound, "must be more than"],
	["exclusiveMaximum", "value", (found, bound) => found < bound, "must be less than"],
];

function boundProblems(schema: ForeignSchema, value: unknown): string[] {
	const measures = {
		length: typeof value === "string" ? [...value].length : undefined,
		size: Array.isArray(value) ? value.length : undefined,
		count: isRecord(value) ? Object.keys(value).length : undefined,
		value: typeof value === "number" ? value : undefined,
	};
	return bounds.flatMap(([name, kind, isKept, words]) => {
		const [bound, found] = [schema[name], measures[kind]];
		const isBroken = typeof bound === "number" && found !== undefined && !isKept(found, bound);
		return isBroken ? [`${words} ${bound}`] : [];
	});
}

function memberProblems(
	position: SchemaPosition,
	schema: ForeignSchema,
	value: unknown,
): readonly string[] {
	const at = (name: string): SchemaPosition => ({
		...position,
		place: position.place === "" ? name : `${position.place}.${name}`,
		depth: position.depth + 1,
	});
	if (Array.isArray(value)) {
		return value.flatMap((item, index) =>
			problemsAt(at(String(index)), itemSchema(schema, index), item),
		);
	}
	if (!isRecord(value)) {
		return [];
	}
	const { properties, additionalProperties, patternProperties } = schema;
	const known = isRecord(properties) ? properties : {};
	const missing = listIn(schema, "required").filter(
		name => typeof name === "string" && !Object.hasOwn(value, name),
	);
	return [
		...missing.map(name => `${position.place || "arguments"}: lacks ${String(name)}`),
		...Object.entries(value).flatMap(([name, member]) => {
			const isKnown = Object.hasOwn(known, name);
			// Leaves it to the tool which names a pattern matches.
			const others = isRecord(patternProperties) ? undefined : additionalProperties;
			return problemsAt(at(name), isKnown ? known[name] : others, member);
		}),
	];
}

/** Reports problems of `allOf` and references directly; of alternatives, only that none matches or too many do. */
function combinationProblems(
	position: SchemaPosition,
	schema: ForeignSchema,
	value: unknown,
): (string | readonly string[])[] {
	const deeper = { ...position, depth: position.depth + 1 };
	const problemsOf = (each: unknown): readonly string[] => problemsAt(deeper, each, value);
	const list = (name: string): readonly unknown[] => listIn(schema, name);
	const fits = (name: string): number =>
		list(name).filter(each => problemsOf(each).length === 0).length;
	const { $ref, not } = schema;
	return [
		...list("allOf").map(problemsOf),
		...(typeof $ref === "string" ? [problemsOf(referred(position.root, $ref))] : []),
		...(list("anyOf").length > 0 && fits("anyOf") === 0
			? ["fits none of the forms it may have"]
			: []),
		...(list("oneOf").length > 0 && fits("oneOf") !== 1
			? ["must fit exactly one of the forms it may have"]
			: []),
		...(not !== undefined && problemsOf(not).length === 0 ? ["has a form that is not taken"] : []),
	];
}

/** Resolves an internal reference such as `#/$defs/name`. Returns a schema that accepts everything for other references. */
function referred(root: ForeignSchema, reference: string): unknown {
	if (reference !== "#" && !reference.startsWith("#/")) {
		return true;
	}
	const names = reference
		.split("/")
		.slice(1)
		.map(name => name.replaceAll("~1", "/").replaceAll("~0", "~"));
	return names.reduce<unknown>(
		(at, name) => (isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined),
		root,
	);
}

/** A JSON Schema, draft 7, of the kinds used by tools. */
type JsonSchema = Record<string, unknown>;

/**
 * Returns the JSON Schema of a tool's arguments. Equals the result of zod's converter, as a test checks, at a tenth of the code size. Throws
 * `TypeError` for kinds of schema that no tool uses.
 */
export function jsonSchemaOf(schema: z.core.$ZodType): JsonSchema {
	const description = z.globalRegistry.get(schema)?.description;
	return { ...shapeOf(schema), ...(description === undefined ? {} : { description }) };
}

function shapeOf(schema: z.core.$ZodType): JsonSchema {
	if (schema instanceof z.ZodMiniObject) {
		return objectOf(schema.def.shape);
	}
	if (schema instanceof z.ZodMiniOptional) {
		return jsonSchemaOf(schema.def.innerType);
	}
	if (schema instanceof z.ZodMiniArray) {
		const { min, max } = boundsOf(schema);
		const items = jsonSchemaOf(schema.def.element);
		return { type: "array", items, ...present({ minItems: min, maxItems: max }) };
	}
	if (schema instanceof z.ZodMiniString) {
		const { min, max } = boundsOf(schema);
		return { type: "string", ...present({ minLength: min, maxLength: max }) };
	}
	if (schema instanceof z.ZodMiniEnum) {
		return { type: "string", enum: Object.values(schema.def.entries) };
	}
	if (schema instanceof z.ZodMiniNumber) {
		const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = boundsOf(schema);
		return { type: "integer", minimum: min, maximum: max };
	}
	if (schema instanceof z.ZodMiniBoolean) {
		return { type: "boolean" };
	}
	throw new TypeError("No tool takes this kind of argument");
}

function objectOf(shape: Readonly<Record<string, z.core.$ZodType>>): JsonSchema {
	const entries = Object.entries(shape);
	const required = entries.filter(([, field]) => field._zod.optin !== "optional");
	return {
		type: "object",
		properties: Object.fromEntries(entries.map(([name, field]) => [name, jsonSchemaOf(field)])),
		...(required.length > 0 ? { required: required.map(([name]) => name) } : {}),
		additionalProperties: false,
	};
}

function present(fields: JsonSchema): JsonSchema {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The part of a check's definition with its limit. */
const checkSchema = z.looseObject({
	check: z.string(),
	minimum: z.optional(z.number()),
	maximum: z.optional(z.number()),
	value: z.optional(z.number()),
});

function boundsOf(schema: z.core.$ZodType): { min?: number; max?: number } {
	const bounds: { min?: number; max?: number } = {};
	for (const entry of schema._zod.def.checks ?? []) {
		const { check, minimum, maximum, value } = checkSchema.parse(entry._zod.def);
		const min = check === "greater_than" ? value : minimum;
		const max = check === "less_than" ? value : maximum;
		Object.assign(bounds, present({ min, max }));
	}
	return bounds;
}
