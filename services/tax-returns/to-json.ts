/** Filed returns as clients see them. */
import type { TaxReturn } from '../../db/models/accounting.ts';
import { toNumber } from '../../domain/money.ts';
import type { BoxValues } from '../../domain/tax-models/boxes.ts';

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
  | 'createdBy'
  | 'version'
  | 'createdAt'
  | 'updatedAt'
>;

export function taxReturnToJson(row: TaxReturnRow) {
  const { id, model, year, period, from, to, type, result, refund, entryId, createdBy, version } = row;
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
    boxes: numbersOf(row.boxes),
    overrides: numbersOf(row.overrides),
    entryId,
    createdBy,
    version,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  };
}

export function numbersOf(boxes: BoxValues): Record<string, number> {
  return Object.fromEntries(Object.entries(boxes).map(([box, value]) => [box, toNumber(value)]));
}
