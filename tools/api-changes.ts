/**
 * Compares two descriptions of the interface by what they mean: the same form may be written in many ways.
 *
 * A change breaks clients if a request that was taken can be refused, or an answer lacks what was promised. New members of answers, and
 * new values where a member has a list of them, do not: docs/clients.md tells clients to expect both.
 */

import { placedOperations } from '../api/openapi/placed.ts';

type Json = Readonly<Record<string, unknown>>;

/** One change, and where: `GET /api/items 200 /data/price`. */
export interface ApiChange {
  readonly breaks: boolean;
  readonly operation: string;
  readonly place: string;
  readonly change: string;
}

/** A form of JSON: the union of its alternatives. */
interface Shape {
  readonly types: ReadonlySet<string>;
  /** Allowed values; null for all. */
  readonly values: ReadonlySet<string> | null;
  readonly members: ReadonlyMap<string, readonly unknown[]>;
  readonly required: ReadonlySet<string>;
  /** Whether it may have other members. */
  readonly isOpen: boolean;
  readonly entries: readonly unknown[];
  /** The widest bounds of its alternatives. */
  readonly bounds: ReadonlyMap<string, number>;
}

const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const MAX_LEVELS = 12;

/** Lists what changed between two descriptions. */
export function apiChanges(before: Json, after: Json): ApiChange[] {
  return new Comparison(before, after).run();
}

class Comparison {
  readonly #before: Json;
  readonly #after: Json;
  readonly #found: ApiChange[] = [];
  #operation = '';

  constructor(before: Json, after: Json) {
    this.#before = before;
    this.#after = after;
  }

