/** Expected work in Temporal: the workflow of each piece of work, its state there, and its restart with the same id. */

import type { Database } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { restartRecovery } from '../../services/integrations/webhooks/recover.ts';
import type { ExpectedWork } from '../../services/operation/missing-work/work.ts';
import type { ServiceClient } from '../../services/platform/temporal/client.ts';
import { isRunning, startOnce, type WorkflowStart } from '../../services/platform/temporal/start.ts';
import { automationRunStart } from '../../workflows/integrations/automations/contract.ts';
import { deliveryStart } from '../../workflows/integrations/webhooks/contract.ts';
import { verifactuStart } from '../../workflows/ledger/verifactu/contract.ts';
import { emailStart } from '../../workflows/messages/mail/contract.ts';
import { taskRestart } from '../../workflows/platform/tasks/contract.ts';
import { faceStart } from '../../workflows/trade/einvoice/contract.ts';
import { reconciliationStart } from '../../workflows/trade/payments/contract.ts';
import { revaluationStart } from '../../workflows/trade/stock/contract.ts';
import { missingLifecycle } from '../lifecycles.ts';
import { startRedelivery } from '../redelivery.ts';

/** Workflow ids per query. */
const IDS_PER_QUERY = 100;

/** The workflow that does the work. */
function expectedStart(due: ExpectedWork): WorkflowStart {
  switch (due.kind) {
    case 'lifecycles':
      return missingLifecycle(due);
    case 'tasks':
      return taskRestart(taskIds(due), due.taskKind, due.title);
    case 'matchings':
      return reconciliationStart({ tenantId: due.tenantId, paymentId: due.paymentId }, 'paymentMatching');
    case 'emails': {
      const { tenantId, emailId, documentId } = due;
      return emailStart({ tenantId, emailId, ...(documentId === null ? {} : { documentId }) });
    }
    case 'automations': {
      const { kind: _, ...run } = due;
      return automationRunStart(run);
    }
    case 'revaluations':
      return revaluationStart({ tenantId: due.tenantId, eventId: due.eventId }, due.itemId);
    case 'verifactu':
      return verifactuStart({ tenantId: due.tenantId });
    case 'face':
      return faceStart({ tenantId: due.tenantId });
    default:
      return deliveryStart(deliveryIds(due), due.about, 'recoveredDelivery');
  }
}

export function expectedWorkflowId(due: ExpectedWork): string {
  return expectedStart(due).workflowId;
}

/** Reads the states of workflows in Temporal; unknown workflows are absent. */
export async function knownTo(
  client: ServiceClient,
  ids: readonly string[],
): Promise<Map<string, 'running' | 'ended'>> {
  const known = new Map<string, 'running' | 'ended'>();
  for (let from = 0; from < ids.length; from += IDS_PER_QUERY) {
    const some = new Map<string, string>();
    for (const id of ids.slice(from, from + IDS_PER_QUERY)) some.set(await client.names.workflowId(id), id);
    const quoted = [...some.keys()].map((id) => `"${id}"`);
    for await (const { workflowId, status } of client.workflow.list({
      query: `WorkflowId IN (${quoted.join(', ')})`,
    })) {
      const id = some.get(workflowId) ?? workflowId;
      if (status.name === 'RUNNING') known.set(id, 'running');
      else if (!known.has(id)) known.set(id, 'ended');
    }
  }
  return known;
}

/** Work that runs for as long as there is any: others may have been ended by an operator without the database. */
const RUNS_ON: ReadonlySet<ExpectedWork['kind']> = new Set(['lifecycles', 'tasks', 'verifactu', 'face']);

/** Whether the work should run but does not. */
export function isMissing({ kind }: ExpectedWork, known: 'running' | 'ended' | undefined): boolean {
  return RUNS_ON.has(kind) ? known !== 'running' : known === undefined;
}

/** Restarts the work, unless it was already restarted elsewhere. */
export async function startAgain(database: Database, client: ServiceClient, due: ExpectedWork): Promise<void> {
  if (due.kind === 'redeliveries') {
    const redelivery = { id: due.redeliveryId ?? newId(), again: true };
    return await startRedelivery(client, { ...deliveryIds(due), redelivery }, due.about);
  }
  if (due.kind === 'tasks') {
    if (await isRunning(client, expectedWorkflowId(due))) return;
    // The deliveries that a recovery has started may be lost too: it scans the log again.
    if (due.taskKind === 'webhook_recovery') await restartRecovery(database, due);
  }
  await startOnce(client, expectedStart(due));
}

function taskIds({ tenantId, taskId }: Extract<ExpectedWork, { kind: 'tasks' }>) {
  return { tenantId, taskId };
}

function deliveryIds({ tenantId, webhookId, eventId }: Extract<ExpectedWork, { kind: 'deliveries' | 'redeliveries' }>) {
  return { tenantId, webhookId, eventId };
}
