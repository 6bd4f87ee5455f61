/**
 * Writes each part of the OpenAPI document once: what occurs again becomes a component that its places refer to. So does every object,
 * since generators would give it a name of their own.
 */
import { pascalCase } from '../../domain/words.ts';
import { isObject, type Json } from './forms.ts';

/** Parts shorter than this, in characters of JSON, are hardly longer than a reference. */
const SHORTEST = { schema: 120, parameter: 60 };

interface Part {
  readonly node: Json;
  /** Names for its component, the best one first. */
  readonly names: readonly string[];
  uses: number;
}

/** A section of the components, and what becomes one of it. */
interface Section {
  readonly components: Json;
  readonly shortest: number;
  readonly name: 'schemas' | 'parameters';
}

/** Operations of a document: paths and webhooks. */
type Items = Readonly<Record<string, Readonly<Record<string, Json>>>>;

/**
 * Moves repeated parameters, and of schemas all objects and repeated choices, to the components.
 * @param document is changed
 */
export function shareParts(document: {
  readonly paths: Items;
  readonly webhooks?: Items;
  readonly components: { readonly schemas: Json; readonly parameters: Json };
}): void {
  const { schemas, parameters } = document.components;
  const operationsIn = (items: Items) => Object.values(items).flatMap((item) => Object.values(item));
  const operations = operationsIn(document.paths);
  // Not those of webhooks, which generators of clients leave out.
  shareParameters(operations, { components: parameters, shortest: SHORTEST.parameter, name: 'parameters' });
  const places: (readonly [owner: string, node: unknown])[] = [
    ...Object.entries(schemas).map(([title, schema]) => [title, schema] as const),
    ...Object.entries(parameters).map(([name, parameter]) => [pascalCase(name), parameter] as const),
    ...[...operations, ...operationsIn(document.webhooks ?? {})].map((one) => [ownerName(one), one] as const),
  ];
  shareSchemas(places, { components: schemas, shortest: SHORTEST.schema, name: 'schemas' });
}

/** The record that an operation is about, or what it does: listItems gives Items. */
function ownerName({ operationId }: Json): string {
  const id = String(operationId);
  return pascalCase(id.replace(/^list(?=[A-Z])/, ''));
}

function shareParameters(operations: readonly Json[], section: Section): void {
  const parts = new Map<string, Part>();
  const inline = (node: Json) => node.$ref === undefined;
  for (const operation of operations) {
    for (const parameter of (operation.parameters as Json[]).filter(inline)) {
      // Some generators make types of parameters too, which must not be called like schemas.
      const name = `${parameter.in}${pascalCase(String(parameter.name))}`;
      count(parts, JSON.stringify(parameter), parameter, [name, `${name}Of${ownerName(operation)}`]);
    }
  }
  const shared = placed(parts, section);
  for (const operation of operations) {
    operation.parameters = (operation.parameters as Json[]).map((one) => shared.get(JSON.stringify(one)) ?? one);
  }
}

function shareSchemas(places: readonly (readonly [string, unknown])[], section: Section): void {
  const parts = new Map<string, Part>();
  for (const [owner, node] of places) findWithin(node as Json, { owner, within: owner, member: '' }, parts);
  const shared = placed(parts, section);
  for (const [, node] of places) replaceSchemas(node, shared);
  for (const { node } of parts.values()) replaceSchemas(node, shared);
}

/** Where a schema is, from which its name follows. */
interface Place {
  /** The component or operation. */
  readonly owner: string;
  /** The owner with the members on the way. */
  readonly within: string;
  readonly member: string;
}

/** Counts the parts of a section; what is within a part counts once, however often the part occurs. */
function findSchemas(node: unknown, place: Place, parts: Map<string, Part>): void {
  if (Array.isArray(node)) for (const entry of node) findSchemas(entry, place, parts);
  if (!isObject(node)) return;
  if (!isPart(node)) {
    findWithin(node, place, parts);
    return;
  }
  const form = bare(node);
  const name = pascalCase(place.member);
  const within = `${place.within}${name}`;
  if (count(parts, JSON.stringify(form), form, [`${place.owner}${name}`, name, within]) === 1)
    findWithin(node, { ...place, within }, parts);
}

