import type { Db } from '../../db/database.ts';
import { TaxReturn } from '../../db/models/accounting.ts';
import type { VatPeriods } from '../../domain/tax-models/periods.ts';

/** Of which length the company's VAT returns are: as the latest that it filed, else quarters. */
export async function loadVatPeriods(trx: Db): Promise<VatPeriods> {
  const latest = await TaxReturn.query(trx).where({ model: '303' }).orderBy('to', 'desc').first();
  return latest === undefined || latest.period.endsWith('T') ? 'quarters' : 'months';
}
