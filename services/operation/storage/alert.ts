/** Tells owners and administrators once that their company is full, and once that it has room again. */
import type { Context } from '../../../db/context.ts';
import type { Database } from '../../../db/database.ts';
import { storageIsFull, storageIsWell } from '../../../domain/messages/notifications/alerts.ts';
import { inWords, storageLimit } from '../../../domain/platform/storage.ts';
import { closeIncident, type Incident, openIncident } from '../../messages/incidents/incidents.ts';
import type { StorageState } from '../../platform/storage/budget.ts';

const FULL: Incident = { kind: 'storage_full', subject: '' };
const USAGE = '/api/company/usage';
/** Share of the budget below which a company that was full has room again: alerts do not come with each byte. */
const WELL = 0.95;

/** Opens or closes the incident of a full company. */
export async function alertStorage(database: Database, ctx: Context, { budget, used }: StorageState): Promise<void> {
  const words = inWords(budget);
  if (used >= storageLimit(budget, 'budget')) {
    await database.withTenant(ctx, (trx) =>
      openIncident(trx, ctx, FULL, { ...storageIsFull(words), actionUrl: USAGE }),
    );
  } else if (budget === 0 || used < budget * WELL) {
    await database.withTenant(ctx, (trx) =>
      closeIncident(trx, ctx, FULL, { ...storageIsWell(inWords(used), words), actionUrl: USAGE }),
    );
  }
}
