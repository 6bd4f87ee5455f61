/** Returns that were filed, as the computed ones of other periods need them. */
import type { Reader } from '../../db/database.ts';
import { query } from '../../db/sql.ts';
import type { Decimal } from '../../domain/money.ts';
import type { BoxValues, Overrides } from '../../domain/tax-models/boxes.ts';
import type { TaxPeriod } from '../../domain/tax-models/periods.ts';

export const TAX_MODELS = ['130', '303', '390'] as const;
export type TaxModel = (typeof TAX_MODELS)[number];

export interface FiledReturn {
  readonly id: string;
  readonly year: number;
  readonly period: string;
  readonly from: string;
  readonly to: string;
  readonly type: 'I' | 'C' | 'D' | 'N' | 'B';
  readonly result: Decimal;
  readonly refund: boolean;
  readonly boxes: BoxValues;
  readonly overrides: Overrides;
  /** What it leaves to compensate. */
  readonly carry: Decimal;
  readonly createdAt: string;
}

const FILED_SQL = `select id, year, period, "from", "to", type, result::text, refund, boxes, overrides,
    carry::text, created_at as "createdAt"
  from tax_returns where model = :model and "to" <= :until::date order by "to"`;

/** The returns of a model that were filed of periods until a day, oldest first. */
export async function readFiled(reader: Reader, model: TaxModel, until: string): Promise<FiledReturn[]> {
  return await query<FiledReturn>(reader, FILED_SQL, { model, until });
}

/** The one that was filed of a period. */
export function filedOf(filed: readonly FiledReturn[], { year, period }: TaxPeriod): FiledReturn | undefined {
  return filed.find((each) => each.year === year && each.period === period);
}
