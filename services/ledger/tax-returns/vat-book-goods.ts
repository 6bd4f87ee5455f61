/** Reads the book of investment goods: the goods under regularisation with the invoices by which they were bought (decision 0326). */
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import type { Booked } from '../../../domain/ledger/tax-returns/vat-books.ts';
import type { Decimal } from '../../../domain/money.ts';
import { readInvestmentGoods } from '../accounting/investment-goods.ts';

type Good = Awaited<ReturnType<typeof readInvestmentGoods>>[number];

interface Invoice {
  readonly id: string;
  readonly issuedOn: string;
  readonly supplierReference: string | null;
  readonly lineNumber: number;
  readonly rate: Decimal;
  readonly account: string | null;
  readonly assetCode: string | null;
  readonly inUseOn: string | null;
  readonly partner: NonNullable<Booked['partner']>;
}

/** A good with the invoice by which it was bought. */
export type BookedGood = Good & { readonly invoice: Invoice };

/** The asset of a line is what was bought by it, if the company keeps it as one. */
const INVOICES_SQL = `
  select l.id, coalesce(d.document_date, d.date) as "issuedOn", d.supplier_reference as "supplierReference", l.line_number as "lineNumber",
    (case when l.tax_rate <> 0 then l.tax_rate else t.rate end)::text as rate, c.code as account, a.code as "assetCode",
    a.in_use_on as "inUseOn", json_build_object('name', p.name, 'taxId', p.nif, 'country', p.country_code) as partner
  from document_lines l join documents d on d.id = l.document_id join partners p on p.id = d.partner_id
    join taxes t on t.id = l.tax_group_id
    left join items i on i.id = l.item_id left join accounts c on c.id = coalesce(l.account_id, i.purchase_account_id)
    left join lateral (select code, in_use_on from assets where document_line_id = l.id order by code limit 1) a on true
  where l.id = any(:ids::uuid[])`;

/** Reads the goods that are regularised in a year, or were bought in it, by the days on which they were bought. */
export async function readGoodsBook(reader: Reader, year: number): Promise<readonly BookedGood[]> {
  const goods = await readInvestmentGoods(reader, year);
  const invoices = await query<Invoice>(reader, INVOICES_SQL, { ids: goods.map(({ id }) => id) });
  const byLine = new Map(invoices.map((invoice) => [invoice.id, invoice]));
  return goods.flatMap((good) => {
    const invoice = byLine.get(good.id);
    return invoice === undefined ? [] : [{ ...good, invoice }];
  });
}
