/** Suggests registered payments and orders to the bank with the amount of a line. */
import { counted } from '../../words.ts';
import {
  aboutDay,
  aboutPartner,
  combineEvidence,
  type Evidence,
  type OpenOrder,
  type OpenPayment,
  type SuggestedLine,
  type Suggestion,
  WEIGHT,
} from './suggestion.ts';
import { compact, lineTokens, normalized, wholeReferences } from './words.ts';

export function suggestPayments(line: SuggestedLine, payments: readonly OpenPayment[]): Suggestion[] {
  const whole = new Set(wholeReferences(line));
  const tokens = new Set(lineTokens(line));
  return payments.map((payment) => {
    const { partner } = payment;
    const there: Evidence = {
      score: WEIGHT.amount + WEIGHT.registered,
      reasons: ['a payment of this amount is registered'],
    };
    const evidence = [there, named(payment, whole, tokens), aboutDay(line, payment.date), aboutPartner(line, partner)];
    return { payment, order: null, rule: null, invoices: [], instalment: null, partner, ...combineEvidence(evidence) };
  });
}

function named({ id, reference }: OpenPayment, whole: ReadonlySet<string>, tokens: ReadonlySet<string>): Evidence {
  if (whole.has(compact(id))) {
    return { score: WEIGHT.exact, reasons: ['the line has its id, as in the order to the bank'] };
  }
  if (reference === null || !(whole.has(normalized(reference)) || tokens.has(normalized(reference)))) {
    return { score: 0, reasons: [] };
  }
  return { score: WEIGHT.mentioned, reasons: [`its reference ${reference} occurs in the line`] };
}

export function suggestOrders(line: SuggestedLine, orders: readonly OpenOrder[]): Suggestion[] {
  const tokens = new Set(lineTokens(line));
  return orders.map((order) => {
    const { messageId, batch, count } = order;
    const what = counted(count, order.kind === 'direct_debits' ? 'direct debit' : 'transfer');
    const part = batch === null ? '' : `, batch ${batch}`;
    const there: Evidence = {
      score: WEIGHT.amount + WEIGHT.registered,
      reasons: [`${what} of the order ${messageId}${part} add up to this amount`],
    };
    const known = [messageId, `${messageId}-${batch ?? 1}`].some((id) => tokens.has(normalized(id)));
    const byId: Evidence = { score: known ? WEIGHT.exact : 0, reasons: known ? ['its id occurs in the line'] : [] };
    return {
      payment: null,
      order,
      rule: null,
      invoices: [],
      instalment: null,
      partner: null,
      ...combineEvidence([there, byId, aboutDay(line, order.date)]),
    };
  });
}
