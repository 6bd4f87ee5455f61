/** Invoices by which fixed assets were bought or sold (decision 0330). */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { leftOfSale, leftToCapitalise } from '../../../db/queries/assets.ts';
import { query } from '../../../db/sql.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { lockAssets } from '../../ledger/assets/register/lock.ts';
import type { DocumentRow } from '../documents/stored.ts';

/** Assets that name lines of an invoice: as their cost, or as the sale. */
const NAMED = `
  select a.code, m.kind from document_lines l join asset_movements m on m.document_line_id = l.id and m.standing
    join assets a on a.id = m.asset_id
  where l.document_id = :id::uuid`;

/** Only lines of which assets, that are still there, have more than is left. */
const BEYOND = ` and case when m.kind = 'disposal' then ${leftOfSale('l')} < 0
  else a.status = 'active' and ${leftToCapitalise('l')} < 0 end`;

interface Named {
  readonly code: string;
  readonly kind: string;
}

/** Refuses to cancel an invoice by which assets were bought or sold. @throws ServiceError in_use naming the asset */
export async function assertNoAssets(trx: Db, ctx: Context, { id, code }: DocumentRow): Promise<void> {
  await lockAssets(trx, ctx);
  const [named] = await query<Named>(trx, `${NAMED} limit 1`, { id });
  if (named === undefined) return;
  throw new ServiceError(
    'in_use',
    `${code} cannot be cancelled because the asset ${named.code} rests on it; ${wayOut(named)}`,
  );
}

/**
 * Refuses to take back more of an invoice than assets have left of its lines. Call it when the rectification is written.
 * @throws ServiceError in_use naming the asset
 */
export async function assertAssetsLeft(trx: Db, ctx: Context, { rectifies: id }: DocumentRow): Promise<void> {
  if (id === null) return;
  await lockAssets(trx, ctx);
  const [named] = await query<Named>(trx, `${NAMED}${BEYOND} limit 1`, { id });
  if (named === undefined) return;
  throw new ServiceError(
    'in_use',
    `It cannot be posted because the asset ${named.code} rests on the line; ${wayOut(named)}`,
  );
}

function wayOut({ kind }: Named): string {
  if (kind === 'disposal') return 'undo its disposal first';
  return 'lower its cost by the amount, dispose of it, or delete it first';
}
