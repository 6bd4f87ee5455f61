/** Finds the changes in a body that repeats a record as it was read: equal values are not changes, and read-only members must be equal. */
import type { TSchema } from 'typebox';
import type { FieldError } from '../../../domain/errors.ts';
import { roundIfClose } from '../../../domain/money.ts';
import { CUSTOM_PREFIX } from '../../../domain/records/custom-fields.ts';
import { AMOUNT_PLACES, INSTEAD_MARK } from './schemas.ts';
import { pointerStep } from './text.ts';

type Row = Readonly<Record<string, unknown>>;

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: ObjectSchema;
}

/** The writable members of a record, and the schemas of all members in answers. */
export interface Members {
  readonly writable: TSchema;
  readonly answered: TSchema;
}

export interface WithoutRepeats {
  readonly body: Row;
  /** Faults of read-only members that differ. */
  readonly faults: readonly FieldError[];
}

/**
 * Removes the members that cannot be set from the body.
 * @param existing the record as answered now; undefined for a new entry of a list
 * @param unchanged whether to keep writable members that are equal
 */
export function dropRepeats(
  members: Members,
  sent: Row,
  existing: Row | undefined,
  unchanged: 'kept' | 'dropped',
  pointer = '',
): WithoutRepeats {
  const writable = schemaProperties(members.writable);
  const answered = schemaProperties(members.answered);
  const body: Record<string, unknown> = {};
  const faults: FieldError[] = [];
  for (const [name, value] of Object.entries(sent)) {
    const at = pointer + pointerStep(name);
    const now = existing !== undefined && Object.hasOwn(existing, name) ? existing[name] : undefined;
    if (!Object.hasOwn(writable, name) && Object.hasOwn(answered, name) && !name.startsWith(CUSTOM_PREFIX)) {
      // Members that are answered only once (warnings) cannot be compared.
      const answeredOnce = existing !== undefined && now === undefined;
      if (!answeredOnce && !equals(value, now)) faults.push(readOnly(at, answered[name]));
      continue;
    }
    if (unchanged === 'dropped' && now !== undefined && equals(value, now)) continue;
    const schemas = { writable: writable[name] ?? {}, answered: answered[name] ?? {} };
    const inner = within(schemas, value, now, at);
    body[name] = inner.value;
    faults.push(...inner.faults);
  }
  return { body, faults };
}

function within(members: Members, value: unknown, now: unknown, pointer: string) {
  if (isRow(value)) {
    const { body, faults } = dropRepeats(members, value, isRow(now) ? now : undefined, 'kept', pointer);
    return { value: body, faults };
  }
  const entries = { writable: itemSchema(members.writable), answered: itemSchema(members.answered) };
  if (!Array.isArray(value) || schemaProperties(entries.writable) === NONE) return { value, faults: [] };
  const key = Object.hasOwn(schemaProperties(entries.writable), 'id') ? 'id' : 'lineNumber';
  const rows = Array.isArray(now) ? now.filter(isRow) : [];
  const meant = value.map((entry: unknown, index) => {
    if (!isRow(entry)) return { body: entry, faults: [] };
    return dropRepeats(entries, entry, matchingRow(rows, entry, key), 'kept', pointer + pointerStep(index));
  });
  return { value: meant.map(({ body }) => body), faults: meant.flatMap(({ faults }) => faults) };
}

/** Finds the existing entry that an entry of the body repeats: by id if entries have one, otherwise by line number. */
function matchingRow(rows: readonly Row[], entry: Row, key: 'id' | 'lineNumber'): Row | undefined {
  return entry[key] === undefined ? undefined : rows.find((row) => row[key] === entry[key]);
}

/** Whether two values are equal: numbers and instants by value, null like a missing member. */
export function equals(one: unknown, other: unknown): boolean {
  if (typeof one === 'number' && typeof other === 'number') return one === other || equalWhenRounded(one, other);
  if (typeof one === 'string' && typeof other === 'string') return one === other || sameInstant(one, other);
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((entry, index) => equals(entry, other[index]));
  }
  if (isRow(one) && isRow(other)) {
    return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((name) =>
      equals(Object.hasOwn(one, name) ? one[name] : null, Object.hasOwn(other, name) ? other[name] : null),
    );
  }
  return (one ?? null) === (other ?? null);
}

function equalWhenRounded(one: number, other: number): boolean {
  return Number.isFinite(one) && roundIfClose(one, AMOUNT_PLACES) === other;
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

function sameInstant(one: string, other: string): boolean {
  return INSTANT.test(one) && INSTANT.test(other) && Date.parse(one) === Date.parse(other);
}

function readOnly(pointer: string, answered: { readonly [INSTEAD_MARK]?: string } = {}): FieldError {
  const instead = answered[INSTEAD_MARK];
  const message = 'cannot be set; leave it out, or send its current value';
  return { pointer, code: 'read_only', message: instead === undefined ? message : `cannot be changed: ${instead}` };
}

const NONE: NonNullable<ObjectSchema['properties']> = {};

function schemaProperties(schema: TSchema | ObjectSchema): NonNullable<ObjectSchema['properties']> {
  return (schema as ObjectSchema).properties ?? NONE;
}

function itemSchema(schema: TSchema): TSchema {
  return ((schema as ObjectSchema).items ?? {}) as TSchema;
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
