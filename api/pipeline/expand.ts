/**
 * Records that others refer to by an id, whole and in their place: `expand=partner,lines.item` adds `partner` beside `partnerId`. Each name
 * costs one query, however many rows there are.
 */
import { type TSchema, Type } from 'typebox';
import { ServiceError } from '../../domain/errors.ts';
import { referredBy } from '../../domain/locale/labels.ts';
import type { Permission } from '../../domain/permissions.ts';
import { customFieldsIn, text } from '../../services/platform/validation/schemas.ts';
import { loadActiveFields } from '../../services/records/custom-fields/definitions.ts';
import { showCustomFields } from '../../services/records/custom-fields/rows.ts';
import { referredTable } from '../../services/records/exports/references.ts';
import { RESOURCES } from '../../services/records/master-data/index.ts';
import type { ResourceDeclaration } from '../../services/records/resources/declaration.ts';
import { answerSchema } from '../../services/records/resources/fields.ts';
import { readMany } from '../../services/records/resources/find.ts';
import { assertPageFits } from '../lists/page-size.ts';
import { assertPermission } from '../permission.ts';
import { visibleMembers } from '../resource.ts';
import type { Route, RouteRequest, RouteResponse } from '../route.ts';

/** Names that a request may expand, and steps of a name. */
const MAX_NAMES = 10;
const MAX_STEPS = 2;

/** The resources that can be expanded, by table. */
const RECORDS = new Map(
  RESOURCES.filter(({ parent }) => parent === undefined).map((one) => [one.model.tableName, one]),
);

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
}
type Row = Record<string, unknown>;
type Request = RouteRequest<unknown, unknown, unknown>;

/** A step of a name: to a record that an id refers to, or into a member that is there already. */
interface Step {
  readonly name: string;
  /** The member with the id, and what it refers to; undefined for a member that is there. */
  readonly reference?: { readonly member: string; readonly to: ResourceDeclaration };
}
type Expansion = readonly Step[];

export function expandParameter(names: readonly string[]): TSchema {
  return Type.Optional(
    text({
      max: 300,
      description:
        `Whole records in place of their ids alone, comma-separated: ${names.join(', ')}; ` +
        'and what these refer to, as in partner.group',
    }),
  );
}

/** The record, or a row of the list, that a GET route answers with. */
function recordIn({ method, access, responses }: Route): Shape | undefined {
  if (method !== 'GET' || access === 'public') return undefined;
  const { data } = (responses[200] as Shape | null | undefined)?.properties ?? {};
  return data?.items ?? data;
}

/** The names that can be expanded in the records of a route. */
export function expandable(route: Route): string[] {
  const { properties = {} } = recordIn(route) ?? {};
  const within = Object.entries(properties).flatMap(([name, { items }]) =>
    references(items).map(({ name: inner }) => `${name}.${inner}`),
  );
  return [...references(recordIn(route)).map(({ name }) => name), ...within];
}

function references(shape: Shape | undefined): Step[] {
  return Object.keys(shape?.properties ?? {}).flatMap((member) => {
    const step = referenceIn(shape, referredBy(member));
    return step?.reference?.member === member ? [step] : [];
  });
}

/** The step from an object to a record that it refers to. */
function referenceIn(shape: Shape | undefined, name: string): Step | undefined {
  for (const member of [`${name}Id`, `${name}_id`]) {
    const to = RECORDS.get(referredTable(member) ?? '');
    if (to !== undefined && Object.hasOwn(shape?.properties ?? {}, member)) return { name, reference: { member, to } };
  }
  return undefined;
}

/**
 * Parses the names that a request expands.
 * @throws ServiceError invalid_parameter naming the known ones, forbidden for records that the caller may not read
 */
