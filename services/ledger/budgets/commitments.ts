/** Purchases that are ordered or received and not entered yet, as commitments of a budget's positions. */
import type { Reader } from '../../../db/database.ts';
import { namedAccount } from '../../../db/queries/assets.ts';
import { companyCost } from '../../../db/queries/company-amounts.ts';
import { STATE } from '../../../db/queries/document-states.ts';
import { query } from '../../../db/sql.ts';
import type { AccountType } from '../../../domain/ledger/accounting/charts/chart.ts';
import { roleMember } from '../../../domain/ledger/accounting/roles.ts';
import { budgetedAmount, type Position, Positions } from '../../../domain/ledger/budgets/positions.ts';
import type { Decimal } from '../../../domain/money.ts';
import { PLACES } from '../../platform/settings/format.ts';
import type { Span } from '../accounting/balances/read.ts';
import { usualCode } from '../accounting/chart.ts';
import type { ActualSum, Dimensions } from './read.ts';

/** The code of the account of a role: that of the company's settings `s`, or else of its chart. */
const inRole = (role: 'purchaseGoods' | 'purchaseServices') =>
  `coalesce((select r.code from accounts r where r.id::text = s.value ->> '${roleMember(role)}'), ${usualCode(role, 's.value')})`;

/** Quantity of an order that is neither received nor invoiced, of a note that is not invoiced, or of the draft that invoices either. */
const OPEN = `case d.doc_type when 'PO' then l.quantity - l.delivered_quantity - l.invoiced_quantity - l.closed_quantity
    when 'PDN' then l.quantity - l.invoiced_quantity - l.returned_quantity - l.closed_quantity else l.quantity end`;

/** An order that is invoiced in a draft is not entered yet. */
const WAITS = `(d.doc_type in ('PO', 'PDN') and d.status in (${STATE.open}, ${STATE.partial}) and d.returns is null
    or d.doc_type = 'PINV' and d.status = ${STATE.draft} and l.base_type in ('PO', 'PDN'))`;

/** Notes with entries of their own are in the ledger already. The states are repeated for the index of unfinished documents. */
const SQL = `with lines as (
    select coalesce(named.code,
        case when i.type = 'product' then ${inRole('purchaseGoods')} else ${inRole('purchaseServices')} end) as code,
      coalesce(l.project_id, d.project_id) as project_id, coalesce(l.cost_center_id, d.cost_center_id) as cost_center_id,
      date_trunc('month', case when d.doc_type = 'PINV' then d.date else coalesce(d.delivery_date, d.date) end)::date as month,
      d.id as document_id, ${companyCost('l')} * ${OPEN} / l.quantity as amount
    from documents d join document_lines l on l.document_id = d.id left join items i on i.id = l.item_id
    left join settings s on s.name = 'accounting'
    left join accounts named on named.id = ${namedAccount('l', 'i', 'purchase')}
    where d.status in (${STATE.draft}, ${STATE.open}, ${STATE.partial}) and ${WAITS} and l.quantity > 0
      and ${OPEN} > 0 and not exists (select from journal_lines j where j.note_line_id in (l.id, l.base_line_id))
  )
  select a.code, a.type, l.project_id as "projectId", l.cost_center_id as "costCenterId", l.month,
    round(sum(l.amount), ${PLACES})::text as amount,
    round(coalesce(sum(l.amount) filter (where l.document_id = :documentId::uuid), 0), ${PLACES})::text as own
  from lines l join accounts a on a.code = l.code
  where l.month between date_trunc('month', :from::date) and :to::date
    and (:projectId::uuid is null or l.project_id = :projectId::uuid)
    and (:costCenterId::uuid is null or l.cost_center_id = :costCenterId::uuid)
  group by 1, 2, 3, 4, 5`;

interface Committed extends Omit<Position, 'account'> {
  readonly code: string;
  readonly type: AccountType;
  readonly month: string;
  readonly amount: Decimal;
  readonly own: Decimal;
}

/** The sum of commitments in a position and month. */
export interface CommittedSum extends ActualSum {
  /** Part of the document that was asked about. */
  readonly own: Decimal;
}

/**
 * Sums what is ordered or received and not entered by the positions of a budget and by the month of the delivery, or else of the order; of
 * drafts of invoices, by their own month.
 * @param positions those of the budget
 * @param span of whole months
 */
export async function readCommitments(
  reader: Reader,
  {
    positions,
    others,
    span,
    dimensions = {},
    documentId = null,
  }: {
    readonly positions: readonly Position[];
    /** Where lines count that are in none of these. */
    readonly others?: readonly Position[] | undefined;
    readonly span: Span;
    readonly dimensions?: Dimensions;
    /** An order whose part is told apart. */
    readonly documentId?: string | null;
  },
): Promise<CommittedSum[]> {
  const found = await query<Committed>(reader, SQL, {
    from: span.from ?? null,
    to: span.to ?? null,
    projectId: dimensions.projectId ?? null,
    costCenterId: dimensions.costCenterId ?? null,
    documentId,
  });
  const book = new Positions(positions, others);
  return found.flatMap(({ code, type, month, amount, own, ...dimensions }) => {
    const position = book.find({ account: code, ...dimensions });
    const signed = (value: Decimal) => budgetedAmount(type, value);
    return position === undefined ? [] : [{ position, month, amount: signed(amount), own: signed(own) }];
  });
}
