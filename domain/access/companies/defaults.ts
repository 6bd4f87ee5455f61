/**
 * Initial data of companies beside their chart and taxes (domain/ledger/accounting/charts). Names here are Spanish; those in the
 * languages of other charts are in names.ts. Everything can be changed later.
 */

export const DEFAULT_UNITS = [
  { code: 'UD', name: 'Unidad', decimals: 2 },
  { code: 'KG', name: 'Kilogramo', decimals: 3 },
  { code: 'L', name: 'Litro', decimals: 3 },
  { code: 'M', name: 'Metro', decimals: 3 },
  { code: 'CJ', name: 'Caja', decimals: 2 },
  { code: 'BL', name: 'Blíster', decimals: 2 },
  { code: 'H', name: 'Hora', decimals: 2 },
] as const;

/** Names that replace those of units, groups, warehouse and series, by their codes or prefixes. */
export type SeedNames = Readonly<Record<string, string>>;

/** With the roles of the posting accounts of partners in the group. */
export const DEFAULT_PARTNER_GROUPS = [
  {
    code: 'CLI',
    name: 'Clientes',
    codePrefix: 'CLI',
    isCustomer: true,
    isVendor: false,
    receivable: 'receivable',
    payable: null,
  },
  {
    code: 'PRO',
    name: 'Proveedores',
    codePrefix: 'PRO',
    isCustomer: false,
    isVendor: true,
    receivable: null,
    payable: 'payable',
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
export function defaultSeries(year: number, names: SeedNames = {}) {
  return SERIES.map(({ docType, rectifying, name }) => ({
    docType,
    rectifying,
    name: `${names[(rectifying ? 'R' : '') + docType] ?? name} ${year}`,
    prefix: `${rectifying ? 'R' : ''}${docType}${year}-`,
    padding: 5,
    year,
  }));
}
