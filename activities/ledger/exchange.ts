/** Activities of exchange rates: fetching them from a configured address, and keeping them for companies. */
import { cancellationSignal, heartbeat } from '@temporalio/activity';
import type { Database } from '../../db/database.ts';
import { companiesWithRates, fetchRates, keepFetched } from '../../services/ledger/exchange/fetch-rates.ts';
import type { Outbound } from '../../services/platform/outbound/outbound.ts';
import type { FetchedRate, RatesState } from '../../workflows/ledger/exchange/contract.ts';
import { workflowContext } from '../failures.ts';

export interface ExchangeActivities {
  /** @returns what one euro is worth */
  fetchExchangeRates(): Promise<readonly FetchedRate[]>;
  /** Keeps the rates of the next companies. @returns the progress */
  keepExchangeRates(state: RatesState): Promise<RatesState>;
}

export interface ExchangeDeps {
  readonly database: Database;
  readonly outbound: Outbound;
  /** Address of a file in the ECB's form; undefined = none. */
  readonly address: string | undefined;
  readonly now: () => Date;
}

export function createExchangeActivities({ database, outbound, address, now }: ExchangeDeps): ExchangeActivities {
  return {
    async fetchExchangeRates() {
      if (address === undefined) return [];
      return await fetchRates(outbound, address, cancellationSignal());
    },

    async keepExchangeRates(state) {
      const { companies, last } = await companiesWithRates(database, state.after);
      let kept = 0;
      for (const tenantId of companies) {
        cancellationSignal().throwIfAborted();
        heartbeat();
        const ctx = workflowContext(tenantId, now());
        kept += await database.withTenant(ctx, (trx) => keepFetched(trx, ctx, state.rates));
      }
      return { ...state, after: last, companies: state.companies + companies.length, kept: state.kept + kept };
    },
  };
}
