/** Answers with just the members that a request asks for: the parameter `fields` of records and lists in JSON. */
import { type TSchema, Type } from 'typebox';
import { ServiceError } from '../../domain/errors.ts';
import { CUSTOM_PREFIX } from '../../domain/records/custom-fields.ts';
import { customFieldsIn, text } from '../../services/platform/validation/schemas.ts';
import type { Route, RouteResponse } from '../route.ts';
import { versionTag } from './respond.ts';

/** The query parameter of routes that answer with one record. */
export const FIELDS_PARAMETER = Type.Optional(
  text({
    max: 2000,
    description:
      'The answer has just these members, comma-separated; a dot leads into others: code,partner.name,lines.amount',
  }),
);

interface Shape {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}
type Row = Readonly<Record<string, unknown>>;
/** Members that are asked for: all of one, or some within it. A map, since names come from the client: __proto__ is one like others. */
type Wanted = Map<string, Wanted | true>;

/** The schema of the record, or of a row, that a GET route answers with. */
function recordIn({ method, access, responses }: Route): Shape | undefined {
  if (method !== 'GET' || access === 'public') return undefined;
  const { data } = (responses[200] as Shape | null | undefined)?.properties ?? {};
  return inner(data)?.properties === undefined ? undefined : inner(data);
}

/** Whether a route answers with one record, whose members may be chosen. Lists declare the parameter themselves. */
export function choosesFields(route: Route): boolean {
  const { data } = (route.responses[200] as Shape | null | undefined)?.properties ?? {};
  return recordIn(route) !== undefined && data?.items === undefined;
}

/**
 * Parses the members that a request wants.
 * @returns null for all
 * @throws ServiceError invalid_parameter naming the known ones
 */
export function wantedFields(route: Route, query: unknown): Wanted | null {
  const { fields, expand = '', format = 'json' } = query as { readonly [name: string]: unknown };
  const record = typeof fields === 'string' && format === 'json' ? recordIn(route) : undefined;
  if (record === undefined) return null;
  const hasCustomFields = customFieldsIn(route.responses[200] as TSchema) !== undefined;
  const expansions = String(expand)
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
  const wanted: Wanted = new Map();
  for (const name of String(fields).split(',')) {
    const path = name.trim().split('.');
    const isCustom = hasCustomFields && path[0]?.startsWith(CUSTOM_PREFIX) === true;
    const isExpanded = expansions.some((one) => `${name.trim()}.`.startsWith(`${one}.`));
    if (!isCustom && !isExpanded) assertKnown(record, path);
    add(wanted, path);
  }
  return wanted;
}

function assertKnown(record: Shape, path: readonly string[]): void {
  let shape: Shape | undefined = record;
  for (const step of path) {
    const members: Shape['properties'] = shape?.properties;
    if (members === undefined && hasAnyMembers(shape)) return;
    if (members === undefined || !Object.hasOwn(members, step)) {
      const known = Object.keys(members ?? record.properties ?? {}).join(', ');
      const what = path.join('.') || 'a field without a name';
      throw new ServiceError('invalid_parameter', `fields: ${what} does not exist; known fields are ${known}`);
    }
    shape = inner(members[step]);
  }
}

/** Whether an object's members may have any name. */
function hasAnyMembers(shape: Shape | undefined): boolean {
  return shape !== undefined && (shape.type === undefined || [shape.type].flat().includes('object'));
}

/** The schema of an entry of a list, or of a value that may be null. */
function inner(shape: Shape | undefined): Shape | undefined {
  if (shape?.items !== undefined) return inner(shape.items);
  return shape?.properties === undefined && shape?.anyOf !== undefined
    ? shape.anyOf.find(({ properties }) => properties !== undefined)
    : shape;
}

function add(wanted: Wanted, [first = '', ...rest]: readonly string[]): void {
  if (rest.length === 0) wanted.set(first, true);
  const known = wanted.get(first) ?? new Map();
  if (known === true) return;
  wanted.set(first, known);
  add(known, rest);
}

/** Leaves only the wanted members in the records of an answer. A record keeps its ETag. */
export function withFields(answer: RouteResponse, wanted: Wanted | null): RouteResponse {
  const { data } = (answer.body ?? {}) as { readonly data?: Row | null };
  if (wanted === null || data === undefined || data === null) return answer;
  const tag = versionTag(answer);
  const body = { ...(answer.body as Row), data: picked(data, wanted) };
  return { ...answer, body, headers: { ...(tag === undefined ? {} : { ETag: tag }), ...answer.headers } };
}

function picked(value: unknown, wanted: Wanted): unknown {
  if (Array.isArray(value)) return value.map((entry) => picked(entry, wanted));
  if (typeof value !== 'object' || value === null) return value;
  const chosen: Record<string, unknown> = {};
  for (const [name, within] of wanted) {
    if (!Object.hasOwn(value, name)) continue;
    const member = (value as Row)[name];
    chosen[name] = within === true ? member : picked(member, within);
  }
  return chosen;
}
