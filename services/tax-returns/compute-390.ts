/** Model 390 of a year, from the ledger and the year's returns. */
import type { Reader } from '../../db/database.ts';
import type { Overrides } from '../../domain/tax-models/boxes.ts';
import { model390, type Return390 } from '../../domain/tax-models/model390.ts';
import { ANNUAL, spanOf } from '../../domain/tax-models/periods.ts';
import { loadSettings } from '../settings/settings.ts';
import { yearReturns } from './compute-303.ts';
import { type FiledReturn, filedOf, readFiled } from './filed.ts';
import { readTaxTotals } from './taxes.ts';

export interface Computed390 {
  readonly computed: Return390;
  readonly filed: FiledReturn | undefined;
}

/** A company that has filed monthly returns in the year is one of the months; all others file quarters. */
export async function compute390(
  reader: Reader,
  tenantId: string,
  year: number,
  overrides: Overrides = {},
): Promise<Computed390> {
  const whole = { year, period: ANNUAL };
  const days = spanOf(whole);
  const filed = filedOf(await readFiled(reader, '390', days.to), whole);
  const returned = await readFiled(reader, '303', days.to);
  const monthly = returned.some((each) => each.year === year && !each.period.endsWith('T'));
  const [first, last] = monthly ? ['01', '12'] : ['1T', '4T'];
  const { returns, carried } = await yearReturns(
    reader,
    tenantId,
    { year, period: last as string },
    { year, period: first as string },
  );
  const { surchargeRegime } = await loadSettings(reader, 'tax');
  const totals = await readTaxTotals(reader, tenantId, days);
  const stated = filed?.overrides ?? overrides;
  return { computed: model390({ totals, returns, carried, retailer: surchargeRegime, overrides: stated }), filed };
}
