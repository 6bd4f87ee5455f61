/** Reverses a document that is cancelled or deleted: its bases get back their quantities, and stock its goods. */
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
import { noteReturns } from './return-goods.ts';
import { type OrderLines, orderReleases } from './stock-effects.ts';

interface Reversed {
  /** Commitments that the order itself had made: goods reserved or incoming. */
  readonly freed: readonly Commitment[];
  /** Whether to reverse the movements of the document. */
  readonly undone: boolean;
  /** Date of the reversing movements. */
  readonly date: string;
}

/** Returns the taken quantities to the bases and reverses the movements. */
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
