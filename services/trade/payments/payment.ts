/** A payment with its applications: as stored, and as clients and the audit log see it. */

import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { jsonList, selectColumns, selectJsonColumns } from '../../../db/models/selected.ts';
import type { Row } from '../../../db/models/table.ts';
import { Payment, PaymentApplication } from '../../../db/models/trade/payments.ts';
import { prepared } from '../../../db/sql.ts';
import { notFound } from '../../../domain/errors.ts';
import { currencyPlacesSql } from '../../../domain/locale/currencies.ts';
import { type Decimal, decimal, optionalNumber, roundedNumber, sum } from '../../../domain/money.ts';
import { toCompany } from '../../../domain/trade/documents/company-amounts.ts';
import type { MatchOutcome } from '../../../domain/trade/payments/match.ts';
import {
  type DebtType,
  debtName,
  linkStatus,
  OPEN_ITEM,
  type PaymentKind,
} from '../../../domain/trade/payments/types.ts';
import { PLACES } from '../../platform/settings/format.ts';
import type { PaymentFacts } from './facts.ts';

type NotOfLinks = 'paymentId' | 'entryId' | 'lineNumber' | 'documentId' | 'itemId' | 'runId' | 'createdAt';

/** One application to one document or open item. */
export type LinkRow = Readonly<Omit<Row<typeof PaymentApplication>, NotOfLinks>> & {
  /** Id of the document or open item. */
  readonly documentId: string;
  readonly docType: DebtType;
  readonly documentCode: string | null;
  /** The exchange rate of the document; null in the company's currency. */
  readonly documentRate: Decimal | null;
};

export type PaymentRow = Readonly<Row<typeof Payment>> & {
  readonly partner: { readonly id: string; readonly code: string; readonly name: string };
  /** The payment with which it came back. */
  readonly returnedBy: string | null;
  /** Decimals of amounts in its currency, and in the company's. */
  readonly places: number;
  readonly companyPlaces: number;
  readonly links: readonly LinkRow[];
};

const { documentId: _document, itemId: _item, ...APPLICATION } = PaymentApplication.columns;

/** A payment with its applications; `p` is the payment. */
export const PAYMENT_COLUMNS = `${selectColumns(Payment, 'p')},
  json_build_object('id', partner.id, 'code', partner.code, 'name', partner.name) as partner, ${PLACES} as "companyPlaces",
  case when p.company_amount is null then ${PLACES} else ${currencyPlacesSql('p.currency')} end as places,
  (select b.id from payments b where b.returns = p.id) as "returnedBy",
  ${jsonList(`select ${selectJsonColumns({ columns: APPLICATION }, 'a')}, coalesce(a.document_id, a.item_id) as "documentId",
      coalesce(d.doc_type, '${OPEN_ITEM}') as "docType", coalesce(d.code, i.code) as "documentCode",
      d.exchange_rate::text as "documentRate"
    from payment_applications a left join documents d on d.id = a.document_id left join open_items i on i.id = a.item_id
    where a.payment_id = p.id order by a.seq`)} as links`;

/** Each payment has its partner; PostgreSQL omits the join where nothing of it is needed. */
export const PAYMENT_FROM = 'payments p left join partners partner on partner.id = p.partner_id';

const BY_ID = `select ${PAYMENT_COLUMNS} from ${PAYMENT_FROM} where p.id = any(:ids::uuid[]) order by p.id`;

/** Loads payments by id; unknown ones are left out. */
export async function loadPayments(reader: Reader, ids: readonly string[]): Promise<PaymentRow[]> {
  return await prepared<PaymentRow>(reader, BY_ID, { ids: [...ids] });
}

/** Loads payments and locks them until the transaction ends. */
export async function lockPayments(trx: Db, ids: readonly string[]): Promise<PaymentRow[]> {
  await prepared(trx, 'select id from payments where id = any(:ids::uuid[]) order by id for update', { ids: [...ids] });
  return loadPayments(trx, ids);
}

/** @throws ServiceError not_found, also for another kind */
export function onlyPayment(rows: readonly PaymentRow[], kind: PaymentKind): PaymentRow {
  const [row] = rows;
  if (row === undefined || kind !== (row.paymentMethod === 'offset' ? 'offset' : row.direction))
    throw notFound(kind === 'offset' ? 'The offset' : 'The payment');
  return row;
}

/** The outcome of the last matching; null after people have changed its applications. */
export function outcomeMembers(outcome: MatchOutcome | null) {
  const { mode = null, reason = null, explanation = null } = outcome ?? {};
  return { reconciliationMode: mode, reconciliationReason: reason, explanation };
}

/** A link with the opposite of what it settles. */
export function reversed(link: LinkRow): LinkRow {
  const { settled, companySettled } = link;
  return { ...link, settled: negated(settled), companySettled: companySettled && negated(companySettled) };
}

function negated(value: Decimal): Decimal {
  return decimal(value).neg().toFixed();
}

