/** Defers what lines of invoices and entries have for later months (decision 0336). */
import type { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { lockName } from '../../../db/locks.ts';
import { Deferral, DeferralPart } from '../../../db/models/ledger/deferrals.ts';
import { jsonList } from '../../../db/models/selected.ts';
import { STATE } from '../../../db/queries/document-states.ts';
import { prepared } from '../../../db/sql.ts';
import { endOfMonth } from '../../../domain/days.ts';
import { groupBy } from '../../../domain/group-by.ts';
import type { ServicePeriod } from '../../../domain/ledger/accounting/entries.ts';
import type { AccountRole } from '../../../domain/ledger/accounting/roles.ts';
import {
  type DeferredAmount,
  deferralLines,
  deferredParts,
  type WaitingLine,
} from '../../../domain/ledger/deferrals/spread.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import type { AccountBook } from '../accounting/account-book.ts';
import { addEntry, type EntryDay } from '../accounting/write-entry.ts';

/** Source of the entries that defer and recognise. */
export const DEFERRAL_SOURCE = 'deferral';

/** The accounts on which income and expense wait. */
export const DEFERRAL_ROLES = ['prepaidExpenses', 'deferredIncome'] as const satisfies readonly AccountRole[];

/** A line with a service period. */
export interface SpreadLine {
  readonly lineId: string | null;
  readonly lineNumber: number;
  /** Pointer to the member that gives the period, for faults. */
  readonly pointer: string;
  /** The line of another invoice that it takes back. */
  readonly takesBack: string | null;
  readonly service: ServicePeriod;
  readonly accountId: string;
  readonly projectId: string | null;
  readonly costCenterId: string | null;
  /** Debit less credit, in the company's currency. */
  readonly net: Decimal;
}

/** The invoice, or the entry that was made by hand, with such lines. */
export interface DeferralSource extends EntryDay {
  readonly documentId: string | null;
  readonly entryId: string | null;
  /** Text of its entry, and of those that recognise its parts. */
  readonly description: string;
}

interface Waiting extends WaitingLine {
  readonly lineId: string;
  readonly originId: string;
}

/** Lines that are spread, with the credits of them that stand. */
const WAITING_SQL = `with spread as (
    select d.*, coalesce(d.takes_back_id, d.line_id) as spread_id from deferrals d join documents i on i.id = d.document_id
    where (d.line_id = any(:lines::uuid[]) or d.takes_back_id = any(:lines::uuid[])) and i.status <> ${STATE.cancelled})
  select o.line_id as "lineId", o.origin_id as "originId", json_build_object('from', o.service_from, 'to', o.service_to) as service,
    (select sum(s.amount)::text from spread s where s.spread_id = o.line_id) as left,
    ${jsonList(`select p.date, sum(p.amount)::text as amount from spread s join deferral_parts p on p.deferral_id = s.id
      where s.spread_id = o.line_id and (p.recognised_on is null or p.date > :after::date)
      group by 1 having sum(p.amount) <> 0 order by 1`)} as months
  from spread o where o.takes_back_id is null`;

/** Makes what changes deferrals of a company wait for each other: each part is recognised once. */
export async function lockDeferrals(trx: Db, { tenantId }: Pick<Context, 'tenantId'>): Promise<void> {
  await lockName(trx, `deferrals:${tenantId}`);
}

/**
 * Finds what waits of the lines that are taken back, and keeps it until the end of the transaction.
 * @param lines ids of lines of other invoices
 * @param date of what takes them back: later months wait for it, also where they are entered already
 */
export async function lockWaiting(
  trx: Db,
  ctx: Context,
  lines: readonly string[],
  date: string,
): Promise<ReadonlyMap<string, Waiting>> {
  if (lines.length === 0) return new Map();
  await lockDeferrals(trx, ctx);
  const found = await prepared<Waiting>(trx, WAITING_SQL, { lines: [...lines], after: endOfMonth(date) });
  return new Map(found.map((one) => [one.lineId, one]));
}

/**
 * Adds the entry that defers what lines have for later months, and the parts of these months.
 * @param book with the accounts of the lines and `DEFERRAL_ROLES`; gets a fault for each line that has neither income nor expense
 * @param waiting as `lockWaiting` found it
 */
export function addDeferrals(
  changes: Changes,
  book: AccountBook,
  source: DeferralSource,
  lines: readonly SpreadLine[],
  waiting: ReadonlyMap<string, Waiting> = new Map(),
): void {
  const sourceId = source.documentId ?? (source.entryId as string);
  const spread = lines.flatMap((line) => {
    const kind = book.resultType(line.accountId);
    if (kind === null) {
      const message = 'cannot be given because the account of the line is neither one of income nor of expense';
      book.faults.add(line.pointer, 'not_applicable', message);
      return [];
    }
    const amount = kind === 'expense' ? line.net : decimal(line.net).neg().toFixed();
    const deferralAccountId = book.role(kind === 'expense' ? 'prepaidExpenses' : 'deferredIncome');
    const taken = line.takesBack === null ? undefined : waiting.get(line.takesBack);
    const deferred = deferredParts(amount, line.service, source.date, book.places, taken);
    const [originId, takesBackId] = [taken?.originId ?? sourceId, taken?.lineId ?? null];
    return [{ ...line, id: newId(), kind, amount, deferralAccountId, originId, takesBackId, deferred }];
  });
  book.faults.throwIfAny();
  changes.insert(
    Deferral,
    spread.map(({ service, ...line }) => ({ ...line, ...source, serviceFrom: service.from, serviceTo: service.to })),
  );
  changes.insert(
    DeferralPart,
    spread.flatMap(({ id, originId, deferred }) =>
      deferred.map((part) => ({
        ...{ id: newId(), deferralId: id, originId, ...part },
        ...{ recognisedOn: null, entryId: null },
      })),
    ),
  );
  const amounts = spread.flatMap((line) => line.deferred.map(({ amount }): DeferredAmount => ({ ...line, amount })));
  const entered = deferralLines(amounts);
  if (entered.length === 0) return;
  const { date, periodId, area } = source;
  const description = `Periodificación: ${source.description}`;
  addEntry(changes, { date, periodId, area, description, sourceType: DEFERRAL_SOURCE, sourceId, lines: entered });
}

/** Parts that wait, with what their entries need. */
export interface WaitingPart extends DeferredAmount {
  readonly id: string;
  readonly deferralId: string;
  readonly originId: string;
  readonly date: string;
  readonly description: string;
}

/** Columns of parts `p` of deferrals `d`. */
export const WAITING_COLUMNS = `p.id, p.deferral_id as "deferralId", p.origin_id as "originId", p.date, p.amount::text as amount,
  d.kind, d.account_id as "accountId", d.deferral_account_id as "deferralAccountId", d.project_id as "projectId",
  d.cost_center_id as "costCenterId", d.description`;

/** Marks parts as recognised. @param entryId null where they cancel out */
export function markRecognised(
  changes: Changes,
  parts: readonly WaitingPart[],
  on: string,
  entryId: string | null,
): void {
  changes.update(
    DeferralPart,
    parts.map(({ id }) => ({
      before: { id, recognisedOn: null, entryId: null },
      after: { id, recognisedOn: on, entryId },
    })),
  );
}

/** Groups parts of the same month and origin, which one entry recognises. */
export function byMonth(parts: readonly WaitingPart[]): WaitingPart[][] {
  return [...groupBy(parts, ({ date, originId }) => `${date} ${originId}`).values()];
}
