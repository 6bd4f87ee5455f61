/** Display words for codes in report files. JSON keeps the codes, and so do files whose headers are member names. */

import type { Language } from '../../locale/formats.ts';
import { DOC_TYPES, DOCUMENT_TYPES, spanishTitle, typeTitle } from '../../trade/documents/types.ts';
import type { Texts } from './texts.ts';

type Words = Readonly<Record<string, Texts>>;

const DOCUMENTS: Words = {
  ...Object.fromEntries(
    DOC_TYPES.map((code) => [DOCUMENT_TYPES[code].name, { en: typeTitle(code), es: spanishTitle(code) }]),
  ),
  stock_adjustment: { en: 'Count', es: 'Recuento' },
  stock_transfer: { en: 'Transfer', es: 'Traspaso' },
  landed_cost: { en: 'Landed cost', es: 'Coste adicional' },
  stock_assembly: { en: 'Assembly', es: 'Montaje' },
};

/** By column, then by code. */
export const WORDS: Readonly<Record<string, Words>> = {
  kind: {
    repercutido: { en: 'Charged', es: 'Repercutido' },
    soportado: { en: 'Borne', es: 'Soportado' },
    repercutido_oss: { en: 'Charged for other states (OSS)', es: 'Repercutido de otros Estados (OSS)' },
    not_deductible: { en: 'Not deductible', es: 'No deducible' },
    balance: { en: 'Balance', es: 'Resultado' },
    purchase: { en: 'Purchases', es: 'Compras' },
    cost_change: { en: 'Later costs and prices', es: 'Costes y precios posteriores' },
    count: { en: 'Counts', es: 'Recuentos' },
    assembly: { en: 'Assemblies', es: 'Montajes' },
    expense: { en: 'Expense', es: 'Gasto' },
    income: { en: 'Income', es: 'Ingreso' },
    dividend: { en: 'Dividend', es: 'Dividendo' },
    interest: { en: 'Interest', es: 'Interés' },
    new_standard: { en: 'New standard costs', es: 'Nuevos costes estándar' },
  },
  regime: {
    domestic: { en: 'Domestic', es: 'Interior' },
    surcharge: { en: 'Equivalence surcharge', es: 'Recargo de equivalencia' },
    cash_basis: { en: 'Cash basis', es: 'Criterio de caja' },
    intra_eu_goods: { en: 'Intra-EU, goods', es: 'Intracomunitaria, bienes' },
    intra_eu_services: { en: 'Intra-EU, services', es: 'Intracomunitaria, servicios' },
    export: { en: 'Export', es: 'Exportación' },
    services_abroad: { en: 'Services abroad', es: 'Servicios fuera de la UE' },
    oss_goods: { en: 'One-stop shop, goods', es: 'Ventanilla única, bienes' },
    oss_services: { en: 'One-stop shop, services', es: 'Ventanilla única, servicios' },
    import: { en: 'Import', es: 'Importación' },
    services_from_abroad: { en: 'Services from abroad', es: 'Servicios de fuera de la UE' },
    reverse_charge: { en: 'Reverse charge', es: 'Inversión del sujeto pasivo' },
    agricultural: { en: 'Farming scheme', es: 'Régimen de agricultura, ganadería y pesca' },
    margin: { en: 'Margin scheme', es: 'Bienes usados' },
    exempt: { en: 'Exempt', es: 'Exenta' },
    not_subject: { en: 'Not subject', es: 'No sujeta' },
  },
  supply: {
    goods: { en: 'Goods', es: 'Bienes' },
    services: { en: 'Services', es: 'Servicios' },
  },
  rate_kind: {
    standard: { en: 'Standard', es: 'General' },
    reduced: { en: 'Reduced', es: 'Reducido' },
  },
  use: {
    current: { en: 'Current', es: 'Corriente' },
    investment: { en: 'Investment', es: 'Bienes de inversión' },
    none: { en: 'Not deductible', es: 'No deducible' },
  },
  source: {
    invoice: { en: 'Invoice', es: 'Factura' },
    open_item: { en: 'Opening debt', es: 'Saldo inicial' },
    payment: { en: 'Payment', es: 'Pago' },
    credit: { en: 'Credit', es: 'A favor' },
    recurring: { en: 'Comes back each month', es: 'Se repite cada mes' },
    vat: { en: 'VAT', es: 'IVA' },
    others: { en: 'Others', es: 'Otros' },
  },
  cost_method: {
    fifo: { en: 'FIFO', es: 'FIFO' },
    average: { en: 'Average cost', es: 'Precio medio' },
    standard: { en: 'Standard cost', es: 'Coste estándar' },
  },
  method: {
    linear: { en: 'Linear', es: 'Lineal' },
    declining: { en: 'Constant percentage', es: 'Porcentaje constante' },
    digits: { en: 'Sum of digits', es: 'Números dígitos' },
    none: { en: 'Not depreciated', es: 'No se amortiza' },
    transfer: { en: 'Transfer', es: 'Transferencia' },
    cash: { en: 'Cash', es: 'Efectivo' },
    card: { en: 'Card', es: 'Tarjeta' },
    cheque: { en: 'Cheque', es: 'Cheque' },
    effects: { en: 'Bill of exchange', es: 'Efectos' },
    direct_debit: { en: 'Direct debit', es: 'Domiciliación' },
    voucher: { en: 'Voucher', es: 'Vale' },
  },
  document_type: DOCUMENTS,
  type: {
    sick: { en: 'Sick leave', es: 'Enfermedad' },
    unpaid: { en: 'Unpaid leave', es: 'Permiso sin sueldo' },
    other: { en: 'Other leave', es: 'Otros permisos' },
  },
};

/** Returns the words for a column's codes; undefined for a column without codes. */
export function wordsFor(column: string, language: Language): Readonly<Record<string, string>> | undefined {
  const words = Object.hasOwn(WORDS, column) ? WORDS[column] : undefined;
  if (words === undefined) return undefined;
  return Object.fromEntries(Object.entries(words).map(([code, texts]) => [code, texts[language]]));
}
