/** Computes model 390 of a year from the ledger and the year's 303 returns. */
import type { Reader } from '../../../db/database.ts';
import { type BoxSource, boxSources } from '../../../domain/ledger/tax-returns/box-sources.ts';
import type { Overrides } from '../../../domain/ledger/tax-returns/boxes.ts';
import { enter390, model390, type Return390 } from '../../../domain/ledger/tax-returns/model390.ts';
import { ANNUAL, periodSpan } from '../../../domain/ledger/tax-returns/periods.ts';
import { isUnionScheme } from '../../../domain/trade/documents/operations.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { readSoldGoods, sumSold } from '../accounting/sold-goods.ts';
import { load303 } from './compute-303.ts';
import { yearReturns } from './credit-returns.ts';
import { type FiledReturn, findFiled, readFiled } from './filed.ts';
import { readTaxTotals } from './taxes.ts';

export interface Computed390 {
  readonly computed: Return390;
  readonly filed: FiledReturn | undefined;
  readonly sources: readonly BoxSource[];
}

/**
 * Computes the annual summary. A company that filed monthly in the year counts as monthly; all others file quarterly.
 */
export async function compute390(
  reader: Reader,
  tenantId: string,
  year: number,
  overrides?: Overrides,
): Promise<Computed390> {
  const whole = { year, period: ANNUAL };
  const days = periodSpan(whole);
  const filed = findFiled(await readFiled(reader, '390', days.to), whole);
  const returned = await readFiled(reader, '303', days.to);
  const monthly = returned.some((each) => each.year === year && !each.period.endsWith('T'));
  const [first, last] = monthly ? (['01', '12'] as const) : (['1T', '4T'] as const);
  const span = { first: { year, period: first }, last: { year, period: last } };
  const returns = await yearReturns(reader, tenantId, await load303(reader), span);
  const { surchargeRegime } = await loadSettings(reader, 'tax');
  const totals = await readTaxTotals(reader, tenantId, days);
  const sold = await readSoldGoods(reader, year);
  const soldGoods = sumSold(sold, (operation) => operation !== 'not_subject' && !isUnionScheme(operation));
  const stated = overrides ?? filed?.overrides ?? {};
  return {
    computed: model390({ totals, returns, soldGoods, retailer: surchargeRegime, overrides: stated }),
    filed,
    sources: boxSources(totals, (boxes, total) => enter390(boxes, total, surchargeRegime)),
  };
}
