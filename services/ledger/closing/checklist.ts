/** The checklist of a period: what is open in it before it is closed. */
import type { Reader } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';
import { type FieldError, notFound } from '../../../domain/errors.ts';
import { isOpenFor, type PeriodState } from '../../../domain/ledger/periods/areas.ts';
import type { Decimal } from '../../../domain/money.ts';
import { CURRENCY, PLACES } from '../../platform/settings/format.ts';
import type { Check, Span } from '../periods/drafts.ts';
import { CHECKS, SHARED } from './checks.ts';
import type { OpenItem } from './items.ts';

type Days = Pick<Span, 'from' | 'to'>;

/** How much what a check has found matters for closing. */
export const SEVERITIES = ['blocks', 'warns', 'fine'] as const;
export type Severity = (typeof SEVERITIES)[number];

export interface CheckResult extends Pick<Check, 'code' | 'title' | 'access'> {
  readonly count: number;
  /** In the company's currency; null if its rows have no value. */
  readonly amount: Decimal | null;
  readonly severity: Severity;
  readonly path: string;
  /** The first ones of what is open; null if the list behind `path` shows them. */
  readonly items: readonly OpenItem[] | null;
}

export interface Checklist {
  readonly period: PeriodState & Span;
  readonly currency: string;
  readonly checks: readonly CheckResult[];
}

interface Counted extends Pick<CheckResult, 'count' | 'amount'> {
  readonly items: readonly OpenItem[] | null;
}

interface Found {
  readonly period: PeriodState & Span;
  readonly currency: string;
  readonly counts: Readonly<Record<string, Counted>>;
}

/** One statement for all checks, which has one row. */
const SQL = `with ${SHARED}, found as (
    ${CHECKS.map(countSql).join('\n    union all ')}
  )
  select json_build_object('id', p.id, 'code', p.code, 'from', p."from", 'to', p."to", 'status', p.status, 'lockedAreas', p.locked_areas)
      as period, ${CURRENCY} as currency,
    (select json_object_agg(code, json_build_object('count', count, 'amount', round(amount, ${PLACES})::text, 'items', items))
      from found) as counts
  from periods p where p.id = :id`;

function countSql({ code, sql, lists }: Check): string {
  return `select '${code}' as code, count, amount, ${lists ? 'items' : 'null::json as items'} from (${sql}) c`;
}

/**
 * Reads what is open in a period, in one round trip after that for its days.
 * @throws ServiceError not_found
 */
export async function readChecklist(reader: Reader, id: string): Promise<Checklist> {
  const [span] = await prepared<Days>(reader, `select "from", "to" from periods where id = :id`, { id });
  if (span === undefined) throw notFound('This period');
  return await checklist(reader, { id, ...span });
}

/** Open work of a fiscal year that is being closed, as warnings about its status. */
export async function openWorkInYear(reader: Reader, { from, to }: Days): Promise<FieldError[]> {
  const [last] = await prepared<{ id: string }>(reader, `select id from periods where "to" = :to::date`, { to });
  if (last === undefined) throw notFound('This period');
  return await openWork(reader, { ...last, from, to });
}

/** The same of a period, or of the days up to its end. */
export async function openWork(reader: Reader, { id, from, to }: Span): Promise<FieldError[]> {
  const { checks } = await checklist(reader, { id, from, to });
  return checks
    .filter(({ count }) => count > 0)
    .map(({ code, title, count, path }) => ({ pointer: '/status', code, message: `${title}: ${count} (GET ${path})` }));
}

/** The checklist of the days of a period, or of several of which this is the last. */
async function checklist(reader: Reader, { id, from, to }: Span): Promise<Checklist> {
  const [found] = await prepared<Found>(reader, SQL, { id, from, to, day: to });
  if (found === undefined) throw notFound('This period');
  const { period, currency, counts } = found;
  const checks = CHECKS.map(({ code, title, access, blocks, path }): CheckResult => {
    const { count = 0, amount = null, items = null } = counts[code] ?? {};
    // What a closed period still has cannot keep it from being closed.
    const severity = count === 0 ? 'fine' : blocks && isOpenFor(period, 'closing') ? 'blocks' : 'warns';
    return { code, title, access, count, amount, severity, path: path({ ...period, from, to }), items };
  });
  return { period, currency, checks };
}
