/** Selects the records that a rule by the clock acts on: by the filters of their list, whose days may be relative. */
import type { Context } from '../../../db/context.ts';
import type { Reader } from '../../../db/database.ts';
import { filterConditions } from '../../../db/queries/conditions.ts';
import { type Fragment, fragment, joined, statementOf, where } from '../../../db/queries/fragments.ts';
import { type ListDefinition, type ListFilter, parseListQuery } from '../../../db/queries/list.ts';
import { runOn } from '../../../db/sql.ts';
import { type FieldError, ServiceError } from '../../../domain/errors.ts';
import { relativePeriod, spanOf } from '../../../domain/reports/periods.ts';
import { todayOf } from '../../../domain/tables/times.ts';
import { activeFields } from '../../custom-fields/definitions.ts';
import { withCustomFilters } from '../../custom-fields/list-fields.ts';
import { loadSettings } from '../../settings/settings.ts';
import { pointerStep } from '../../validation/text.ts';
import type { RecordQuery } from '../schemas.ts';
import { type RecordResource, recordResource } from './resources.ts';

/** How many records one run of a rule acts on, at most. */
export const MOST_RECORDS = 1000;

/** A query, ready to be run. */
export interface Selection {
  readonly resource: RecordResource;
  readonly definition: ListDefinition;
  readonly filters: readonly ListFilter[];
  /** The rule that acts once on each record, and not on those that it has acted on; null for others. */
  readonly actedOnBy: string | null;
}

interface Calendar {
  readonly today: string;
  readonly fiscalYearStart: string;
}

/**
 * Reads a query.
 * @param at the time that relative days are seen from
 * @param actedOnBy a rule that acts once on each record; null for others
 * @returns it, or its faults, with pointers into the query
 */
export async function selectionOf(
  reader: Reader,
  ctx: Context,
  { resource: name, filters = {} }: RecordQuery,
  at: Date,
  actedOnBy: string | null,
): Promise<Selection | { readonly faults: FieldError[] }> {
  const resource = recordResource(name);
  const [format, company, own] = await Promise.all([
    loadSettings(reader, 'format'),
    loadSettings(reader, 'company'),
    resource.customFields === undefined ? [] : activeFields(reader, ctx, resource.customFields),
  ]);
  const definition = withCustomFilters(resource.list, own);
  const calendar = { today: todayOf(at, format.timezone), fiscalYearStart: company.fiscalYearStart };
  const read = Object.entries(filters).map(([filter, value]) =>
    readFilter(definition, filter, String(value), calendar),
  );
  const faults = read.flatMap((one) => ('code' in one ? [one] : []));
  if (faults.length > 0) return { faults };
  return { resource, definition, filters: read.flatMap((one) => ('code' in one ? [] : [one])), actedOnBy };
}

/** How many match, counted up to a bound. */
export async function countRecords(reader: Reader, selection: Selection, most: number): Promise<number> {
  const rows = joined([fragment('select 1'), matching(selection, null), fragment(` limit ${most}`)]);
  const counted = joined([fragment('select count(*)::integer as count from ('), rows, fragment(') as matching')]);
  const [found] = await runOn<{ count: number }>(reader, statementOf(counted));
  return found?.count ?? 0;
}

/** The ids of the next that match, in their order. @param after the last one before them */
export async function recordIds(
  reader: Reader,
  selection: Selection,
  after: string | null,
  most: number,
): Promise<string[]> {
  const key = keyOf(selection);
  const rows = joined([
    fragment(`select ${key} as id`),
    matching(selection, after),
    fragment(` order by ${key} limit ${most}`),
  ]);
  return (await runOn<{ id: string }>(reader, statementOf(rows))).map(({ id }) => id);
}

function matching(selection: Selection, after: string | null): Fragment {
  const { resource, definition, filters, actedOnBy } = selection;
  const key = keyOf(selection);
  const rest = after === null ? [] : [fragment(`${key} > ?::uuid`, after)];
  // What was begun and not ended is selected again: its workflow may have been lost.
  if (actedOnBy !== null) {
    const acted = `select from automation_runs r where r.automation_id = ?::uuid and r.cause = 'once/' || ${key} and r.status <> 'running'`;
    rest.push(fragment(`not exists (${acted})`, actedOnBy));
  }
  return joined([
    fragment(` from ${resource.from}`),
    where([fragment(resource.where)], filterConditions(definition, filters), rest),
  ]);
}

function keyOf({ definition }: Selection): string {
  return definition.key ?? 'id';
}

/** Parameters of lists that are no filters. */
const NO_FILTERS = ['page', 'limit', 'sort', 'q'];

function readFilter(
  definition: ListDefinition,
  name: string,
  value: string,
  calendar: Calendar,
): ListFilter | FieldError {
  const pointer = `/filters${pointerStep(name)}`;
  if (NO_FILTERS.includes(name)) return { pointer, code: 'unknown_field', message: `cannot be given to a rule` };
  try {
    const days = absolute(definition, name, value, calendar);
    const [filter] = parseListQuery(definition, { [name]: days }).filters;
    if (filter === undefined) throw new Error(`the list has read no filter of ${name}`);
    return filter;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'invalid_parameter') throw error;
    return { pointer, code: 'invalid_parameter', message: error.message };
  }
}

/** The day that a relative one is now: the last of its period for `lte` and `gt`, else the first. */
function absolute(definition: ListDefinition, name: string, value: string, calendar: Calendar): string {
  const [, field = '', operator = 'eq'] = /^([^[\]]+)(?:\[([^[\]]*)\])?$/.exec(name) ?? [];
  const type = Object.hasOwn(definition.fields, field) ? definition.fields[field]?.type : undefined;
  const period = type === 'date' || type === 'instant' ? relativePeriod(value) : undefined;
  if (period === undefined) return value;
  const { from, to } = spanOf(period, calendar.today, calendar.fiscalYearStart);
  if (from !== to && !['gt', 'gte', 'lt', 'lte'].includes(operator)) {
    throw new ServiceError('invalid_parameter', `${name} must be one day, such as today-1`);
  }
  return operator === 'lte' || operator === 'gt' ? to : from;
}
