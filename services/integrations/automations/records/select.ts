/** Selects the records that a scheduled rule acts on, by the filters of their list, whose days may be relative. */
import type { Context } from '../../../../db/context.ts';
import type { Reader } from '../../../../db/database.ts';
import { filterConditions } from '../../../../db/queries/conditions.ts';
import { type Fragment, fragment, joined, toStatement, where } from '../../../../db/queries/fragments.ts';
import { type ListDefinition, type ListFilter, parseListQuery } from '../../../../db/queries/list.ts';
import { runOn } from '../../../../db/sql.ts';
import { type FieldError, ServiceError } from '../../../../domain/errors.ts';
import { localDay } from '../../../../domain/records/tables/times.ts';
import { relativePeriod, resolveSpan } from '../../../../domain/reports/engine/periods.ts';
import { loadSettings } from '../../../platform/settings/settings.ts';
import { pointerStep } from '../../../platform/validation/text.ts';
import { loadActiveFields } from '../../../records/custom-fields/definitions.ts';
import { withCustomFilters } from '../../../records/custom-fields/list-fields.ts';
import type { RecordQuery } from '../schemas.ts';
import { type RecordResource, recordResource } from './resources.ts';

/** Maximum records that one run of a rule acts on. */
export const MAX_RECORDS = 1000;

/** A checked query. */
export interface Selection {
  readonly resource: RecordResource;
  readonly definition: ListDefinition;
  readonly filters: readonly ListFilter[];
  /** A rule that acts only once on each record; null for others. */
  readonly actedOnBy: string | null;
}

interface Calendar {
  readonly today: string;
  readonly fiscalYearStart: string;
}

/**
 * Reads a query.
 * @param at the time on which relative days are based
 * @param actedOnBy a rule that acts only once on each record; null for others
 * @returns the selection, or its faults with pointers into the query
 */
export async function readSelection(
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
    resource.customFields === undefined ? [] : loadActiveFields(reader, ctx, resource.customFields),
  ]);
  const definition = withCustomFilters(resource.list, own);
  const calendar = { today: localDay(at, format.timezone), fiscalYearStart: company.fiscalYearStart };
  const read = Object.entries(filters).map(([filter, value]) =>
    readFilter(definition, filter, String(value), calendar),
  );
  const faults = read.flatMap((one) => ('code' in one ? [one] : []));
  if (faults.length > 0) return { faults };
  return { resource, definition, filters: read.flatMap((one) => ('code' in one ? [] : [one])), actedOnBy };
}

/** Counts the matching records, up to a limit. */
export async function countRecords(reader: Reader, selection: Selection, most: number): Promise<number> {
  const rows = joined([fragment('select 1'), matching(selection, null), fragment(` limit ${most}`)]);
  const counted = joined([fragment('select count(*)::integer as count from ('), rows, fragment(') as matching')]);
  const [found] = await runOn<{ count: number }>(reader, toStatement(counted));
  return found?.count ?? 0;
}

/** Lists the ids of the next matching records, in order. @param after the last id before them */
export async function recordIds(
  reader: Reader,
  selection: Selection,
  after: string | null,
  most: number,
): Promise<string[]> {
  const key = keyColumn(selection);
  const rows = joined([
    fragment(`select ${key} as id`),
    matching(selection, after),
    fragment(` order by ${key} limit ${most}`),
  ]);
  return (await runOn<{ id: string }>(reader, toStatement(rows))).map(({ id }) => id);
}

function matching(selection: Selection, after: string | null): Fragment {
  const { resource, definition, filters, actedOnBy } = selection;
  const key = keyColumn(selection);
  const rest = after === null ? [] : [fragment(`${key} > ?::uuid`, after)];
  // Runs that have not ended are selected again, since their workflow may have been lost.
  if (actedOnBy !== null) {
    const acted = `select from automation_runs r where r.automation_id = ?::uuid and r.status <> 'running' and r.cause = 'once/' || ${key}`;
    rest.push(fragment(`not exists (${acted})`, actedOnBy));
    // A rule for each line has a run for each of them.
    const lines = `select from document_lines l where l.document_id = ${key} and exists (${acted} || '/' || l.id)`;
    if (resource.docType !== undefined) rest.push(fragment(`not exists (${lines})`, actedOnBy));
  }
  return joined([
    fragment(` from ${resource.from}`),
    where([fragment(resource.where)], filterConditions(definition, filters), rest),
  ]);
}

function keyColumn({ definition }: Selection): string {
  return definition.key ?? 'id';
}

/** Parameters of lists other than filters. */
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

/** Resolves a relative day: the last of its period for `lte` and `gt`, else the first. */
function absolute(definition: ListDefinition, name: string, value: string, calendar: Calendar): string {
  const [, field = '', operator = 'eq'] = /^([^[\]]+)(?:\[([^[\]]*)\])?$/.exec(name) ?? [];
  const type = Object.hasOwn(definition.fields, field) ? definition.fields[field]?.type : undefined;
  const period = type === 'date' || type === 'instant' ? relativePeriod(value) : undefined;
  if (period === undefined) return value;
  const { from, to } = resolveSpan(period, calendar.today, calendar.fiscalYearStart);
  if (from !== to && !['gt', 'gte', 'lt', 'lte'].includes(operator)) {
    throw new ServiceError('invalid_parameter', `${name} must be one day, such as today-1`);
  }
  return operator === 'lte' || operator === 'gt' ? to : from;
}
