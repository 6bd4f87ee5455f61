/**
 * Revaluation of what is open in other currencies at the rates of a day (PGC, valuation rule 11: monetary items are valued at the rate of
 * the closing day, and the difference is a gain, 768, or a loss, 668).
 */
import { groupBy } from '../../group-by.ts';
import { type Decimal, decimal, sum } from '../../money.ts';
import { toCompany } from '../../trade/documents/company-amounts.ts';
import { type EntryLine, entryLine } from './entries.ts';

/** An amount in another currency that is open on the day: what an account, and a partner on it, has of it. */
export interface OpenAmount {
  readonly accountId: string;
  /** Null for bank accounts. */
  readonly partnerId: string | null;
  readonly currency: string;
  /** Positive for debits. */
  readonly amount: Decimal;
  /** Its value in the books, likewise. */
  readonly value: Decimal;
}

/** An amount with its new value. */
export interface RevaluedPart extends OpenAmount {
  readonly newValue: Decimal;
  /** Gain, or negative loss. */
  readonly difference: Decimal;
}

/** @param rates what one unit of the company's currency is worth, by currency */
export function revalue(
  open: readonly OpenAmount[],
  rates: Readonly<Record<string, Decimal>>,
  places: number,
): RevaluedPart[] {
  return open.flatMap((part) => {
    const rate = rates[part.currency];
    if (rate === undefined) throw new Error(`a rate of ${part.currency} is missing`);
    const newValue = toCompany(part.amount, rate, places);
    const difference = decimal(newValue).minus(part.value);
    return difference.eq(0) ? [] : [{ ...part, newValue, difference: difference.toFixed() }];
  });
}

/** Builds the entry of a revaluation. @returns balanced lines; none if nothing differs */
export function revaluationLines(
  parts: readonly RevaluedPart[],
  accounts: { readonly gain: string; readonly loss: string },
): EntryLine[] {
  const places = groupBy(parts, ({ accountId, partnerId, currency }) => `${accountId} ${partnerId} ${currency}`);
  const lines = [...places.values()].map((same) => {
    const [{ accountId, partnerId, currency }] = same as [RevaluedPart];
    const difference = sum(same.map((part) => part.difference)).toFixed();
    return entryLine('debit', accountId, difference, { partnerId, inCurrency: { currency, amount: '0' } });
  });
  const { gain, loss } = revaluationSums(parts);
  const results = [entryLine('credit', accounts.gain, gain), entryLine('debit', accounts.loss, loss)];
  return [...lines, ...results].filter(({ debit, credit }) => !decimal(debit).eq(credit));
}

/** Sums gains and losses, each per account, partner and currency. */
export function revaluationSums(parts: readonly RevaluedPart[]): { readonly gain: Decimal; readonly loss: Decimal } {
  const of = (isGain: boolean) =>
    sum(parts.filter(({ difference }) => decimal(difference).gt(0) === isGain).map(({ difference }) => difference));
  return { gain: of(true).toFixed(), loss: of(false).neg().toFixed() };
}
