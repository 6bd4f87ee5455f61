/**
 * IGIC of the Canary Islands: rates of Ley 4/2012, arts. 51 to 61, as in force in 2026; 5 % is for homes (art. 58, since 2018). What
 * retailers sell is exempt, which they have to say on their invoices (Ley 20/1991, art. 58 bis).
 */
import type { TaxSeed } from '../chart.ts';
import type { TaxSetSeed } from './seed.ts';

const OWN = { output: '4777', input: '4727' } as const;

const rate = (percent: TaxSeed['rate'], name: string): TaxSeed => ({
  ...{ code: `IGIC${percent}`, name: `IGIC ${name}`, rate: percent, surchargeRate: '0', kind: 'vat', accounts: OWN },
});

export const IGIC: TaxSetSeed = {
  general: ['IGIC7'],
  accounts: [
    { code: '4727', name: 'Hacienda Pública, IGIC soportado', type: 'asset' },
    { code: '4777', name: 'Hacienda Pública, IGIC repercutido', type: 'liability' },
  ],
  taxes: [
    { code: 'IGICEX', name: 'IGIC exento', rate: '0', surchargeRate: '0', kind: 'exempt', accounts: {} },
    {
      ...{ code: 'IGICMIN', name: 'IGIC exento, comerciante minorista', rate: '0', surchargeRate: '0', kind: 'exempt' },
      exemptionArticle: 'comerciante minorista',
      accounts: {},
    },
    rate('0', 'tipo cero'),
    rate('3', 'reducido 3 %'),
    rate('5', 'reducido 5 %'),
    rate('7', 'general 7 %'),
    rate('9.5', 'incrementado 9,5 %'),
    rate('15', 'incrementado 15 %'),
    rate('20', 'especial 20 %'),
  ],
};