export function wantedExpansions(route: Route, request: Pick<Request, 'query' | 'caller'>): Expansion[] {
  const { expand, format = 'json' } = (request.query ?? {}) as { readonly expand?: unknown; readonly format?: unknown };
  const record = typeof expand === 'string' && format === 'json' ? recordIn(route) : undefined;
  if (record === undefined) return [];
  const names = [
    ...new Set(
      String(expand)
        .split(',')
        .map((name) => name.trim()),
    ),
  ];
  if (names.length > MAX_NAMES)
    throw new ServiceError('invalid_parameter', `expand can have at most ${MAX_NAMES} names`);
  const expansions = names.map((name) => parse(record, name, route));
  for (const { reference } of expansions.flat()) {
    if (reference !== undefined) assertPermission(request.caller, `${reference.to.permission}:read` as Permission);
  }
  // What another name goes on from comes first.
  return expansions.sort((one, other) => one.length - other.length);
}

function parse(record: Shape, name: string, route: Route): Expansion {
  const steps: Step[] = [];
  let shape: Shape | undefined = record;
  for (const part of name.split('.')) {
    const member: Shape | undefined = shape?.properties?.[part]?.items;
    const step: Step | undefined = referenceIn(shape, part) ?? (member === undefined ? undefined : { name: part });
    if (step === undefined || steps.length === MAX_STEPS) break;
    steps.push(step);
    shape =
      step.reference === undefined ? shape?.properties?.[part]?.items : (answerSchema(step.reference.to) as Shape);
  }
  if (steps.length === name.split('.').length && steps.at(-1)?.reference !== undefined) return steps;
  throw new ServiceError(
    'invalid_parameter',
    `expand cannot have ${name || 'an empty name'}; it takes ${expandable(route).join(', ')}, and what these refer to`,
  );
}

/** Adds the records to the answer. @throws ServiceError invalid_parameter if the page is too large with them */
export async function expanded(
  request: Request,
  answer: RouteResponse,
  expansions: readonly Expansion[],
): Promise<RouteResponse> {
  const { data } = (answer.body ?? {}) as { readonly data?: Row | Row[] | null };
  if (expansions.length === 0 || data === undefined || data === null) return answer;
  for (const expansion of expansions) {
    let rows: Row[] = Array.isArray(data) ? data : [data];
    for (const step of expansion) rows = await follow(request, rows, step);
  }
  if (Array.isArray(data)) assertPageFits(data);
  return answer;
}

/** Goes one step on from rows, and loads what they refer to unless an earlier name has. @returns the rows that the step leads to */
async function follow(request: Request, rows: readonly Row[], { name, reference }: Step): Promise<Row[]> {
  if (reference !== undefined && !rows.some((row) => LOADED.has(row[name] as Row))) {
    const { member, to } = reference;
    const ids = [...new Set(rows.map((row) => row[member]).filter((id): id is string => typeof id === 'string'))];
    const found = ids.length === 0 ? new Map<string, Row>() : await load(request, to, ids);
    for (const row of rows) row[name] = typeof row[member] === 'string' ? (found.get(row[member]) ?? null) : null;
  }
  const next = new Set<Row>();
  for (const row of rows) for (const one of [row[name] ?? []].flat()) next.add(one as Row);
  return [...next];
}

/** Records that were loaded, as opposed to summaries that answers have anyway. */
const LOADED = new WeakSet<Row>();

async function load(
  { reader, ctx, caller }: Request,
  resource: ResourceDeclaration,
  ids: readonly string[],
): Promise<Map<string, Row>> {
  const model = visibleMembers(resource, caller);
  const table = customFieldsIn(answerSchema(resource));
  const fields = table === undefined ? [] : await loadActiveFields(reader, ctx, table);
  const rows = (await readMany(reader, model, ids)).map((row) => {
    const shown = model.toJson(row) as Row;
    return table === undefined ? shown : (showCustomFields(fields, shown) as Row);
  });
  for (const row of rows) LOADED.add(row);
  return new Map(rows.map((row) => [String(row.id), row]));
}
