/** Suggests that a line returns an earlier payment. */
import { decimal } from '../../money.ts';
import {
  aboutPartner,
  combineEvidence,
  type Evidence,
  type PaidBefore,
  type SuggestedLine,
  type Suggestion,
  WEIGHT,
} from './suggestion.ts';
import { compact, lineTokens, normalized, wholeReferences } from './words.ts';

/** Suggests returns. @param paid candidates: in the opposite direction, not later than the line */
export function suggestReturns(line: SuggestedLine, paid: readonly PaidBefore[]): Suggestion[] {
  const whole = new Set(wholeReferences(line));
  const tokens = new Set(lineTokens(line));
  return paid.flatMap((payment): Suggestion[] => {
    const { amount, date, since, partner, direction } = payment;
    const [own, back] = [decimal(amount), decimal(line.amount).abs()];
    // The bank's fee for it is added or deducted.
    const enough = direction === 'in' ? back.gte(own) : back.lte(own);
    const named = about(payment, whole, tokens);
    const exact = back.eq(own);
    if (!enough || since > line.date || !(exact || named.score > 0)) return [];
    const flagged: Evidence = { score: WEIGHT.registered, reasons: [`${own.toFixed()} of ${date} may have come back`] };
    const equal: Evidence = { score: exact ? WEIGHT.amount : 0, reasons: exact ? ['the amount is the same'] : [] };
    const evidence = combineEvidence([flagged, equal, named, aboutPartner(line, partner)]);
    return [
      {
        payment: null,
        returned: payment,
        order: null,
        rule: null,
        invoices: [],
        instalment: null,
        partner,
        ...evidence,
      },
    ];
  });
}

function about({ id, ids, reference }: PaidBefore, whole: ReadonlySet<string>, tokens: ReadonlySet<string>): Evidence {
  if ([compact(id), ...ids].some((one) => whole.has(one))) {
    return { score: WEIGHT.exact, reasons: ['the line has its id, as in the order to the bank'] };
  }
  if (reference === null || !(whole.has(normalized(reference)) || tokens.has(normalized(reference)))) {
    return { score: 0, reasons: [] };
  }
  return { score: WEIGHT.mentioned, reasons: [`its reference ${reference} occurs in the line`] };
}
