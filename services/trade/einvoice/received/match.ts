/** Finds what a supplier's invoice names: the supplier, items by their codes, taxes by their rates. */
import type { Db } from '../../../../db/database.ts';
import { query } from '../../../../db/sql.ts';
import { normalizeTaxId } from '../../../../domain/identifiers.ts';
import { type Decimal, decimal } from '../../../../domain/money.ts';
import type {
  ReceivedInvoice,
  ReceivedLine,
  ReceivedParty,
} from '../../../../domain/trade/einvoice/received/received.ts';

export interface Supplier {
  readonly id: string;
  readonly name: string;
}

interface TaxRow {
  readonly id: string;
  readonly rate: Decimal;
  readonly kind: 'vat' | 'exempt' | 'reverse_charge' | 'not_subject';
}

export interface Matched {
  readonly supplier: Supplier | null;
  /** Finds the item of a line: by the buyer's own code or SKU, or a barcode. */
  item(line: ReceivedLine): string | undefined;
  readonly taxes: readonly TaxRow[];
}

const SUPPLIER_SQL = `
  select p.id, p.name from partners p join partner_groups g on g.id = p.group_id
  where p.nif = any(:taxIds::text[]) order by g.is_vendor desc, p.active desc, p.code limit 1`;

const ITEMS_SQL = `
  select id, code, sku, barcode from items
  where active and (code = any(:codes::text[]) or sku = any(:codes::text[]) or barcode = any(:codes::text[]))`;

const TAXES_SQL = `
  select id, rate::text, kind from taxes where daterange(valid_from, valid_to, '[]') @> :date::date order by code`;

/** Finds them in the company's master data. */
export async function matchInvoice(trx: Db, { seller, lines, date, operationDate }: ReceivedInvoice): Promise<Matched> {
  const codes = [...new Set(lines.flatMap((line) => line.codes.map(({ code }) => code)))];
  const [suppliers, items, taxes] = await Promise.all([
    query<Supplier>(trx, SUPPLIER_SQL, { taxIds: normalizedIds(seller, 'ES') }),
    codes.length === 0
      ? []
      : query<{ id: string; code: string; sku: string | null; barcode: string | null }>(trx, ITEMS_SQL, { codes }),
    query<TaxRow>(trx, TAXES_SQL, { date: operationDate ?? date }),
  ]);
  const own = new Map(
    items.flatMap(({ id, code, sku }) => [code, ...(sku === null ? [] : [sku])].map((one) => [one, id])),
  );
  const barcodes = new Map(items.flatMap(({ id, barcode }) => (barcode === null ? [] : [[barcode, id]])));
  const item = ({ codes: named }: ReceivedLine) =>
    named.flatMap(({ by, code }) => (by === 'buyer' ? own : barcodes).get(code) ?? [])[0];
  return { supplier: suppliers[0] ?? null, item, taxes };
}

/** The tax ids of a party as partners have them. @param otherwise country of a party that states none */
export function normalizedIds({ taxIds, country }: ReceivedParty, otherwise: string): string[] {
  return [...new Set(taxIds.flatMap((id) => normalizeTaxId(country ?? otherwise, id) ?? []))];
}

/** The tax of a line; undefined if the company has none for it. Where the buyer owes it, the item or the company says which. */
export function taxFor({ treatment, taxRate }: ReceivedLine, taxes: readonly TaxRow[]): string | null | undefined {
  if (treatment === 'intra_eu' || treatment === 'reverse_charge') return null;
  const kind = treatment === 'taxed' ? 'vat' : treatment;
  return taxes.find((tax) => tax.kind === kind && decimal(tax.rate).eq(taxRate))?.id;
}
