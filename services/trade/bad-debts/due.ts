/** Provisions of debts that were paid or cancelled since: what exceeds what is outstanding is released. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { companyOutstanding } from '../../../db/queries/company-amounts.ts';
import { STATE } from '../../../db/queries/document-states.ts';
import { prepared } from '../../../db/sql.ts';
import { limitDoubt } from '../../../domain/ledger/accounting/bad-debts.ts';
import { numberEntries } from '../../ledger/accounting/numbers.ts';
import { openDay } from '../../ledger/accounting/open-day.ts';
import { addAdjustment, currentDoubt, lockDoubted } from './doubted.ts';

/** SQL: bad debts `b` whose invoices `d` have less outstanding than is provided for. The system role may read this. */
export const EXCESSIVE = `bad_debts b join documents d on d.tenant_id = b.tenant_id and d.id = b.document_id
    and (b.provided > 0 or b.doubtful > 0)
    and (d.status = ${STATE.cancelled} or ${companyOutstanding('d')} < greatest(b.provided, b.doubtful))`;

/** The day of the last settlement, or of the cancellation; never before what was entered last. */
const DUE_SQL = `select * from (
    select b.code, b.document_id as "documentId", greatest(
      (select max(a.date) from payment_applications a where a.document_id = b.document_id),
      (select max(r.date) from journal_entries e join journal_entries r on r.reversal_of = e.id
        where e.source_id = b.document_id and e.source_type = 'sales_invoice'),
      (select max(m.date) from bad_debt_movements m where m.bad_debt_id = b.id and m.standing)) as date
    from ${EXCESSIVE}) due
  where date <= :today::date order by date, "documentId" limit :limit::integer`;

export interface ExcessiveProvision {
  readonly code: string;
  readonly documentId: string;
  /** Day on which it became too much. */
  readonly date: string;
}

/** Provisions that exceed what is outstanding, the earliest first. */
export async function loadExcessive(reader: Reader, today: string, limit: number): Promise<ExcessiveProvision[]> {
  return await prepared<ExcessiveProvision>(reader, DUE_SQL, { today, limit });
}

/** Releases what exceeds what is outstanding. @throws ServiceError period_closed, validation_failed */
export async function releaseExcess(
  trx: Db,
  ctx: Context,
  { documentId, date }: Pick<ExcessiveProvision, 'documentId' | 'date'>,
): Promise<void> {
  const { book, doubted } = await lockDoubted(trx, [documentId]);
  const on = await openDay(trx, ctx, 'general', date, date);
  const changes = new Changes(ctx);
  for (const one of doubted) addAdjustment(changes, book, one, on, limitDoubt(currentDoubt(one), one.outstanding));
  await changes.write(trx);
  await numberEntries(trx, ctx);
}
