import type { Db } from '../../../db/database.ts';
import { ExchangeRate } from '../../../db/models/ledger/exchange.ts';
import { invalidMember } from '../../../domain/errors.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { choice, currencyCode, day, exchangeRate } from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';

/** Exchange rates by day (decision 0317). */
export const exchangeRates = declareResource({
  name: 'ExchangeRate',
  plural: 'ExchangeRates',
  path: '/api/exchange-rates',
  tag: 'Currencies',
  model: ExchangeRate,
  defaultSort: '-date',
  naturalKey: ['currency', 'date'],
  fields: {
    currency: { schema: currencyCode('The currency'), required: true, searchable: true },
    date: { schema: day({ description: 'It counts from this day until there is another' }), required: true },
    rate: {
      schema: exchangeRate({
        description:
          "What one unit of the company's currency is worth in this one, as the ECB publishes it for the euro",
      }),
      required: true,
    },
    source: {
      schema: choice(['manual', 'ecb'], { description: 'ecb: from a file or an address of the ECB’s form' }),
      default: 'manual',
      write: 'never',
    },
  },
  async onCreate({ trx }, values) {
    await checkRateCurrency(trx, values);
    return values;
  },
  async onPatch({ trx }, values) {
    await checkRateCurrency(trx, values);
    return values;
  },
});

/** @throws ServiceError validation_failed for a rate of the company's own currency */
async function checkRateCurrency(trx: Db, values: Readonly<Record<string, unknown>>): Promise<void> {
  const { currency } = await loadSettings(trx, 'company');
  if (values.currency !== currency) return;
  throw invalidMember('/currency', 'not_allowed', `must not be ${currency}, the company's own currency`);
}
