/** Fetches exchange rates once, and keeps them for each company that has rates. */
import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { ExchangeActivities } from '../../../activities/ledger/exchange.ts';
import { shown } from '../../details.ts';
import type { RatesState } from './contract.ts';

const exchange = proxyActivities<ExchangeActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '1 minute',
  retry: { initialInterval: '10 seconds', backoffCoefficient: 2, maximumInterval: '30 minutes', maximumAttempts: 8 },
});

const TEXTS = {
  what: 'Exchange rates of the day, for companies that have some',
  begun: 'Nothing to do: it runs every 6 hours',
  done: ({ rates, companies, kept }: RatesState) =>
    `${rates.length} rates fetched; ${kept} were new in ${companies} companies`,
  failed: 'The address may be out of reach, or answer something else (EXCHANGE_RATES_URL). The next run tries again',
  cancelled: 'The next run, within 6 hours, does the rest',
  more: ['To run it now, trigger the schedule `maintenance/exchange-rates`'],
};

export async function exchangeRates(begun?: RatesState): Promise<RatesState> {
  let state = begun ?? null;
  const end = await shown(TEXTS, async () => {
    state ??= {
      rates: await exchange.fetchExchangeRates.executeWithOptions({ summary: 'Fetch the rates' }, []),
      ...{ after: null, companies: 0, kept: 0 },
    };
    do {
      state = await exchange.keepExchangeRates.executeWithOptions({ summary: 'Keep those of some companies' }, [state]);
    } while (state.after !== null && !workflowInfo().continueAsNewSuggested);
    return state;
  });
  if (end.after !== null) await continueAsNew<typeof exchangeRates>(end);
  return end;
}
