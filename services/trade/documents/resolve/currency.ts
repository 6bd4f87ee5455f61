/** The currency of a document and its exchange rate: given, of the document that it corrects, or of the day. */
import type { Faults } from '../../../../domain/faults.ts';
import { type Decimal, decimal } from '../../../../domain/money.ts';
import type { DocumentInput } from '../schemas.ts';
import { correctedId } from './corrected.ts';
import type { References } from './references.ts';

/** Checks the currency, and that of the documents that it is based on. @returns the rate; null in the company's currency */
export function resolveExchange(input: DocumentInput, references: References, faults: Faults): Decimal | null {
  const { currency, companyCurrency, bases, dayRate } = references;
  checkBases(input, references, faults);
  const given = input.exchangeRate;
  if (currency === companyCurrency) {
    if (given !== undefined && given !== 1) {
      const message = `must be left out because the document is in the company's currency, ${currency}`;
      faults.add('/exchangeRate', 'not_allowed', message);
    }
    return null;
  }
  const rate = given ?? bases.get(correctedId(input) ?? '')?.exchangeRate ?? dayRate;
  if (rate !== null) return decimal(rate).toFixed();
  const message = `is required because there is no rate of ${currency} for that day or before; add one with POST /api/exchange-rates`;
  faults.add('/exchangeRate', 'no_exchange_rate', message);
  return null;
}

function checkBases({ lines }: DocumentInput, { currency, bases }: References, faults: Faults): void {
  lines.forEach(({ baseId }, index) => {
    const base = bases.get(baseId ?? '');
    if (base === undefined || base.currency === currency) return;
    const message = `is in ${base.currency}, and this document in ${currency}; give its currency`;
    faults.add(`/lines/${index}/baseId`, 'other_currency', message);
  });
}
