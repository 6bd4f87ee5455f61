/** Provisions of debts that were paid or cancelled since: what exceeds what is outstanding is released. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { EXCESSIVE_SINCE } from '../../../db/queries/bad-debts.ts';
import { prepared } from '../../../db/sql.ts';
import { limitDoubt } from '../../../domain/ledger/accounting/bad-debts.ts';
import { numberEntries } from '../../ledger/accounting/numbers.ts';
import { openDay } from '../../ledger/accounting/open-day.ts';
import { addAdjustment, currentDoubt, lockDoubted } from './doubted.ts';

const DUE_SQL = `select * from (${EXCESSIVE_SINCE}) due
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
