/** Names of what every company has, in the language of its chart of accounts. */
import type { SeedNames } from './defaults.ts';

const ENGLISH: SeedNames = {
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

/** By language; Spanish names are those of defaults.ts. */
const NAMES: Readonly<Record<string, SeedNames>> = { es: {}, en: ENGLISH };

/** @param language of the chart; names in another one than these are English */
export function seedNames(language: string): SeedNames {
  return NAMES[language] ?? ENGLISH;
}
