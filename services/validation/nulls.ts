/** What null means in a body: in something new the same as leaving the member out, in a change "empty it". */
import type { TSchema } from 'typebox';
import { CUSTOM_PREFIX } from '../../domain/custom-fields.ts';
import type { FieldError } from '../../domain/errors.ts';
import { CUSTOM_FIELDS_MARK, DEFAULT_MARK, NULL_MARK } from './schemas.ts';
import { pointerStep } from './text.ts';

/** Whether a body makes something, or replaces all of it, or changes members of what is there. */
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
 * Puts in the place of each null what it stands for: a member that is new is left out unless it must be there, or says something by it, and may be null; one
 * that is changed goes back to its default, or becomes null where it may be.
 * @returns the faults of members that cannot be empty; those are taken out of the body
 */
export function takeNulls(schema: TSchema, body: unknown, kind: BodyKind, pointer = ''): FieldError[] {
  const { items, properties = {}, required = [], [CUSTOM_FIELDS_MARK]: custom } = schema as ObjectSchema;
  if (Array.isArray(body)) {
    if (items === undefined) return [];
    // An entry with an id is a change of the one that has it; others are new.
    const entries = kind === 'change' && 'id' in ((items as ObjectSchema).properties ?? {}) ? 'change' : 'new';
    return body.flatMap((entry, index) => takeNulls(items, entry, entries, pointer + pointerStep(index)));
  }
  if (typeof body !== 'object' || body === null) return [];
  const holder = body as Record<string, unknown>;
  return Object.entries(holder).flatMap(([name, value]): FieldError[] => {
    const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const at = pointer + pointerStep(name);
    if (value !== null) {
      return member === undefined ? [] : takeNulls(member, value, Array.isArray(value) ? kind : 'new', at);
    }
    if (member === undefined) {
      if (kind === 'new' && custom !== undefined && name.startsWith(CUSTOM_PREFIX)) delete holder[name];
      return [];
    }
    if (kind === 'change') {
      if (DEFAULT_MARK in member) holder[name] = structuredClone((member as Member)[DEFAULT_MARK]);
      if (takesNull(member)) return [];
      delete holder[name];
      return [{ pointer: at, code: 'required', message: 'cannot be empty' }];
    }
    const isMeant = required.includes(name) || NULL_MARK in member;
    if (!isMeant || !takesNull(member)) delete holder[name];
    return [];
  });
}

/** Whether a value may be null. */
export function takesNull(schema: TSchema): boolean {
  const { type, enum: words, anyOf } = schema as Member;
  if (anyOf !== undefined) return anyOf.some(takesNull);
  if (words !== undefined) return words.includes(null);
  return type === undefined || [type].flat().includes('null');
}
