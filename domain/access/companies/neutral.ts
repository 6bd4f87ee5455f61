/**
 * Neutral initial data of companies outside Spain: names in English, and the standard VAT of the country; their chart
 * is neutral-chart.ts. No Spanish sub-account or rate is in it.
 */
import type { Decimal } from '../../money.ts';
import type { CompanySeed, TaxSeed } from './defaults.ts';

/** Standard VAT rates in 2026, in percent. */
const STANDARD_RATES: Readonly<Record<string, Decimal>> = {
  ...{ AT: '20', BE: '21', BG: '20', CY: '19', CZ: '21', DE: '19', DK: '25', EE: '24', FI: '25.5', FR: '20' },
  ...{ GB: '20', GR: '24', HR: '25', HU: '27', IE: '23', IT: '22', LT: '21', LU: '17', LV: '21', MT: '18' },
  ...{ NL: '21', PL: '23', PT: '23', RO: '21', SE: '25', SI: '22', SK: '23' },
};

/** The taxes of a country: its standard VAT, if known, and none. */
export function neutralTaxes(country: string): TaxSeed[] {
  const rate = STANDARD_RATES[country];
  const none: TaxSeed = {
    code: 'VAT0',
    name: 'No VAT',
    rate: '0',
    surchargeRate: '0',
    kind: 'exempt',
    accounts: {},
  };
  if (rate === undefined) return [none];
  const accounts = { output: '477', input: '472' };
  return [none, { code: 'VAT', name: `VAT ${rate} %`, rate, surchargeRate: '0', kind: 'vat', accounts }];
}

/** Names of what every company has, by codes. */
export const NEUTRAL_NAMES: CompanySeed['names'] = {
  ...{ UD: 'Unit', KG: 'Kilogram', L: 'Litre', M: 'Metre', CJ: 'Box', BL: 'Blister', H: 'Hour' },
  ...{ CLI: 'Customers', PRO: 'Suppliers', ALM1: 'Main warehouse' },
  ...{ SO: 'Sales orders', SDN: 'Sales delivery notes', SINV: 'Sales invoices', RSINV: 'Rectifying sales invoices' },
  ...{
    SQ: 'Sales quotations',
    PR: 'Purchase requests',
    PO: 'Purchase orders',
    PDN: 'Goods receipts',
    PINV: 'Purchase invoices',
  },
  RPINV: 'Rectifying purchase invoices',
};
