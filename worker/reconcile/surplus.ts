/**
 * Ends lifecycles of documents that are not in the database: after a failover or a restore it may be older than Temporal. All other
 * workflows look for their record before each step, and end by themselves.
 */

import pMap from 'p-map';
import type { Database } from '../../db/database.ts';
import type { ServiceClient } from '../../services/platform/temporal/client.ts';
import { unlessEnded } from '../../services/platform/temporal/start.ts';
import { ENTITY_ID, TENANT_ID } from '../../workflows/platform/search-attributes/contract.ts';
import { DOCUMENT_LIFECYCLE, documentLifecycleId } from '../../workflows/trade/documents/contract.ts';
import { AFTER_ALL_EVENTS, endLifecycle, withoutOpenDocument } from '../lifecycles.ts';

/** Running lifecycles, and how many of them have no open document. */
export interface Surplus {
  readonly running: number;
  readonly missing: number;
  readonly finished: number;
}

const BATCH = 500;
/** Concurrent calls. */
const PARALLEL = 10;
const REASON = 'Its document is not in the database, which was restored or has failed over (npm run reconcile)';

/** A running lifecycle. */
interface Lifecycle {
  readonly tenantId: string;
  readonly documentId: string;
}

/**
 * Compares running lifecycles with their documents. Those without a document are terminated, since no event of the database speaks of them;
 * those of finished ones are told so.
 * @param options `until`: younger lifecycles are left alone; `ends`: whether to end them, or only count them
 */
export async function endSurplus(
  { database, client }: { readonly database: Database; readonly client: ServiceClient },
  { until, ends }: { readonly until: Date; readonly ends: boolean },
): Promise<Surplus> {
  let sum: Surplus = { running: 0, missing: 0, finished: 0 };
  const query = `WorkflowType = '${DOCUMENT_LIFECYCLE}' AND ExecutionStatus = 'Running' AND StartTime < '${until.toISOString()}'`;
  let batch: Lifecycle[] = [];
  const look = async () => {
    const { missing, finished } = await withoutOpenDocument(database, batch);
    sum = {
      running: sum.running + batch.length,
      missing: sum.missing + missing.length,
      finished: sum.finished + finished.length,
    };
    batch = [];
    if (!ends) return;
    await pMap(missing, (one) => terminate(client, one), { concurrency: PARALLEL });
    await pMap(finished, (one) => endLifecycle(client, one, AFTER_ALL_EVENTS), { concurrency: PARALLEL });
  };
  for await (const { typedSearchAttributes: about } of client.workflow.list({ query, pageSize: BATCH })) {
    batch.push({ tenantId: about.get(TENANT_ID) ?? '', documentId: about.get(ENTITY_ID) ?? '' });
    if (batch.length === BATCH) await look();
  }
  await look();
  return sum;
}

async function terminate(client: ServiceClient, { tenantId, documentId }: Lifecycle): Promise<void> {
  await unlessEnded(async () => {
    await client.workflow.getHandle(documentLifecycleId(tenantId, documentId)).terminate(REASON);
  });
}
