/** Landed costs as clients see them. */
import type { Reader } from '../../../db/database.ts';
import { LandedCost } from '../../../db/models/trade/landed-costs.ts';
import { findRow } from '../../../db/queries/find.ts';
import { query } from '../../../db/sql.ts';
import { notFound } from '../../../domain/errors.ts';
import { type Decimal, toNumber } from '../../../domain/money.ts';
import type { SpreadMethod } from '../../../domain/trade/stock/landed-cost.ts';

interface Details {
  readonly costs: readonly {
    readonly description: string | null;
    readonly method: SpreadMethod;
    readonly amount: Decimal;
    readonly documentLineId: string | null;
    readonly documentId: string | null;
  }[];
  readonly shares: readonly {
    readonly documentId: string;
    readonly documentCode: string | null;
    readonly documentLineId: string;
    readonly itemId: string;
    readonly itemCode: string;
    readonly quantity: Decimal;
    readonly amount: Decimal;
  }[];
}

const DETAILS_SQL = `select
  (select json_agg(json_build_object('description', c.description, 'method', c.method, 'amount', c.amount::text,
     'documentLineId', c.document_line_id, 'documentId', l.document_id) order by c.number)
   from landed_cost_charges c left join document_lines l on l.id = c.document_line_id where c.landed_cost_id = :id::uuid) as costs,
  (select json_agg(json_build_object('documentId', d.id, 'documentCode', d.code, 'documentLineId', l.id, 'itemId', i.id, 'itemCode', i.code,
     'quantity', l.base_quantity::text, 'amount', s.amount::text) order by d.date, d.id, l.line_number)
   from landed_cost_shares s join document_lines l on l.id = s.document_line_id join documents d on d.id = l.document_id
   join items i on i.id = l.item_id where s.landed_cost_id = :id::uuid) as shares`;

/** The head of a landed cost. */
export function landedCostHead({ tenantId: _, total, ...head }: LandedCost) {
  return { ...head, total: toNumber(total) };
}

/** @throws ServiceError not_found */
export async function readLandedCost(reader: Reader, id: string) {
  const [head, [details]] = await Promise.all([
    findRow(reader, LandedCost, { id }),
    query<{ [M in keyof Details]: Details[M] | null }>(reader, DETAILS_SQL, { id }),
  ]);
  if (head === undefined) throw notFound('This landed cost');
  return {
    ...landedCostHead(head),
    costs: (details?.costs ?? []).map((cost) => ({ ...cost, amount: toNumber(cost.amount) })),
    shares: (details?.shares ?? []).map((share) => ({
      ...share,
      quantity: toNumber(share.quantity),
      amount: toNumber(share.amount),
    })),
  };
}
