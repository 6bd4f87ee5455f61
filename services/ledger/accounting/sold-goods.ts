/**
 * Sales of investment goods that the company has used: they are part of neither the pro rata (LIVA, art. 104.Tres.3) nor the turnover
 * (art. 121.Tres). Fixed assets whose disposal names the line of an invoice tell which sales these are.
 */
import type { Reader } from '../../../db/database.ts';
import { STATE } from '../../../db/queries/document-states.ts';
import { query } from '../../../db/sql.ts';
import { LEAST_VALUE } from '../../../domain/ledger/accounting/investment-goods.ts';
import { type Decimal, sum } from '../../../domain/money.ts';
import { type TaxOperation, taxOperation } from '../../../domain/trade/documents/operations.ts';
import type { TaxRates } from '../../../domain/trade/documents/vat.ts';

/** Proceeds of sold goods by the operation under which the sale is declared. */
export interface SoldGoods {
  readonly operation: TaxOperation;
  readonly base: Decimal;
}

/** Goods have a body: intangible assets (PGC 20) are none. Less dear ones are no investment goods. */
const SOLD_SQL = `
  select m.proceeds::text as base, t.kind, t.rate::text, t.surcharge_rate::text as "surchargeRate",
    t.exemption_reason as "exemptionReason", t.consumption_country as "consumptionCountry",
    coalesce(l.vat_regime, d.vat_regime) as regime, coalesce(i.type = 'product', false) as goods
  from documents d join document_lines l on l.document_id = d.id join asset_movements m on m.document_line_id = l.id
    join assets a on a.id = m.asset_id join asset_groups g on g.id = a.group_id join accounts c on c.id = g.asset_account_id
    join taxes t on t.id = l.tax_group_id left join items i on i.id = l.item_id
  where d.doc_type = 'SINV' and d.posted_at is not null and d.status <> ${STATE.cancelled}
    and d.date between make_date(:year::integer, 1, 1) and make_date(:year::integer, 12, 31)
    and m.kind = 'disposal' and m.standing and m.proceeds <> 0 and c.code not like '20%'
    and (select sum(o.cost) from asset_movements o
      where o.asset_id = a.id and o.standing and o.kind in ('acquisition', 'improvement')) > ${LEAST_VALUE}`;

type Found = SoldGoods & TaxRates & { readonly regime: string; readonly goods: boolean };

/** Reads the investment goods that were invoiced in a calendar year. */
export async function readSoldGoods(reader: Reader, year: number): Promise<SoldGoods[]> {
  const found = await query<Found>(reader, SOLD_SQL, { year });
  return found.map(({ base, regime, goods, ...tax }) => ({
    base,
    operation: taxOperation('sales', tax, regime, goods),
  }));
}

/** @param counts whether sales of an operation are part of the sum */
export function sumSold(sold: readonly SoldGoods[], counts: (operation: TaxOperation) => boolean): Decimal {
  return sum(sold.filter(({ operation }) => counts(operation)).map(({ base }) => base)).toFixed();
}