function findWithin(node: Json, place: Place, parts: Map<string, Part>): void {
  const { member } = place;
  for (const [key, value] of Object.entries(node)) {
    if (key === 'properties') {
      for (const [name, schema] of Object.entries(value as Json))
        findSchemas(schema, { ...place, member: name }, parts);
    } else if (key === 'items') findSchemas(value, { ...place, member: singular(member) }, parts);
    else if (key === 'additionalProperties') findSchemas(value, { ...place, member: `${member}Value` }, parts);
    else if (!DATA.has(key)) findSchemas(value, { ...place, member: memberAt(key, node) ?? member }, parts);
  }
}

/** The member that a keyword begins: a body, an answer or a parameter. */
function memberAt(key: string, { name }: Json): string | undefined {
  if (key === 'requestBody') return 'body';
  if (key === 'responses') return 'answer';
  return key === 'schema' && name !== undefined ? String(name) : undefined;
}

/** Replaces the parts within a node by references. */
function replaceSchemas(node: unknown, shared: ReadonlyMap<string, Json>): void {
  if (!isObject(node) && !Array.isArray(node)) return;
  for (const [key, value] of Object.entries(node)) {
    if (DATA.has(key) && !Array.isArray(node)) continue;
    const reference = isPart(value) ? shared.get(JSON.stringify(bare(value))) : undefined;
    if (reference === undefined) replaceSchemas(value, shared);
    else (node as Json)[key] = referring(value as Json, reference);
  }
}

/** A reference in the place of a schema, with what belongs to the place. */
function referring({ type, description, readOnly }: Json, reference: Json): Json {
  const target = Array.isArray(type) && type.includes('null') ? { anyOf: [reference, { type: 'null' }] } : reference;
  return {
    ...target,
    ...(description === undefined ? {} : { description }),
    ...(readOnly === undefined ? {} : { readOnly }),
  };
}

/** Whether a schema may become a component: an object with members, or a choice. */
function isPart(node: unknown): node is Json {
  return isObject(node) && (isObject(node.properties) || Array.isArray(node.enum)) && node.const === undefined;
}

/** A schema without what belongs to its place: its description, and whether it may be null or written. */
function bare({ description, readOnly, ...form }: Json): Json {
  const types = [form.type].flat().filter((type) => type !== 'null');
  if (types.length > 0) form.type = types.length === 1 ? types[0] : types;
  if (Array.isArray(form.enum)) form.enum = form.enum.filter((word) => word !== null);
  return form;
}

/** @returns how often it has occurred */
function count(parts: Map<string, Part>, key: string, node: Json, names: readonly string[]): number {
  const part = parts.get(key) ?? { node, names, uses: 0 };
  part.uses++;
  parts.set(key, part);
  return part.uses;
}

/** Makes components of parts, the most frequent first. @returns the references to them */
function placed(parts: ReadonlyMap<string, Part>, { components, shortest, name: section }: Section): Map<string, Json> {
  const references = new Map<string, Json>();
  const chosen = [...parts].filter(
    ([key, { node, uses }]) => isObject(node.properties) || (uses > 1 && key.length > shortest),
  );
  for (const [key, { node, names }] of chosen.sort(([, one], [, other]) => other.uses - one.uses)) {
    const name = names.find((candidate) => /^[A-Za-z]/.test(candidate) && components[candidate] === undefined);
    if (name === undefined) continue;
    components[name] = node;
    references.set(key, { $ref: `#/components/${section}/${name}` });
  }
  return references;
}

function singular(name: string): string {
  return name
    .replace(/ies$/, 'y')
    .replace(/(x|ss)es$/, '$1')
    .replace(/(?<!s)s$/, '');
}

/** Keywords whose values are data or lead to no schema; generators take the members of a form from where it is sent. */
const DATA = new Set([
  ...['const', 'enum', 'default', 'example', 'examples', 'required', 'x-synonyms', 'x-codes'],
  'multipart/form-data',
]);
