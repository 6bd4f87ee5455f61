/** Suggests open invoices for a line by reference, amount and payer. */
import { decimal, sum } from '../../money.ts';
import { uniqueCombination } from '../../trade/payments/combinations.ts';
import { findInstalment } from '../../trade/payments/match.ts';
import {
  aboutPartner,
  amountDue,
  combineEvidence,
  type Evidence,
  lineInvoiceType,
  type OpenInvoice,
  type SuggestedLine,
  type Suggestion,
  WEIGHT,
} from './suggestion.ts';
import { compact, lineTokens, normalized, wholeReferences } from './words.ts';

/** Maximum invoices of one partner that one payment may cover. */
const MAX_COMBINED = 20;
const MILLIONTHS = 1_000_000;

interface Judged {
  readonly invoice: OpenInvoice;
  /** Evidence that the line names the invoice, if any. */
  readonly named: Evidence | undefined;
}

/**
 * Suggests invoices.
 * @param invoices open ones on the line's side, and credits of the other side, which money refunds
 */
export function suggestInvoices(line: SuggestedLine, invoices: readonly OpenInvoice[]): Suggestion[] {
  const whole = new Set(wholeReferences(line));
  const tokens = new Set(lineTokens(line));
  const judged = invoices.map((invoice): Judged => ({ invoice, named: namedBy(invoice, whole, tokens) }));
  const groups = new Map<string, Judged[]>();
  for (const one of judged.filter(({ invoice }) => invoice.docType === lineInvoiceType(line))) {
    const { id } = one.invoice.partner;
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [one]);
    else group.push(one);
  }
  const together = [...groups.values()].flatMap((group) => [...namedTogether(line, group), ...combined(line, group)]);
  return [...together, ...judged.flatMap((one) => single(line, one))];
}

function single(line: SuggestedLine, { invoice, named }: Judged): Suggestion[] {
  const amount = decimal(amountDue(line, invoice));
  // Credits reduce a payment, but are not payments on their own.
  if (amount.lte(0)) return [];
  const refund = invoice.docType !== lineInvoiceType(line);
  const exact: Evidence = {
    score: WEIGHT.amount,
    reasons: [refund ? 'the amount equals its credit' : 'the amount equals the outstanding amount'],
  };
  const paid = decimal(line.amount).abs().toFixed();
  const instalment = refund ? null : findInstalment(invoice, paid);
  const part: Evidence = { score: WEIGHT.amount, reasons: [`the amount equals its instalment ${instalment}`] };
  const evidence = [named, amount.eq(paid) ? exact : instalment === null ? undefined : part];
  return [{ ...buildSuggestion(line, [invoice], evidence), instalment }];
}

/** Suggests all invoices of a partner named by the line if, less credits, they add up to its amount. */
function namedTogether(line: SuggestedLine, group: readonly Judged[]): Suggestion[] {
  const named = group.flatMap(({ invoice, named: one }) => (one === undefined ? [] : [{ invoice, named: one }]));
  if (named.length < 2 || named.length > MAX_COMBINED) return [];
  if (!sum(named.map(({ invoice }) => invoice.outstanding)).eq(decimal(line.amount).abs())) return [];
  const evidence: Evidence = {
    score: WEIGHT.amount + Math.max(...named.map((one) => one.named.score)),
    reasons: [...named.flatMap((one) => one.named.reasons), 'together they add up to the amount'],
  };
  const invoices = named.map(({ invoice }) => invoice);
  return [buildSuggestion(line, invoices, [evidence])];
}

/**
 * Suggests the only combination of a payer's open invoices that adds up to the amount, if no single one does and the
 * line names none.
 */
function combined(line: SuggestedLine, group: readonly Judged[]): Suggestion[] {
  const [first] = group;
  if (first === undefined || line.counterpartyIban === null || first.invoice.partner.iban !== line.counterpartyIban)
    return [];
  if (group.some(({ named }) => named !== undefined)) return [];
  const open = group.map(({ invoice }) => invoice).filter((invoice) => decimal(invoice.outstanding).gt(0));
  const oldest = open.sort((one, other) => one.date.localeCompare(other.date)).slice(0, MAX_COMBINED);
  const target = decimal(line.amount).abs();
  if (oldest.some(({ outstanding }) => target.eq(outstanding))) return [];
  const units = (amount: Parameters<typeof decimal>[0]) => BigInt(decimal(amount).times(MILLIONTHS).toFixed(0));
  const found = uniqueCombination(
    oldest.map(({ outstanding }) => units(outstanding)),
    units(target),
  );
  if (found.kind !== 'one') return [];
  const invoices = found.indexes.map((index) => oldest[index] as OpenInvoice);
  const reasons = [
    `${invoices.map(({ code }) => code).join(', ')} are the only open invoices that add up to the amount`,
  ];
  return [buildSuggestion(line, invoices, [{ score: WEIGHT.amount, reasons }])];
}

function buildSuggestion(
  line: SuggestedLine,
  invoices: readonly OpenInvoice[],
  evidence: readonly (Evidence | undefined)[],
): Suggestion {
  const { partner } = invoices[0] as OpenInvoice;
  const known = evidence.filter((one) => one !== undefined);
  return {
    payment: null,
    order: null,
    rule: null,
    invoices,
    instalment: null,
    partner,
    ...combineEvidence([...known, aboutPartner(line, partner)]),
  };
}

function namedBy(
  { id, code, reference, supplierReference }: OpenInvoice,
  whole: ReadonlySet<string>,
  tokens: ReadonlySet<string>,
): Evidence | undefined {
  const names = [
    ['number', code],
    ['reference', reference],
    ["supplier's number", supplierReference],
  ] as const;
  // Debits of instalments have the instalment's number after the id.
  if ([...whole].some((text) => text.replace(/\.\d+$/, '') === compact(id))) {
    return { score: WEIGHT.exact, reasons: [`the line has the id of ${code}, as in the order to the bank`] };
  }
  for (const [score, set, verb] of [
    [WEIGHT.exact, whole, 'is the reference of the line'],
    [WEIGHT.mentioned, tokens, 'occurs in the line'],
  ] as const) {
    for (const [name, value] of names) {
      if (value !== null && set.has(normalized(value))) return { score, reasons: [`its ${name} ${value} ${verb}`] };
    }
  }
  return undefined;
}
