/** What a document gives back when it is cancelled or deleted: to its bases, and to stock. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { DOCUMENT_TYPES } from '../../domain/documents/types.ts';
import { decimal } from '../../domain/money.ts';
import type { StockChange } from '../stock/levels.ts';
import { type MovedGoods, moveGoods, undoGoods } from './move-goods.ts';
import type { LineRow } from './present.ts';
import { type Taken, takeFromBases } from './progress.ts';
import { type LoadedDocument, loadDocuments } from './read.ts';
import { type OrderLines, orderReleases } from './stock-effects.ts';

interface GivenBack {
  /** What an order itself had set aside or announced. */
  readonly freed: readonly StockChange[];
  /** Whether the goods that the document has moved go back. */
  readonly undone: boolean;
  /** Day of the movements that undo its own. */
  readonly date: string;
}

/** Returns to the bases what the document had taken from them, together with the goods it had moved. */
export async function giveBack(
  trx: Db,
  ctx: Context,
  { row, lines }: LoadedDocument,
  { freed, undone, date }: GivenBack,
): Promise<MovedGoods> {
  const given = givenTo(lines);
  const releases = orderReleases(given, await orderBases(trx, lines));
  const commitments = [...freed, ...releases];
  const moved = undone
    ? await undoGoods(trx, ctx, row.id, commitments, date)
    : await moveGoods(trx, ctx, row.docType, [], commitments, date);
  await takeFromBases(trx, ctx, DOCUMENT_TYPES[row.docType].kind, given, { allowOver: true, releases });
  return moved;
}

/** What lines have taken from their bases, negative. */
export function givenTo(lines: readonly Pick<LineRow, 'baseId' | 'baseLineId' | 'quantity'>[]): Taken[] {
  return lines.flatMap(({ baseId, baseLineId, quantity }) =>
    baseId === null || baseLineId === null ? [] : [{ baseId, baseLineId, quantity: decimal(quantity).neg().toFixed() }],
  );
}

/** The orders that lines are based on, with what is open of them; nothing is read where no line names one. */
export async function orderBases(
  trx: Db,
  lines: readonly { readonly baseType: string | null; readonly baseId: string | null }[],
): Promise<ReadonlyMap<string, OrderLines>> {
  const ids = lines
    .filter((line) => line.baseType === 'SO' || line.baseType === 'PO')
    .flatMap((line) => line.baseId ?? []);
  const bases = ids.length > 0 ? await loadDocuments(trx, [...new Set(ids)]) : [];
  return new Map(bases.map((base) => [base.row.id, { docType: base.row.docType, lines: base.lines }]));
}
