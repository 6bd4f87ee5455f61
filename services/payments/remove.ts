/** Deletes payments: what they settled is outstanding again, and their entries are reversed. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { ConcurrentChange } from '../../db/errors.ts';
import { query } from '../../db/sql.ts';
import { assertVersion } from '../../db/write.ts';
import { PERIOD_STATUS } from '../../domain/accounting/periods.ts';
import { periodClosed } from '../../domain/errors.ts';
import { type Decimal, sum } from '../../domain/money.ts';
import type { PaymentKind } from '../../domain/payments/types.ts';
import { loadPosted } from '../accounting/write-entry.ts';
import { lockDocuments } from '../documents/read.ts';
import { loadPayments, lockPayments, onlyPayment } from './payment.ts';
import { type Reversal, writePayments } from './write.ts';

interface Touched {
  /** The entry; null for the payment's own date. */
  readonly id: string | null;
  readonly date: string;
  readonly periodId: string;
  readonly code: string;
  readonly status: string;
}

/** Dates that are affected: its own, and those of its entries that are not reversed. */
const DAYS_SQL = `select null as id, x.date, x.period_id as "periodId", p.code, p.status, 0 as seq
  from payments x join periods p on p.id = x.period_id where x.id = :id::uuid
  union all select e.id, e.date, e.period_id, p.code, p.status, e.seq from journal_entries e join periods p on p.id = e.period_id
  where e.source_type = 'payment' and e.source_id = :id::uuid and e.reversal_of is null
    and not exists (select from journal_entries r where r.reversal_of = e.id) order by seq`;

/** @throws ServiceError not_found, stale_version, period_closed (of the payment or of one of its entries) */
export async function removePayment(
  trx: Db,
  ctx: Context,
  kind: PaymentKind,
  id: string,
  ifMatch: number | null,
): Promise<void> {
  const seen = onlyPayment(await lockPayments(trx, [id]), kind);
  assertVersion(seen, ifMatch);
  const documents = await lockDocuments(trx, [...new Set(seen.links.map((link) => link.documentId))]);
  const payment = onlyPayment(await loadPayments(trx, [id]), kind);
  // An invoice posted meanwhile has taken over an advance.
  if (payment.links.some((link) => !documents.has(link.documentId))) throw new ConcurrentChange();
  const days = await query<Touched>(trx, DAYS_SQL, { id });
  const closed = days.find(({ status }) => status === PERIOD_STATUS.closed);
  if (closed !== undefined) throw periodClosed(closed.code);
  const settled = new Map<string, Decimal>();
  for (const link of payment.links)
    settled.set(link.documentId, sum([settled.get(link.documentId) ?? '0', link.settled]).toFixed());
  const reversals: Reversal[] = [];
  for (const { id: entryId, date, periodId } of days) {
    if (entryId !== null) reversals.push({ entry: await loadPosted(trx, { id: entryId }), on: { date, periodId } });
  }
  await writePayments(trx, ctx, {
    removed: [payment],
    links: [],
    documents: [...documents.values()].map((document) => {
      return {
        document,
        settled: sum([settled.get(document.row.id) ?? '0'])
          .times(-1)
          .toFixed(),
      };
    }),
    periods: days.map(({ periodId }) => periodId),
    events: [],
    reversals,
  });
}
