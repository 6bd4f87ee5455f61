/** What a line of a statement may be: invoices, payments and orders that its reference, partner or amount speak for. */
import { suggestInvoices } from './suggest-invoices.ts';
import { suggestOrders, suggestPayments } from './suggest-payments.ts';
import type { OpenInvoice, OpenOrder, OpenPayment, SuggestedLine, Suggestion } from './suggestion.ts';

/** Suggestions below this would be guesses. */
const LEAST = 30;
const MOST = 5;

/** What is open and may be what the line is; payments and orders are of its amount and direction. */
export interface Open {
  readonly invoices?: readonly OpenInvoice[];
  readonly payments?: readonly OpenPayment[];
  readonly orders?: readonly OpenOrder[];
}

/** The best suggestions first. */
export function suggest(line: SuggestedLine, { invoices = [], payments = [], orders = [] }: Open): Suggestion[] {
  const all = [...suggestOrders(line, orders), ...suggestPayments(line, payments), ...suggestInvoices(line, invoices)];
  return all
    .filter(({ score }) => score >= LEAST)
    .sort((a, b) => b.score - a.score || b.invoices.length - a.invoices.length || compare(a, b))
    .slice(0, MOST);
}

function compare({ invoices: [a] }: Suggestion, { invoices: [b] }: Suggestion): number {
  return (a?.date ?? '').localeCompare(b?.date ?? '') || (a?.code ?? '').localeCompare(b?.code ?? '');
}
