/** Undoes a document that is cancelled or deleted: gives back to its bases, and to stock. */
import type { Changes } from '../../../db/changes/changes.ts';
import type { Db } from '../../../db/database.ts';
import { stepOf } from '../../../domain/documents/progress.ts';
import { DOCUMENT_TYPES } from '../../../domain/documents/types.ts';
import { loadDocuments } from '../../documents/read.ts';
import type { LoadedDocument } from '../../documents/stored.ts';
import type { MovedGoods } from '../../stock/add-goods.ts';
import type { StockChange } from '../../stock/levels.ts';
import { takeFromBases } from '../fulfilment/take-from-bases.ts';
import { takesOf } from '../fulfilment/takes.ts';
import { moveGoods, undoGoods } from './move-goods.ts';
import { type OrderLines, orderReleases } from './stock-effects.ts';
import { takesOfNotes } from './take-back-goods.ts';

interface GivenBack {
  /** What an order itself had reserved or announced. */
  readonly freed: readonly StockChange[];
  /** Whether the goods that the document has moved go back. */
  readonly undone: boolean;
  /** Date of the reversing movements. */
  readonly date: string;
}

/** Gives back to the bases what the document had taken, and reverses its movements. */
export async function giveBack(
  trx: Db,
  changes: Changes,
  { row, lines }: LoadedDocument,
  { freed, undone, date }: GivenBack,
): Promise<MovedGoods> {
  const { kind } = DOCUMENT_TYPES[row.docType];
  const step = stepOf(kind, { returns: row.returns !== null, rectifies: row.rectifying });
  const given = takesOf(lines, true);
  const releases = orderReleases(given, await orderBases(trx, lines));
  const commitments = [...freed, ...releases];
  const moved = undone
    ? await undoGoods(trx, changes.ctx, row.id, commitments, date)
    : await moveGoods(trx, changes.ctx, row.docType, [], commitments, date);
  await takeFromBases(trx, changes, { step, takes: given, corrects: row.rectifies, allowOver: true, releases });
  const returned = step === 'rectify' && undone ? await takesOfNotes(trx, row.id, true) : [];
  await takeFromBases(trx, changes, { step: 'return', takes: returned, allowOver: true });
  return moved;
}

/** The orders that lines are based on, with their open quantities; reads nothing if no line names one. */
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