  run(): ApiChange[] {
    const [before, after] = [operations(this.#before), operations(this.#after)];
    for (const [name, old] of before) {
      this.#operation = name;
      const now = after.get(name);
      if (now === undefined) this.#add(true, '', 'is gone');
      else this.#compareOperations(old, now);
    }
    for (const name of after.keys()) {
      this.#operation = name;
      if (!before.has(name)) this.#add(false, '', 'is new');
    }
    return this.#found;
  }

  #add(breaks: boolean, place: string, change: string): void {
    this.#found.push({ breaks, operation: this.#operation, place, change });
  }

  #compareOperations(old: Json, now: Json): void {
    const [before, after] = [this.#parameters(this.#before, old), this.#parameters(this.#after, now)];
    for (const [name, parameter] of before) {
      const place = `?${name}`;
      const other = after.get(name);
      if (other === undefined) this.#add(true, place, 'is no longer taken');
      else this.#requests([parameter.schema], [other.schema], place, 0);
    }
    for (const [name, { required }] of after) {
      if (required === true && before.get(name)?.required !== true) this.#add(true, `?${name}`, 'is required');
      else if (!before.has(name)) this.#add(false, `?${name}`, 'is taken');
    }
    const [oldBody, newBody] = [this.#body(this.#before, old), this.#body(this.#after, now)];
    if (oldBody === undefined && newBody?.required === true) this.#add(true, 'body', 'is required');
    for (const [type, schema] of content(oldBody)) {
      const other = content(newBody).get(type);
      if (other === undefined) this.#add(true, `body ${type}`, 'is no longer taken');
      else this.#requests([schema], [other], 'body ', 0);
    }
    for (const [status, answer] of Object.entries((old.responses ?? {}) as Record<string, Json>)) {
      if (!status.startsWith('2')) continue;
      const other = (now.responses as Record<string, Json> | undefined)?.[status];
      if (other === undefined) {
        this.#add(true, status, 'is no longer answered');
        continue;
      }
      const answers = content(resolve(this.#after, other));
      for (const [type, schema] of content(resolve(this.#before, answer))) {
        if (answers.has(type)) this.#answers([schema], [answers.get(type)], `${status} `, 0);
        else this.#add(true, `${status} ${type}`, 'is no longer answered');
      }
    }
  }

  /** Whatever was taken must be taken. */
  #requests(old: readonly unknown[], now: readonly unknown[], place: string, level: number): void {
    const [before, after] = [shape(this.#before, old), shape(this.#after, now)];
    for (const type of missing(before.types, after.types)) this.#add(true, place, `no longer takes ${type}`);
    if (after.values !== null) {
      const gone =
        before.values === null ? ['others'] : [...before.values].filter((value) => !after.values?.has(value));
      if (gone.length > 0 && before.types.size > 0) this.#add(true, place, `no longer takes ${gone.join(', ')}`);
    }
    for (const [name, bound] of after.bounds) {
      const was = before.bounds.get(name);
      const isNarrower = was === undefined || (UPPER.includes(name) ? bound < was : bound > was);
      if (isNarrower && sameKind(before, name))
        this.#add(true, place, `has ${name} ${bound}${was === undefined ? '' : `, not ${was}`}`);
    }
    if (level >= MAX_LEVELS) return;
    for (const [name, schemas] of before.members) {
      const found = after.members.get(name);
      if (found !== undefined) this.#requests(schemas, found, `${place}/${name}`, level + 1);
      else if (!after.isOpen) this.#add(true, `${place}/${name}`, 'is no longer taken');
    }
    for (const name of after.required) {
      if (!before.required.has(name)) this.#add(true, `${place}/${name}`, 'is required');
    }
    for (const name of after.members.keys()) {
      if (!before.members.has(name) && !after.required.has(name)) this.#add(false, `${place}/${name}`, 'is taken');
    }
    if (before.entries.length > 0 && after.entries.length > 0) {
      this.#requests(before.entries, after.entries, `${place}/*`, level + 1);
    }
  }

  /** Whatever is answered must be what was promised. */
  #answers(old: readonly unknown[], now: readonly unknown[], place: string, level: number): void {
    const [before, after] = [shape(this.#before, old), shape(this.#after, now)];
    for (const type of missing(after.types, before.types)) this.#add(true, place, `may be ${type}`);
    if (before.values !== null) {
      const others =
        after.values === null ? ['others'] : [...after.values].filter((value) => !before.values?.has(value));
      if (others.length > 0) this.#add(false, place, `may be ${others.join(', ')}`);
    }
    if (level >= MAX_LEVELS) return;
    for (const [name, schemas] of before.members) {
      const found = after.members.get(name);
      if (found === undefined) {
        this.#add(before.required.has(name), `${place}/${name}`, 'is gone');
        continue;
      }
      if (before.required.has(name) && !after.required.has(name)) this.#add(true, `${place}/${name}`, 'may be missing');
      this.#answers(schemas, found, `${place}/${name}`, level + 1);
    }
    for (const name of after.members.keys()) {
      if (!before.members.has(name)) this.#add(false, `${place}/${name}`, 'is new');
    }
    if (before.entries.length > 0 && after.entries.length > 0) {
      this.#answers(before.entries, after.entries, `${place}/*`, level + 1);
    }
  }

  /** Parameters of paths and queries by name; headers are the same everywhere. */
  #parameters(document: Json, operation: Json): Map<string, Json> {
    const all = ((operation.parameters ?? []) as Json[]).map((parameter) => resolve(document, parameter));
    return new Map(all.filter((one) => one.in !== 'header').map((one) => [String(one.name), one]));
  }

  #body(document: Json, operation: Json): Json | undefined {
    return operation.requestBody === undefined ? undefined : resolve(document, operation.requestBody as Json);
  }
}

function operations(document: Json): Map<string, Json> {
  const placed = placedOperations<Json>(document);
  return new Map(placed.map(({ method, path, operation }) => [`${method.toUpperCase()} ${path}`, operation]));
}

function content(holder: Json | undefined): Map<string, unknown> {
  const types = (holder?.content ?? {}) as Record<string, Json>;
  return new Map(Object.entries(types).map(([type, { schema }]) => [type, schema]));
}

function resolve(document: Json, value: Json): Json {
  let found = value;
  while (typeof found.$ref === 'string') {
    const steps = found.$ref.slice(2).split('/');
    found = steps.reduce((at, step) => at[step.replaceAll('~1', '/').replaceAll('~0', '~')] as Json, document);
  }
  return found;
}

/** The union of schemas. */
function shape(document: Json, schemas: readonly unknown[]): Shape {
  const parts = schemas.flatMap((schema) => alternatives(document, schema));
  const objects = parts.filter(({ properties, type }) => properties !== undefined || typesIn(type).includes('object'));
  const members = new Map<string, unknown[]>();
  for (const { properties = {} } of objects) {
    for (const [name, schema] of Object.entries(properties as Json)) {
      const same = members.get(name);
      if (same === undefined) members.set(name, [schema]);
      else same.push(schema);
    }
  }
  const lists = objects.map(({ required = [] }) => required as string[]);
  const values = parts.map(valuesIn);
  const bounds = new Map<string, number>();
  // A schema that says nothing allows everything, whatever its neighbours ask.
  const kinds = parts.map(kindsIn);
  const isAny = kinds.some((some) => some.length === 0);
  for (const name of isAny ? [] : [...UPPER, ...LOWER]) {
    const own = parts
      .filter((part) => sameKind({ types: new Set(typesIn(part.type)) }, name))
      .map((part) => part[name]);
    if (own.length === 0 || own.some((bound) => typeof bound !== 'number')) continue;
    bounds.set(name, UPPER.includes(name) ? Math.max(...(own as number[])) : Math.min(...(own as number[])));
  }
  return {
    types: new Set(isAny ? [] : kinds.flat()),
    values:
      values.every((some) => some !== null) && parts.length > 0 ? new Set(values.flatMap((some) => some ?? [])) : null,
    members,
    required: new Set(lists[0]?.filter((name) => lists.every((list) => list.includes(name)))),
    isOpen: objects.some(({ additionalProperties }) => additionalProperties !== false),
    entries: parts.flatMap(({ items }) => (items === undefined ? [] : [items])),
    bounds,
  };
}

/** The schemas of which a value has to meet one. */
function alternatives(document: Json, schema: unknown): Json[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { anyOf, oneOf, allOf, ...own } = resolve(document, schema as Json);
  const inner = (anyOf ?? oneOf) as unknown[] | undefined;
  const some = inner === undefined ? [own as Json] : inner.flatMap((one) => alternatives(document, one));
  const shared = inner === undefined ? {} : own;
  const all = ((allOf ?? []) as unknown[]).flatMap((one) => alternatives(document, one));
  return some.map((one) => all.reduce<Json>(together, together(one, shared)));
}

/** A schema that asks what both ask. */
function together(one: Json, other: Json): Json {
  const required = [...((one.required ?? []) as string[]), ...((other.required ?? []) as string[])];
  const properties = { ...(one.properties as Json | undefined), ...(other.properties as Json | undefined) };
  return {
    ...one,
    ...other,
    ...(required.length > 0 ? { required } : {}),
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
  };
}

function typesIn(type: unknown): string[] {
  return type === undefined ? [] : ([type].flat() as string[]);
}

/** The kinds of JSON that a schema allows; none if it says nothing, which allows all. */
function kindsIn(schema: Json): string[] {
  const told = typesIn(schema.type);
  if (told.length > 0) return told.map((type) => (type === 'integer' ? 'number' : type));
  const values = valuesIn(schema);
  return values === null ? [] : [...new Set(values.map((value) => kind(JSON.parse(value))))];
}

function kind(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

function valuesIn(schema: Json): string[] | null {
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value));
  return typesIn(schema.type).join() === 'null' ? ['null'] : null;
}

/** Types of the one that the other lacks; a form without types has all. */
function missing(some: ReadonlySet<string>, others: ReadonlySet<string>): string[] {
  return others.size === 0 ? [] : some.size === 0 ? ['anything'] : [...some].filter((type) => !others.has(type));
}

/** Whether a bound is about one of the types. */
function sameKind({ types }: { readonly types: ReadonlySet<string> }, bound: string): boolean {
  if (bound.endsWith('Length')) return types.has('string');
  if (bound.endsWith('Items')) return types.has('array');
  if (bound.endsWith('Properties')) return types.has('object');
  return types.has('number') || types.has('integer');
}
