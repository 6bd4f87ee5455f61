/** Schemas in forms that all generators of clients know (decision 0290). */
import { DECIMAL_LIMIT } from '../../services/platform/validation/schemas.ts';

export type Json = Record<string, unknown>;

/**
 * Rewrites a schema.
 * @param placed is changed
 * @param node the schema as it was declared
 */
export function writePlainly(placed: Json, node: Json): void {
  if (node.decimalPlaces !== undefined) addBounds(placed);
  allowAnyMembers(placed);
  splitTypes(placed);
  plainChoices(placed);
  if (node.discriminator !== undefined) plainUnion(placed, node);
}

/** Adds bounds to every decimal without its own. The number of places is not a bound that a float could meet. */
function addBounds(schema: Json): void {
  if (schema.maximum === undefined) schema.exclusiveMaximum = DECIMAL_LIMIT;
  if (schema.minimum === undefined && schema.exclusiveMinimum === undefined) schema.exclusiveMinimum = -DECIMAL_LIMIT;
}

/** The numbers of a choice that may be null, too. */
export function numbersToChoose({ enum: choices, type }: Json): number[] | undefined {
  if (!Array.isArray(choices) || !Array.isArray(type) || type.includes('string')) return undefined;
  return choices.filter((choice): choice is number => choice !== null);
}

/** Writes a choice of numbers or null as a range, and leaves out the only truth value: generators take null for a number, true for text. */
function plainChoices(schema: Json): void {
  if (schema.const === true) delete schema.const;
  const numbers = numbersToChoose(schema);
  if (numbers === undefined) return;
  delete schema.enum;
  schema.minimum = Math.min(...numbers);
  schema.maximum = Math.max(...numbers);
}

/** Leaves only the alternatives of a union by type, with the value of each: some generators mistake other keywords for a type. */
function plainUnion(placed: Json, node: Json): void {
  for (const keyword of ['type', 'properties', 'required', 'additionalProperties']) delete placed[keyword];
  const { propertyName } = node.discriminator as { propertyName: string };
  const references = (placed.oneOf as { $ref: string }[]).map(({ $ref }) => $ref);
  const mapping = Object.fromEntries(
    (node.oneOf as { properties: Record<string, Json> }[]).map(({ properties }, index) => [
      properties[propertyName]?.const,
      references[index],
    ]),
  );
  placed.discriminator = { propertyName, mapping };
}

const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  string: ['format', 'maxLength', 'minLength', 'pattern'],
  array: ['items', 'maxItems', 'minItems'],
  object: ['additionalProperties', 'properties', 'required'],
};

/** Writes several types as alternatives, each with its own keywords: generators know a list of types only where one is null. */
function splitTypes(schema: Json): void {
  const types = [schema.type].flat();
  if (types.filter((type) => type !== 'null').length < 2) return;
  delete schema.type;
  // Beside another type, no form of an object with any members suits every generator.
  if (!types.includes('object') || schema.properties !== undefined) {
    schema.anyOf = types.map((type) => {
      const own = (KEYWORDS[String(type)] ?? []).filter((keyword) => schema[keyword] !== undefined);
      return { type, ...Object.fromEntries(own.map((keyword) => [keyword, schema[keyword]])) };
    });
  }
  for (const keyword of Object.values(KEYWORDS).flat()) delete schema[keyword];
}

/**
 * Allows members of any name in a form that every generator accepts: openapi-generator fails if their values have no
 * schema.
 */
function allowAnyMembers(schema: Json): void {
  const { patternProperties, properties } = schema;
  if (isObject(patternProperties) && patternProperties[ANY_NAME] !== undefined) {
    delete schema.patternProperties;
    schema.additionalProperties = patternProperties[ANY_NAME];
  }
  const { additionalProperties: others } = schema;
  const unsaid = others === true || (isObject(others) && Object.keys(others).length === 0);
  if (!unsaid || (isObject(properties) && Object.keys(properties).length > 0)) return;
  delete schema.properties;
  schema.additionalProperties = { description: 'Any value' };
}

const ANY_NAME = '^.*$';

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
