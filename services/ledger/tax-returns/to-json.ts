/** The representation of filed returns for clients. */
import type { TaxReturn } from '../../../db/models/ledger/accounting.ts';
import type { BoxValues } from '../../../domain/ledger/tax-returns/boxes.ts';
import { toNumber } from '../../../domain/money.ts';

export type TaxReturnRow = Pick<
  TaxReturn,
  | 'id'
  | 'model'
  | 'year'
  | 'period'
  | 'from'
  | 'to'
  | 'type'
  | 'result'
  | 'refund'
  | 'boxes'
  | 'overrides'
  | 'entryId'
  | 'sequence'
  | 'receiptNumber'
  | 'reason'
  | 'createdBy'
  | 'version'
  | 'createdAt'
  | 'updatedAt'
>;

export function taxReturnToJson(row: TaxReturnRow) {
  const { id, model, year, period, from, to, type, result, refund, entryId, createdBy, version } = row;
  const { sequence, receiptNumber, reason } = row;
  return {
    id,
    model,
    year,
    period,
    from,
    to,
    type,
    result: toNumber(result),
    refund,
    boxes: toNumbers(row.boxes),
    overrides: toNumbers(row.overrides),
    entryId,
    sequence,
    rectification: receiptNumber === null ? null : { receiptNumber, reason },
    createdBy,
    version,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  };
}

export function toNumbers(boxes: BoxValues): Record<string, number> {
  return Object.fromEntries(Object.entries(boxes).map(([box, value]) => [box, toNumber(value)]));
}
