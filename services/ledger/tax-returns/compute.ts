/** Computes a return of any model as it would be filed now. */
import type { Reader } from '../../../db/database.ts';
import type { BoxValues, Overrides } from '../../../domain/ledger/tax-returns/boxes.ts';
import { STATABLE_130 } from '../../../domain/ledger/tax-returns/model130.ts';
import { STATABLE_303 } from '../../../domain/ledger/tax-returns/model303.ts';
import { STATABLE_390 } from '../../../domain/ledger/tax-returns/model390-boxes.ts';
import type { TaxPeriod } from '../../../domain/ledger/tax-returns/periods.ts';
import type { Decimal } from '../../../domain/money.ts';
import { compute130 } from './compute-130.ts';
import { compute303 } from './compute-303.ts';
import { compute390 } from './compute-390.ts';
import type { FiledReturn, TaxModel } from './filed.ts';
import type { AccountTotal } from './taxes.ts';

export const STATABLE: Readonly<Record<TaxModel, ReadonlySet<string>>> = {
  '130': STATABLE_130,
  '303': STATABLE_303,
  '390': STATABLE_390,
};

export interface ComputedReturn {
  readonly boxes: BoxValues;
  readonly type: FiledReturn['type'];
  readonly result: Decimal;
  /** Credit to compensate in later periods. */
  readonly carry: Decimal;
  /** Taxes that the return settles, by account. */
  readonly totals: readonly AccountTotal[];
}

export async function computeReturn(
  reader: Reader,
  tenantId: string,
  {
    model,
    refund,
    overrides,
    ...period
  }: TaxPeriod & {
    readonly model: TaxModel;
    readonly refund: boolean;
    readonly overrides: Overrides;
  },
): Promise<ComputedReturn> {
  if (model === '303') {
    const { computed, totals } = await compute303(reader, tenantId, period, { refund, overrides });
    const { boxes, type, result, left } = computed;
    return { boxes, type, result, carry: left, totals };
  }
  if (model === '130') {
    const { boxes, type, result } = (await compute130(reader, tenantId, period, overrides)).computed;
    return { boxes, type, result, carry: '0', totals: [] };
  }
  const { boxes, result } = (await compute390(reader, tenantId, period.year, overrides)).computed;
  return { boxes, type: 'N', result, carry: '0', totals: [] };
}
