/** Suggests matches for a statement line: invoices, payments and orders with its reference, partner or amount. */
import { suggestInvoices } from './suggest-invoices.ts';
import { suggestOrders, suggestPayments } from './suggest-payments.ts';
import { suggestReturns } from './suggest-returns.ts';
import {
  type OpenInvoice,
  type OpenOrder,
  type OpenPayment,
  type PaidBefore,
  type SuggestedLine,
  type SuggestedRule,
  type Suggestion,
  WEIGHT,
} from './suggestion.ts';

/** Suggestions with a lower score would be guesses. */
const MIN_SCORE = 30;
const MAX_SUGGESTIONS = 5;

/** Open candidates; payments and orders have the line's amount and direction. */
export interface OpenCandidates {
  readonly invoices?: readonly OpenInvoice[];
  readonly payments?: readonly OpenPayment[];
  readonly orders?: readonly OpenOrder[];
  /** The first rule that the line matches. */
  readonly rule?: SuggestedRule | undefined;
  /** Payments that may have been returned. */
  readonly paid?: readonly PaidBefore[];
}

/** Lists the best suggestions first. */
export function suggest(
  line: SuggestedLine,
  { invoices = [], payments = [], orders = [], paid = [], rule }: OpenCandidates,
): Suggestion[] {
  const all = [
    ...suggestOrders(line, orders),
    ...suggestPayments(line, payments),
    ...suggestInvoices(line, invoices),
    ...(rule === undefined ? [] : [suggestRule(rule)]),
    ...suggestReturns(line, paid),
  ];
  return all
    .filter(({ score }) => score >= MIN_SCORE)
    .sort((a, b) => b.score - a.score || b.invoices.length - a.invoices.length || compare(a, b))
    .slice(0, MAX_SUGGESTIONS);
}

function suggestRule(rule: SuggestedRule): Suggestion {
  return {
    payment: null,
    order: null,
    rule,
    invoices: [],
    instalment: null,
    partner: rule.partnerId === null ? null : { id: rule.partnerId, name: rule.partnerName ?? '', iban: null },
    score: WEIGHT.rule,
    reasons: [`it fits the rule ${rule.name}`],
  };
}

function compare({ invoices: [a] }: Suggestion, { invoices: [b] }: Suggestion): number {
  return (a?.date ?? '').localeCompare(b?.date ?? '') || (a?.code ?? '').localeCompare(b?.code ?? '');
}
