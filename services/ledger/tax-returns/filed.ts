/** Reads filed returns in the form that computing other periods needs. */
import type { Db, Reader } from '../../../db/database.ts';
import { TaxReturn } from '../../../db/models/ledger/accounting.ts';
import { query } from '../../../db/sql.ts';
import type { BoxValues, Overrides } from '../../../domain/ledger/tax-returns/boxes.ts';
import type { TaxModel } from '../../../domain/ledger/tax-returns/models.ts';
import type { TaxPeriod, VatPeriods } from '../../../domain/ledger/tax-returns/periods.ts';
import type { RectificationReason } from '../../../domain/ledger/tax-returns/rectifying.ts';
import type { Decimal } from '../../../domain/money.ts';

export interface FiledReturn {
  readonly id: string;
  readonly model: TaxModel;
  readonly year: number;
  readonly period: string;
  readonly from: string;
  readonly to: string;
  readonly type: 'I' | 'C' | 'D' | 'N' | 'B';
  readonly result: Decimal;
  readonly refund: boolean;
  readonly boxes: BoxValues;
  readonly overrides: Overrides;
  /** Credit to compensate in later periods. */
  readonly carry: Decimal;
  readonly createdAt: string;
  /** 0 for the first return of the period; later ones rectify it. */
  readonly sequence: number;
  /** The agency's number of the return that it rectifies. */
  readonly receiptNumber: string | null;
  readonly reason: RectificationReason | null;
}

const COLUMNS = `id, model, year, period, "from", "to", type, result::text, refund, boxes, overrides, carry::text,
    created_at as "createdAt", sequence, receipt_number as "receiptNumber", reason`;

const FILED_SQL = `select distinct on ("to", "from") ${COLUMNS}
  from tax_returns where model = :model and "to" <= :until::date order by "to", "from", sequence desc`;

/** Reads the returns in force of a model for periods up to a day, oldest first. */
export async function readFiled(reader: Reader, model: TaxModel, until: string): Promise<FiledReturn[]> {
  return await query<FiledReturn>(reader, FILED_SQL, { model, until });
}

/** Finds the return in force of a period. */
export function findFiled(filed: readonly FiledReturn[], { year, period }: TaxPeriod): FiledReturn | undefined {
  return filed.find((each) => each.year === year && each.period === period);
}

const OWN_SQL = `select ${COLUMNS}, details
  from tax_returns where model = :model and year = :year and period = :period order by sequence desc limit 1`;

/** Reads the return in force of a period, with the people whom it declares. @returns undefined if none is filed */
export async function readOwn<Details>(
  reader: Reader,
  model: TaxModel,
  { year, period }: TaxPeriod,
): Promise<(FiledReturn & { readonly details: Details }) | undefined> {
  const [own] = await query<FiledReturn & { readonly details: Details }>(reader, OWN_SQL, { model, year, period });
  return own;
}

/** Loads the length of the company's VAT periods: that of its latest filed return, or quarters without one. */
export async function loadVatPeriods(trx: Db): Promise<VatPeriods> {
  const latest = await TaxReturn.query(trx).where({ model: '303' }).orderBy('to', 'desc').first();
  return latest === undefined || latest.period.endsWith('T') ? 'quarters' : 'months';
}
