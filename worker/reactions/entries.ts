/** Posted entries get their numbers, many at once. */
import { numberEntries } from '../../services/accounting/numbers.ts';
import type { CompanyReaction } from './reaction.ts';

/** How long it may wait for whoever else numbers the company's entries, or closes its year. */
const WAIT = '1s';

export const numberNewEntries: CompanyReaction = {
  async react(database, tenantId) {
    await database.withTenant({ tenantId }, async (trx) => {
      await trx.raw(`set local lock_timeout = '${WAIT}'`);
      await numberEntries(trx, { tenantId });
    });
  },
};
