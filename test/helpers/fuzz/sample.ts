/** Values that fit schemas of bodies, with ids that exist, so that requests get further than to the validation. */
import { bodyExample } from '../../../api/openapi/examples.ts';
import type { Route } from '../../../api/route.ts';
import type { Random } from './random.ts';

/** The part of JSON Schema that bodies use. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** Ids of records by the path of their list. */
export type Ids = ReadonlyMap<string, readonly string[]>;

/** Members that name records of lists with other names than theirs. */
const LISTS: readonly (readonly [name: RegExp, list: string])[] = [
  [/group/i, '/api/partnerGroups'],
  [/tax/i, '/api/taxes'],
  [/account/i, '/api/accounts'],
  [/partner|customer|supplier|counterparty/i, '/api/partners'],
  [/item/i, '/api/items'],
  [/warehouse/i, '/api/warehouses'],
  [/uom/i, '/api/uom'],
  [/period/i, '/api/periods'],
  [/series/i, '/api/series'],
  [/employee/i, '/api/employees'],
  [/base/i, '/api/sales'],
  [/user/i, '/api/users'],
];

/** An id that exists, for a member or for the records of a list; one of no record otherwise. */
export function existingId(ids: Ids, name: string, random: Random): string {
  const [, list] = LISTS.find(([pattern]) => pattern.test(name)) ?? [];
  return random.pick(ids.get(list ?? name) ?? ['0190f5fe-7c00-7a00-8abc-012345678901']);
}

/** A body of a route: its example or a sample of all its members, with ids that exist. */
export function sampleBody(route: Route, ids: Ids, random: Random): unknown {
  if (random.next() < 0.75) return withIds(bodyExample(route), ids, random);
  return sample(route.body as Schema, '', ids, random);
}

function withIds(value: unknown, ids: Ids, random: Random, name = ''): unknown {
  if (Array.isArray(value)) return value.map((entry) => withIds(entry, ids, random, name));
  if (typeof value === 'string' && /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(value)) return existingId(ids, name, random);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, inner]) => [member, withIds(inner, ids, random, member)]),
  );
}

function sample(schema: Schema, name: string, ids: Ids, random: Random): unknown {
  if (schema.const !== undefined) return schema.const;
  const kinds = schema.anyOf ?? schema.oneOf;
  if (kinds !== undefined) return sample(random.pick(kinds), name, ids, random);
  if (schema.enum !== undefined) return random.pick(schema.enum);
  const type = typeof schema.type === 'string' || schema.type === undefined ? schema.type : schema.type[0];
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([member]) => schema.required?.includes(member) || random.next() < 0.7)
          .map(([member, inner]) => [member, sample(inner, member, ids, random)]),
      );
    case 'array':
      return Array.from({ length: Math.max(1, schema.minItems ?? 1) }, () =>
        sample(schema.items ?? {}, name, ids, random),
      );
    case 'boolean':
      return random.next() < 0.5;
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1);
    case 'string':
      return text(schema, name, ids, random);
    default:
      return {};
  }
}

function text({ format }: Schema, name: string, ids: Ids, random: Random): string {
  if (format === 'uuid') return existingId(ids, name, random);
  if (format === 'date') return '2026-03-05';
  if (format === 'date-time') return '2026-03-05T10:00:00.000Z';
  if (format === 'email') return `${random.below(1e9)}@example.test`;
  if (format === 'http-url') return 'https://example.test/x';
  return `x${random.below(1e9)}`;
}
