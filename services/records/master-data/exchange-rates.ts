import { ExchangeRate } from '../../../db/models/ledger/exchange.ts';
import { RATE_PLACES } from '../../../domain/trade/documents/company-amounts.ts';
import { amount, choice, currencyCode, day } from '../../platform/validation/schemas.ts';
import { checkRateCurrency } from '../prices/exchange-rates.ts';
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
      schema: amount({
        places: RATE_PLACES,
        minimum: 1e-9,
        maximum: 1e9,
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
