/** Accrues taxes of the cash basis as their invoices are settled, in the entry that settles them (decision 0345). */
import type { Db } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';
import { type PendingTax, PendingTaxes } from '../../../domain/ledger/accounting/cash-basis.ts';
import type { EntryLine } from '../../../domain/ledger/accounting/entries.ts';
import type { AccruingSettlement } from '../../../domain/ledger/accounting/payment-entry.ts';
import { inSameReturn } from '../../../domain/ledger/tax-returns/periods.ts';
import { decimal, sum } from '../../../domain/money.ts';
import { PENDING_TAXES } from '../../ledger/accounting/pending-taxes.ts';
import type { LoadedDocument } from '../documents/stored.ts';
import { type Debt, isItem } from './debts.ts';
import type { LinkRow, PaymentRow } from './payment.ts';
import type { Settlement } from './settlements.ts';

/** Pending taxes of the invoices that are settled in one transaction. */
export class PendingOfInvoices {
  readonly #byId = new Map<string, PendingTaxes>();

  /** Finds those of an invoice; they know what was settled so far. @returns undefined if it never had any */
  find({ row }: LoadedDocument, taxes: readonly PendingTax[]): PendingTaxes | undefined {
    if (taxes.length === 0) return undefined;
    const known = this.#byId.get(row.id);
    if (known !== undefined) return known;
    const open = decimal(row.total).minus(row.paidTotal).toFixed();
    const pending = new PendingTaxes({ open, taxes }, row.companyPlaces);
    this.#byId.set(row.id, pending);
    return pending;
  }
}

/** A link as it accrues tax, or, if it is undone, takes it back. @param date of the entry */
export function accruingSettlement(
  pending: PendingTaxes,
  payment: PaymentRow,
  link: LinkRow,
  date: string,
): AccruingSettlement {
  const { settled, discount } = link;
  const ofInvoice = payment.links.filter(({ documentId }) => documentId === link.documentId);
  // A return has the links of the payment that came back, with the opposite sign.
  const whole = sum(ofInvoice.map((one) => one.settled)).times(payment.returns === null ? 1 : -1);
  return {
    pending,
    settled,
    discount,
    payment: { id: payment.returns ?? payment.id, settled: whole.toFixed() },
    rectifies: !inSameReturn('quarters', link.date, date),
  };
}

const ENTERED_SQL = `select e.source_id as "documentId", ${PENDING_TAXES} as pending
  from journal_entries e where e.source_id = any(:ids::uuid[]) and e.reversal_of is null and e.status = 'posted'
    and e.source_type in ('sales_invoice', 'purchase_invoice')`;

/**
 * The lines that accrue taxes of invoices that lines of a manual entry settle.
 * @returns lines that balance; none, without a query, if no invoice is under the cash basis
 */
export async function accrueSettlements(trx: Db, settlements: readonly Settlement[]): Promise<EntryLine[]> {
  const ids = settlements.flatMap(({ debt }) => (onCashBasis(debt) ? [debt.row.id] : []));
  if (ids.length === 0) return [];
  const rows = await prepared<{ documentId: string; pending: readonly PendingTax[] }>(trx, ENTERED_SQL, { ids });
  const taxes = new Map(rows.map(({ documentId, pending }) => [documentId, pending]));
  const invoices = new PendingOfInvoices();
  return settlements.flatMap(({ debt, settled }) => {
    if (!onCashBasis(debt)) return [];
    return invoices.find(debt, taxes.get(debt.row.id) ?? [])?.accrue({ settled, discount: '0' }) ?? [];
  });
}

function onCashBasis(debt: Debt): debt is LoadedDocument {
  return !isItem(debt) && debt.row.cashBasis;
}
