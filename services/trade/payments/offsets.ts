/** Offsets between invoices and credits of one partner: a payment of zero, whose applications add up to zero. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { invalidMember } from '../../../domain/errors.ts';
import { Faults } from '../../../domain/faults.ts';
import { type Decimal, decimal, round, sum, toNumber } from '../../../domain/money.ts';
import { DOCUMENT_TYPES } from '../../../domain/trade/documents/types.ts';
import { offsetAmounts } from '../../../domain/trade/payments/offset.ts';
import {
  invoiceType,
  OPEN_ITEM,
  type PaymentDirection,
  parseDebtType,
  paymentDirection,
} from '../../../domain/trade/payments/types.ts';
import { CompanyValues } from './company-values.ts';
import { factsIn } from './currency.ts';
import { type Debt, debtDirection, isItem, lockDebts } from './debts.ts';
import { PaymentAccounts } from './entry.ts';
import { applicationPeriod, loadFacts, openPeriod, type PaymentFacts } from './facts.ts';
import { resolveLinks } from './links.ts';
import { newPayment, type PaymentRow, paymentToJson } from './payment.ts';
import type { OffsetInput, OffsetLink } from './schemas.ts';
import { settledBy, writePayments } from './write.ts';

/**
 * Offsets credits against invoices of the same partner. No money moves; an entry is made only if they are on different accounts.
 * @throws ServiceError validation_failed with a pointer for each fault, period_closed
 */
export async function setOff(trx: Db, ctx: Context, input: OffsetInput): Promise<PaymentRow> {
  const { linked_documents: inputs } = input;
  const company = await loadFacts(trx, ctx, { partnerId: input.partner_id, date: input.date });
  const { partner } = company;
  if (partner === null)
    throw invalidMember('/partner_id', 'invalid_reference', 'refers to a partner that does not exist');
  const documents = await lockDebts(
    trx,
    inputs.map((link) => link.document_id),
  );
  const direction = commonDirection(inputs, documents);
  const on = offsetDay(company, [...documents.values()], input.date);
  const [first] = documents.values();
  const currency = first?.row.currency ?? company.currency;
  const facts = factsIn(company, { currency, exchangeRate: null });
  const companyAmount = currency === company.currency ? null : '0';
  const resolved = resolveLinks(withAmounts(inputs, documents), documents, {
    direction,
    partnerId: partner.id,
    currency,
    remaining: '0',
    date: on.date,
    facts,
  });
  const money = {
    amount: '0',
    companyAmount,
    exchangeRate: null,
    companyPlaces: facts.companyPlaces,
    links: [],
  } as const;
  const links = new CompanyValues(documents).value(money, resolved);
  const offset = newPayment(ctx, facts, {
    direction,
    partner,
    companyAmount,
    amount: '0',
    appliedTotal: '0',
    date: on.date,
    periodId: on.periodId,
    paymentMethod: 'offset',
    reference: input.reference ?? null,
    notes: input.notes ?? null,
    links,
  });
  const accounts = await PaymentAccounts.load(trx, direction, [...documents.keys()]);
  const entry = accounts.paymentEntry(offset, links, documents, { money: '0', credit: '0', ...on });
  await writePayments(trx, ctx, {
    inserted: [offset],
    links: links.map((link) => ({ ...link, paymentId: offset.id })),
    documents: settledBy(links, documents),
    periods: [on.periodId],
    events: [],
    entries: entry === null ? [] : [entry],
  });
  return offset;
}

/** An offset as clients see it. */
export function offsetToJson(row: PaymentRow) {
  const { amount: _, payment_date: date, ...payment } = paymentToJson(row);
  const debts = row.links.filter(({ amount }) => decimal(amount).gt(0));
  const { id, partner_id, partner_name, currency, reference, notes, linked_documents } = payment;
  const { created_by, created_at, updated_at, version } = payment;
  const amount = toNumber(round(sum(debts.map((link) => link.amount)).toFixed(), row.places));
  const head = { id, partner_id, partner_name, date, amount, currency, reference, notes };
  return { ...head, linked_documents, created_by, created_at, updated_at, version };
}

/** The common side of all links. @throws ServiceError validation_failed */
function commonDirection(inputs: readonly OffsetLink[], documents: ReadonlyMap<string, Debt>): PaymentDirection {
  const sides = inputs.map(({ document_type, document_id }) => {
    const [type, debt] = [parseDebtType(document_type), documents.get(document_id.toLowerCase())];
    if (type === OPEN_ITEM) return debt && isItem(debt) ? debtDirection(debt) : null;
    return type === undefined ? null : paymentDirection(type);
  });
  const direction = sides.find((side) => side !== null) ?? 'in';
  const faults = new Faults();
  sides.forEach((side, index) => {
    // What does not exist is told later.
    if (side === null || side === direction) return;
    const { name } = DOCUMENT_TYPES[invoiceType(direction)];
    faults.add(
      `/linked_documents/${index}/document_type`,
      'wrong_type',
      `must be of the same side as the others: ${name}`,
    );
  });
  faults.throwIfAny();
  return direction;
}

/** @throws ServiceError validation_failed, period_closed */
function offsetDay(
  facts: PaymentFacts,
  documents: readonly Debt[],
  asked: string | undefined,
): { readonly date: string; readonly periodId: string } {
  if (asked === undefined)
    return applicationPeriod(
      facts,
      documents.map(({ row }) => row.date),
    );
  const later = documents.find(({ row }) => row.date > asked);
  if (later !== undefined)
    throw invalidMember(
      '/date',
      'out_of_range',
      `must not be before ${later.row.code ?? 'a draft'} (${later.row.date})`,
    );
  return { date: asked, periodId: openPeriod(facts, asked, '/date').id };
}

/** Computes missing amounts. @throws ServiceError validation_failed */
function withAmounts(inputs: readonly OffsetLink[], documents: ReadonlyMap<string, Debt>): OffsetLink[] {
  const rows = inputs.map(({ document_type, document_id }) => {
    const row = documents.get(document_id.toLowerCase())?.row;
    return row?.docType === parseDebtType(document_type) ? row : undefined;
  });
  const parts = rows.map((row, index) => {
    const asked = inputs[index]?.amount_applied;
    return {
      outstanding: row === undefined ? '0' : decimal(row.total).minus(row.paidTotal).toFixed(),
      asked: asked === undefined ? null : decimal(asked).toFixed(),
    };
  });
  // Unknown and repeated documents are reported together with all other faults.
  if (rows.includes(undefined) || documents.size < inputs.length)
    return inputs.map((input, index) => ({ amount_applied: Number(parts[index]?.outstanding), ...input }));
  const amounts = offsetAmounts(parts);
  const faults = new Faults();
  const isNothing = (amount: Decimal) => decimal(amount).eq(0);
  if (amounts === null) {
    faults.add('/linked_documents', 'unbalanced', 'request more of one side than the other side has');
  } else if (amounts.every(isNothing)) {
    faults.add('/linked_documents', 'unbalanced', 'must name an invoice and a credit that are both outstanding');
  }
  const linked = inputs.map((input, index) => {
    const amount = amounts?.[index] ?? '0';
    if (faults.list.length === 0 && input.amount_applied === undefined && isNothing(amount))
      faults.add(
        `/linked_documents/${index}`,
        'nothing_left',
        'gets nothing: the others use up what there is; leave it out',
      );
    return { ...input, amount_applied: Number(amount) };
  });
  faults.throwIfAny();
  return linked;
}
