/** Undoes a document that is cancelled or deleted: gives back to its bases, and to stock. */
import type { Changes } from '../../../../db/changes/changes.ts';
import type { Db } from '../../../../db/database.ts';
import { documentStep } from '../../../../domain/trade/documents/progress.ts';
import { DOCUMENT_TYPES } from '../../../../domain/trade/documents/types.ts';
import type { Commitment } from '../../../../domain/trade/stock/levels.ts';
import { loadDocuments } from '../../documents/read.ts';
import type { LoadedDocument } from '../../documents/stored.ts';
import type { MovedGoods } from '../../stock/add-goods.ts';
import { takeFromBases } from '../fulfilment/take-from-bases.ts';
import { documentTakes } from '../fulfilment/takes.ts';
import { moveGoods, reverseMovements } from './move-goods.ts';
import { type OrderLines, orderReleases } from './stock-effects.ts';
import { noteReturns } from './take-back-goods.ts';

interface Reversed {
  /** What an order itself had reserved or announced. */
  readonly freed: readonly Commitment[];
  /** Whether the goods that the document has moved go back. */
  readonly undone: boolean;
  /** Date of the reversing movements. */
  readonly date: string;
}

/** Gives back to the bases what the document had taken, and reverses its movements. */
export async function reverseDocument(
  trx: Db,
  changes: Changes,
  { row, lines }: LoadedDocument,
  { freed, undone, date }: Reversed,
): Promise<MovedGoods> {
  const { kind } = DOCUMENT_TYPES[row.docType];
  const step = documentStep(kind, { returns: row.returns !== null, rectifies: row.rectifying });
  const given = documentTakes(lines, true);
  const releases = orderReleases(given, await orderBases(trx, lines));
  const commitments = [...freed, ...releases];
  const moved = undone
    ? await reverseMovements(trx, changes.ctx, row.id, commitments, date)
    : await moveGoods(trx, changes.ctx, row.docType, [], commitments, date);
  await takeFromBases(trx, changes, { step, takes: given, corrects: row.rectifies, allowOver: true, releases });
  const returned = step === 'rectify' && undone ? await noteReturns(trx, row.id, true) : [];
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
