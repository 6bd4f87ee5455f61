/** Computes the 303 returns of a company. */
import type { Reader } from '../../../db/database.ts';
import { model303 } from '../../../domain/ledger/tax-returns/model303.ts';
import type { TaxPeriod } from '../../../domain/ledger/tax-returns/periods.ts';
import { decimal } from '../../../domain/money.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { type ComputedPeriod, type CreditModel, computePeriod, type FilingOptions } from './credit-returns.ts';

/** Loads the rules of model 303, which depend on how much of the turnover the state taxes. */
export async function load303(reader: Reader): Promise<CreditModel> {
  const { stateShare } = await loadSettings(reader, 'tax');
  const share = decimal(stateShare).toFixed();
  return { model: '303', compute: (input) => model303({ ...input, stateShare: share }) };
}

/** Computes the return of a period. @param asked options of a return to file; else those of the filed one */
export async function compute303(
  reader: Reader,
  tenantId: string,
  period: TaxPeriod,
  asked?: FilingOptions,
): Promise<ComputedPeriod> {
  return await computePeriod(reader, tenantId, await load303(reader), period, asked);
}
