/** Followers that work for a company in the database only: numbers and sums of entries, and notifications. */
import { isNotifiable } from '../../domain/messages/notifications/texts.ts';
import { MAX_UNSUMMED, sumEntries } from '../../services/ledger/accounting/balances/sum-entries.ts';
import { numberEntries } from '../../services/ledger/accounting/numbers.ts';
import { notifyOfEvents } from '../../services/messages/notifications/from-events.ts';
import type { Follower } from './follower.ts';

/** Maximum wait for another process that numbers or sums entries of the company, or closes its year. */
const LEDGER_WAIT = '1s';
/** Batches summed for a company before others get their turn. */
const SUMMED_BATCHES = 20;

/** Posted entries get their numbers, many at once; when there are enough of them, balances are brought up to the last. */
export const ledger: Follower = {
  newestOnly: true,
  async forCompany({ database }, tenantId) {
    const { unsummed } = await database.withTenant({ tenantId }, async (trx) => {
      await trx.raw(`set local lock_timeout = '${LEDGER_WAIT}'`);
      return await numberEntries(trx, { tenantId });
    });
    if (unsummed < MAX_UNSUMMED) return;
    await sumEntries(database, { tenantId }, { lockTimeout: LEDGER_WAIT, batches: SUMMED_BATCHES });
  },
};

/** People are notified once, however often the events come. */
export const notifications: Follower = {
  follows: ({ event }) => isNotifiable(event),
  async forCompany({ database, now }, tenantId, followed) {
    const ids = followed.map(({ event }) => event.id);
    await notifyOfEvents(database, tenantId, ids, now());
  },
};
