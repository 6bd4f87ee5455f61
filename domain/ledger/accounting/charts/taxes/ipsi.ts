/**
 * IPSI of Ceuta and Melilla: the ordinances of both cities set rates between 0.5 and 10 % (Ley 8/1991, art. 18); these are the usual
 * ones. None is general.
 */
import type { TaxSeed } from '../chart.ts';
import type { TaxSetSeed } from './seed.ts';

const rate = (percent: TaxSeed['rate']): TaxSeed => ({
  code: `IPSI${percent}`,
  name: `IPSI ${percent.replace('.', ',')} %`,
  rate: percent,
  surchargeRate: '0',
  kind: 'vat',
  accounts: { output: '4776', input: '4726' },
});

export const IPSI: TaxSetSeed = {
  general: [],
  accounts: [
    { code: '4726', name: 'Ciudad Autónoma, IPSI soportado', type: 'asset' },
    { code: '4776', name: 'Ciudad Autónoma, IPSI repercutido', type: 'liability' },
  ],
  taxes: [
    { code: 'IPSIEX', name: 'IPSI exento', rate: '0', surchargeRate: '0', kind: 'exempt', accounts: {} },
    ...(['0.5', '1', '2', '3', '4', '8', '10'] as const).map(rate),
  ],
};
