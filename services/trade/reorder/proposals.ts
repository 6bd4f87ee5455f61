/** Proposals to order goods again: items of which less is expected than their rule's minimum. */
import type { Reader } from '../../../db/database.ts';
import { STATE } from '../../../db/queries/document-states.ts';
import { openBaseQuantity } from '../../../db/queries/open-quantities.ts';
import { query } from '../../../db/sql.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { type Decimal, decimal, optionalNumber, sum, toNumber } from '../../../domain/money.ts';
import { type ReorderLevels, reorderQuantity } from '../../../domain/trade/stock/reorder.ts';

export interface ProposalFilter {
  readonly supplierId?: string | undefined;
  readonly warehouseId?: string | undefined;
  readonly itemId?: string | undefined;
}

export interface Proposal {
  readonly ruleId: string;
  readonly itemId: string;
  readonly itemCode: string;
  readonly itemName: string;
  readonly warehouseId: string | null;
  readonly supplierId: string | null;
  readonly supplierName: string | null;
  /** Whether the supplier can be ordered from: it is active, and one of suppliers; false without one. */
  readonly orderable: boolean;
  readonly onHand: Decimal;
  readonly reserved: Decimal;
  readonly incoming: Decimal;
  /** Open quantity of purchase requests that can still be ordered. */
  readonly requested: Decimal;
  readonly projected: Decimal;
  readonly minimum: Decimal;
  readonly maximum: Decimal | null;
  readonly packQuantity: Decimal | null;
  readonly leadTimeDays: number;
  readonly quantity: Decimal;
}

const SQL = `
  with requests as (
    select l.item_id, l.warehouse_id, sum(${openBaseQuantity('l')}) as quantity
    from documents d join document_lines l on l.document_id = d.id
    where d.doc_type = 'PR' and l.item_id is not null
      and d.status in (${STATE.draft}, ${STATE.open}, ${STATE.accepted}, ${STATE.partial})
    group by 1, 2
  )
  select r.id as "ruleId", r.item_id as "itemId", i.code as "itemCode", i.name as "itemName", r.warehouse_id as "warehouseId",
    r.supplier_id as "supplierId", p.name as "supplierName",
    coalesce(p.active and (g.is_vendor or not g.is_customer), false) as orderable,
    s.on_hand::text as "onHand", s.reserved::text, s.incoming::text,
    q.requested::text, (s.on_hand - s.reserved + s.incoming + q.requested)::text as projected, r.minimum::text,
    r.maximum::text, r.pack_quantity::text as "packQuantity", r.lead_time_days as "leadTimeDays"
  from reorder_rules r join items i on i.id = r.item_id and i.active and i.stock_tracked
    left join partners p on p.id = r.supplier_id left join partner_groups g on g.id = p.group_id
  cross join lateral (
    select coalesce(sum(l.on_hand), 0) as on_hand, coalesce(sum(l.reserved), 0) as reserved, coalesce(sum(l.incoming), 0) as incoming
    from stock_levels l where l.item_id = r.item_id and (r.warehouse_id is null or l.warehouse_id = r.warehouse_id)) s
  cross join lateral (
    select coalesce(sum(quantity), 0) as requested from requests
    where item_id = r.item_id and (r.warehouse_id is null or warehouse_id = r.warehouse_id)) q
  where r.active and s.on_hand - s.reserved + s.incoming + q.requested < r.minimum
    and (:supplier::uuid is null or r.supplier_id = :supplier::uuid)
    and (:warehouse::uuid is null or r.warehouse_id = :warehouse::uuid) and (:item::uuid is null or r.item_id = :item::uuid)
  order by p.name nulls last, i.code, r.id`;

/** @returns the proposals, by supplier and item */
export async function proposals(reader: Reader, filter: ProposalFilter): Promise<Proposal[]> {
  const rows = await query<Omit<Proposal, 'quantity'>>(reader, SQL, {
    supplier: filter.supplierId ?? null,
    warehouse: filter.warehouseId ?? null,
    item: filter.itemId ?? null,
  });
  const proposed = (row: (typeof rows)[number], expected: Decimal): Proposal => ({
    ...row,
    quantity: reorderQuantity(expected, row satisfies ReorderLevels),
  });
  const ofWarehouses = rows.flatMap((row) => (row.warehouseId === null ? [] : proposed(row, row.projected)));
  const among = groupBy(ofWarehouses, ({ itemId }) => itemId);
  // What is ordered for single warehouses is expected by a rule for all of them together.
  const ofAll = rows.flatMap((row): Proposal[] => {
    if (row.warehouseId !== null) return [];
    const ordered = (among.get(row.itemId) ?? []).map(({ quantity }) => quantity);
    const proposal = proposed(row, sum([row.projected, ...ordered]).toFixed());
    return decimal(proposal.quantity).gt(0) ? [proposal] : [];
  });
  const byRule = new Map([...ofWarehouses, ...ofAll].map((proposal) => [proposal.ruleId, proposal]));
  return rows.flatMap(({ ruleId }) => byRule.get(ruleId) ?? []);
}

export function proposalToJson(proposal: Proposal) {
  const { maximum, packQuantity } = proposal;
  return {
    ...proposal,
    onHand: toNumber(proposal.onHand),
    reserved: toNumber(proposal.reserved),
    incoming: toNumber(proposal.incoming),
    requested: toNumber(proposal.requested),
    projected: toNumber(proposal.projected),
    minimum: toNumber(proposal.minimum),
    maximum: optionalNumber(maximum),
    packQuantity: optionalNumber(packQuantity),
    quantity: toNumber(proposal.quantity),
  };
}
