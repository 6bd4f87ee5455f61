/** Interprets null in a body: in new records it equals leaving the member out; in changes it empties the member. */
import type { TSchema } from 'typebox';
import type { FieldError } from '../../../domain/errors.ts';
import { CUSTOM_PREFIX } from '../../../domain/records/custom-fields.ts';
import { CUSTOM_FIELDS_MARK, DEFAULT_MARK, NULL_MARK } from './schemas.ts';
import { below } from './text.ts';

/** Whether a body creates or replaces a record, or changes some of its members. */
export type BodyKind = 'new' | 'change';

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly items?: TSchema;
  readonly [CUSTOM_FIELDS_MARK]?: string;
}

interface Member {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly TSchema[];
  readonly [DEFAULT_MARK]?: unknown;
}

/**
 * Replaces each null by its meaning. In a new record the member is left out, unless it is required or null is meaningful there and allowed;
 * in a change the member gets its default, or becomes null where allowed.
 * @returns the faults of members that cannot be empty; those are removed from the body
 */
export function applyNulls(schema: TSchema, body: unknown, kind: BodyKind): FieldError[] {
  if (typeof body !== 'object' || body === null) return [];
  const meant = meantBy(schema, body);
  const faults: FieldError[] = [];
  if (Array.isArray(body)) {
    const { items } = meant;
    if (items === undefined) return [];
    // An entry with an id changes the existing one; others are new.
    const entries = kind === 'change' && 'id' in ((items as ObjectSchema).properties ?? {}) ? 'change' : 'new';
    for (let index = 0; index < body.length; index += 1) {
      for (const fault of applyNulls(items, body[index], entries)) faults.push(below(index, fault));
    }
    return faults;
  }
  const { properties = {} } = meant;
  const holder = body as Record<string, unknown>;
  for (const name of Object.keys(holder)) {
    const value = holder[name];
    if (value === null) {
      const fault = applyNull(meant, holder, name, kind);
      if (fault !== undefined) faults.push(below(name, fault));
    } else if (typeof value === 'object' && Object.hasOwn(properties, name)) {
      const inner = applyNulls(properties[name] as TSchema, value, Array.isArray(value) ? kind : 'new');
      for (const fault of inner) faults.push(below(name, fault));
    }
  }
  return faults;
}

/** Replaces the null of one member by its meaning. */
function applyNull(
  { properties = {}, required = [], [CUSTOM_FIELDS_MARK]: custom }: ObjectSchema,
  holder: Record<string, unknown>,
  name: string,
  kind: BodyKind,
): FieldError | undefined {
  const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (member === undefined) {
    if (kind === 'new' && custom !== undefined && name.startsWith(CUSTOM_PREFIX)) delete holder[name];
    return undefined;
  }
  if (kind === 'change') {
    if (DEFAULT_MARK in member) holder[name] = structuredClone((member as Member)[DEFAULT_MARK]);
    if (acceptsNull(member)) return undefined;
    delete holder[name];
    return { pointer: '', code: 'required', message: 'cannot be empty' };
  }
  const isKept = required.includes(name) || NULL_MARK in member;
  if (!isKept || !acceptsNull(member)) delete holder[name];
  return undefined;
}

/** Finds the schema for the body's `type`, in schemas with one alternative per type. */
function meantBy(schema: TSchema, body: unknown): ObjectSchema {
  const { oneOf } = schema as { oneOf?: readonly ObjectSchema[] };
  if (oneOf === undefined) return schema as ObjectSchema;
  const { type } = (body ?? {}) as { type?: unknown };
  const isMeant = ({ properties }: ObjectSchema) =>
    (properties?.type as { const?: unknown } | undefined)?.const === type;
  return oneOf.find(isMeant) ?? (schema as ObjectSchema);
}

/** Whether a value may be null. */
export function acceptsNull(schema: TSchema): boolean {
  const { type, enum: words, anyOf } = schema as Member;
  if (anyOf !== undefined) return anyOf.some(acceptsNull);
  if (words !== undefined) return words.includes(null);
  return type === undefined || [type].flat().includes('null');
}
