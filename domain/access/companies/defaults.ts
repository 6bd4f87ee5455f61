/**
 * Initial data of companies. Names and taxes here are Spanish, like the chart of accounts; companies elsewhere begin with neutral
 * ones (neutral.ts). Everything can be changed later.
 */
import type { Decimal } from '../../money.ts';

export const DEFAULT_UNITS = [
  { code: 'UD', name: 'Unidad', decimals: 2 },
  { code: 'KG', name: 'Kilogramo', decimals: 3 },
  { code: 'L', name: 'Litro', decimals: 3 },
  { code: 'M', name: 'Metro', decimals: 3 },
  { code: 'CJ', name: 'Caja', decimals: 2 },
  { code: 'BL', name: 'Blíster', decimals: 2 },
  { code: 'H', name: 'Hora', decimals: 2 },
] as const;

/** A tax with the codes of its accounts: the sub-accounts of its rate. */
export interface TaxSeed {
  readonly code: string;
  readonly name: string;
  readonly rate: Decimal;
  readonly surchargeRate: Decimal;
  readonly kind: 'vat' | 'exempt';
  readonly accounts: Partial<Record<'output' | 'input' | 'surcharge' | 'intraEuOutput' | 'intraEuInput', string>>;
}

/** VAT with the equivalence surcharge of each rate; decimals as text. */
export const DEFAULT_TAXES: readonly TaxSeed[] = [
  { code: 'IVA0', name: 'IVA exento', rate: '0', surchargeRate: '0', kind: 'exempt', accounts: {} },
  {
    code: 'IVA4',
    name: 'IVA superreducido 4 %',
    rate: '4',
    surchargeRate: '0.5',
    kind: 'vat',
    accounts: { output: '47700004', input: '47200004', surcharge: '47710050' },
  },
  {
    code: 'IVA10',
    name: 'IVA reducido 10 %',
    rate: '10',
    surchargeRate: '1.4',
    kind: 'vat',
    accounts: { output: '47700010', input: '47200010', surcharge: '47710140' },
  },
  {
    code: 'IVA21',
    name: 'IVA general 21 %',
    rate: '21',
    surchargeRate: '5.2',
    kind: 'vat',
    accounts: {
      output: '47700021',
      input: '47200021',
      surcharge: '47710520',
      intraEuOutput: '47720021',
      intraEuInput: '47220021',
    },
  },
];

/** Codes of the general rate, the default of items and lines: of a company in Spain, elsewhere, and without a known rate. */
export const GENERAL_TAXES = ['IVA21', 'VAT', 'VAT0'];

/** Initial data that depends on the country of a company. */
export interface CompanySeed {
  /** Names that replace those of units, groups, warehouse and series, by their codes or prefixes. */
  readonly names: Readonly<Record<string, string>>;
}

/** Accounts by code: the posting accounts of partners in the group. */
export const DEFAULT_PARTNER_GROUPS = [
  {
    code: 'CLI',
    name: 'Clientes',
    codePrefix: 'CLI',
    isCustomer: true,
    isVendor: false,
    receivable: '430',
    payable: null,
  },
  {
    code: 'PRO',
    name: 'Proveedores',
    codePrefix: 'PRO',
    isCustomer: false,
    isVendor: true,
    receivable: null,
    payable: '400',
  },
] as const;

export const DEFAULT_WAREHOUSE = { code: 'ALM1', name: 'Almacén principal' } as const;

const SERIES = [
  { docType: 'SQ', rectifying: false, name: 'Presupuestos' },
  { docType: 'SO', rectifying: false, name: 'Pedidos de venta' },
  { docType: 'SDN', rectifying: false, name: 'Albaranes de venta' },
  { docType: 'SINV', rectifying: false, name: 'Facturas de venta' },
  { docType: 'SINV', rectifying: true, name: 'Facturas de venta rectificativas' },
  { docType: 'PR', rectifying: false, name: 'Peticiones de oferta' },
  { docType: 'PO', rectifying: false, name: 'Pedidos de compra' },
  { docType: 'PDN', rectifying: false, name: 'Albaranes de compra' },
  { docType: 'PINV', rectifying: false, name: 'Facturas de compra' },
  { docType: 'PINV', rectifying: true, name: 'Facturas de compra rectificativas' },
] as const;

/** Builds the default series of a year: SO2026-00001 …; those of rectifying invoices have the prefix R (RSINV2026-00001). */
export function defaultSeries(year: number, names: CompanySeed['names'] = {}) {
  return SERIES.map(({ docType, rectifying, name }) => ({
    docType,
    rectifying,
    name: `${names[(rectifying ? 'R' : '') + docType] ?? name} ${year}`,
    prefix: `${rectifying ? 'R' : ''}${docType}${year}-`,
    padding: 5,
    year,
  }));
}