/** The unapplied amount. */
export function unappliedAmount({ amount, appliedTotal }: Pick<PaymentRow, 'amount' | 'appliedTotal'>): Decimal {
  return decimal(amount).minus(appliedTotal).toFixed();
}

/** `pending` until the workflow has matched it; then the outcome of that or a later matching. */
function matchingToJson({ amount, appliedTotal, links, reconciliation, ...row }: PaymentRow) {
  if (reconciliation === 'pending') return { reconciliation: 'pending' as const };
  const { reconciliationMode: mode, reconciliationReason: reason, explanation: message } = row;
  if (message === null) return {};
  const matched = links.filter(({ matchedBy }) => matchedBy !== null).length;
  return { reconciliation: { mode, status: linkStatus(amount, appliedTotal, matched), reason, message } };
}

/** A payment as clients see it; offsets have another form. */
export function paymentAnswer(row: PaymentRow) {
  const { paymentMethod: payment_method } = row;
  if (payment_method === 'offset') throw new Error('an offset is no payment of money');
  return { ...paymentToJson(row), payment_method };
}

/** A payment or offset as the audit log keeps it. */
export function paymentToJson(row: PaymentRow) {
  const money = (value: Decimal) => roundedNumber(value, row.places);
  return {
    id: row.id,
    partner_id: row.partner.id,
    partner_name: row.partner.name,
    amount: money(row.amount),
    currency: row.currency,
    exchange_rate: optionalNumber(row.exchangeRate),
    company_amount: row.companyAmount === null ? null : roundedNumber(row.companyAmount, row.companyPlaces),
    payment_date: row.date,
    payment_method: row.paymentMethod,
    bank_account_id: row.bankAccountId,
    reference: row.reference,
    notes: row.notes,
    status: linkStatus(row.amount, row.appliedTotal, row.links.length),
    ...matchingToJson(row),
    amount_applied: money(row.appliedTotal),
    credit: money(unappliedAmount(row)),
    returns: row.returns,
    returned_by: row.returnedBy,
    fees: money(row.fees),
    fees_borne_by: row.feesBorneBy,
    linked_documents: row.links.map((link) => ({
      id: link.id,
      document_type: debtName(link.docType),
      document_id: link.documentId,
      document_code: link.documentCode,
      instalment: link.instalment,
      date: link.date,
      amount_applied: money(link.amount),
      withholding: money(link.withholding),
      discount: money(link.discount),
      write_off: money(link.writeOff),
      exchange_difference: exchangeDifference(row, link),
      keep_withholding: link.keepWithholding,
      previous_status: link.previousStatus,
      new_status: link.newStatus,
      advance_on: link.originDocumentId,
      matched_by: link.matchedBy,
    })),
    created_by: row.createdBy,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    version: row.version,
  };
}

/** The gain, or negative loss, that an application realised; null in the company's currency. */
function exchangeDifference({ direction, companyPlaces: places }: PaymentRow, link: LinkRow): number | null {
  if (link.companyAmount === null || link.companySettled === null) return null;
  const extras = sum([link.withholding, link.discount, link.writeOff]).toFixed();
  const worth = decimal(toCompany(extras, link.documentRate ?? '1', places)).plus(link.companyAmount);
  const isRefund = decimal(link.settled)
    .times(sum([link.amount, extras]))
    .lt(0);
  const gain = worth.minus(decimal(link.companySettled).times(isRefund ? -1 : 1));
  return roundedNumber((direction === 'in' ? gain : gain.neg()).toFixed(), places);
}

type Given = 'direction' | 'partner' | 'amount' | 'appliedTotal' | 'date' | 'periodId' | 'paymentMethod' | 'links';
type Optional =
  | 'currency'
  | 'exchangeRate'
  | 'companyAmount'
  | 'returns'
  | 'fees'
  | 'feesBorneBy'
  | 'bankAccountId'
  | 'reference'
  | 'notes'
  | 'reconciliation'
  | 'reconciliationRequest';

/** A payment to be registered, in the currency of the facts; without matching unless requested. */
export function newPayment(
  ctx: Context,
  { currency, places, companyPlaces }: Pick<PaymentFacts, 'currency' | 'places' | 'companyPlaces'>,
  members: Pick<PaymentRow, Given> & Partial<Pick<PaymentRow, Optional>>,
): PaymentRow {
  const now = ctx.now.toISOString();
  return {
    id: newId(),
    partnerId: members.partner.id,
    currency,
    exchangeRate: null,
    companyAmount: null,
    places,
    companyPlaces,
    returns: null,
    returnedBy: null,
    fees: '0',
    feesBorneBy: null,
    bankAccountId: null,
    reference: null,
    notes: null,
    reconciliation: null,
    reconciliationRequest: null,
    ...outcomeMembers(null),
    createdBy: ctx.userId,
    version: 1,
    createdAt: now,
    updatedAt: now,
    ...members,
  };
}
