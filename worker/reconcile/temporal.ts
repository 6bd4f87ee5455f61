/** Due work as Temporal knows it: the workflow of each piece, what is known of it, and how it is started again with the same id. */
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { Database } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import type { Due } from '../../services/due/work.ts';
import { restartRecovery } from '../../services/webhooks/recover.ts';
import { documentLifecycleId } from '../../workflows/documents/contract.ts';
import { INVITATION_MAIL, invitationMailId, invitationStart } from '../../workflows/mail/contract.ts';
import { PAYMENT_RECONCILIATION, reconciliationId, reconciliationStart } from '../../workflows/payments/contract.ts';
import { revaluationStart, STOCK_REVALUATION, stockRevaluationId } from '../../workflows/stock/contract.ts';
import { TASK_WORKFLOWS, taskStart } from '../../workflows/tasks/contract.ts';
import { deliveryStart, WEBHOOK_DELIVERY, webhookDeliveryId } from '../../workflows/webhooks/contract.ts';
import { startLifecycle } from '../lifecycles.ts';
import { startRedelivery } from '../redelivery.ts';
import { startOnce } from '../start-once.ts';

/** Ids in one question. */
const ASKED = 100;

export function workflowIdOf(due: Due): string {
  const { tenantId } = due;
  switch (due.kind) {
    case 'lifecycles':
      return documentLifecycleId(tenantId, due.documentId);
    case 'tasks':
      return TASK_WORKFLOWS[due.taskKind].id(due);
    case 'matchings':
      return reconciliationId(tenantId, due.paymentId);
    case 'invitations':
      return invitationMailId(due, due.mailId);
    case 'revaluations':
      return stockRevaluationId(due);
    default:
      return webhookDeliveryId(tenantId, due.webhookId, due.eventId);
  }
}

/** What Temporal knows of workflows; of what it does not know, nothing. */
export async function knownTo(client: Client, ids: readonly string[]): Promise<Map<string, 'running' | 'ended'>> {
  const known = new Map<string, 'running' | 'ended'>();
  for (let from = 0; from < ids.length; from += ASKED) {
    const some = ids.slice(from, from + ASKED).map((id) => `"${id}"`);
    for await (const { workflowId, status } of client.workflow.list({ query: `WorkflowId IN (${some.join(', ')})` })) {
      if (status.name === 'RUNNING') known.set(workflowId, 'running');
      else if (!known.has(workflowId)) known.set(workflowId, 'ended');
    }
  }
  return known;
}

/**
 * Whether it should run and does not. A lifecycle always runs, and so does the workflow of a running task; of the others an operator may
 * have ended one that nothing in the database tells of.
 */
export function isMissing(due: Due, known: 'running' | 'ended' | undefined): boolean {
  return due.kind === 'lifecycles' || due.kind === 'tasks' ? known !== 'running' : known === undefined;
}

/** Starts it again, unless somebody else was faster. */
export async function startAgain(database: Database, client: Client, due: Due): Promise<void> {
  const { tenantId } = due;
  switch (due.kind) {
    case 'lifecycles':
      return await startLifecycle(client, due);
    case 'tasks': {
      if (await runs(client, workflowIdOf(due))) return;
      // The deliveries that a recovery had started may be gone too: it goes through the log once more.
      if (due.taskKind === 'webhook_recovery') await restartRecovery(database, due);
      const start = { ...taskStart(due, due.taskKind, due.title), workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const };
      return await startOnce(client, TASK_WORKFLOWS[due.taskKind].workflow, start);
    }
    case 'matchings':
      return await startOnce(client, PAYMENT_RECONCILIATION, reconciliationStart(due, 'paymentMatching'));
    case 'invitations': {
      const { invitationId, mailId } = due;
      return await startOnce(client, INVITATION_MAIL, invitationStart({ tenantId, invitationId }, mailId));
    }
    case 'revaluations': {
      const { eventId, itemId } = due;
      return await startOnce(client, STOCK_REVALUATION, revaluationStart({ tenantId, eventId }, itemId));
    }
    case 'deliveries': {
      const { webhookId, eventId, about } = due;
      return await startOnce(client, WEBHOOK_DELIVERY, {
        ...deliveryStart({ tenantId, webhookId, eventId }, about, 'recoveredDelivery'),
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
      });
    }
    default: {
      const redelivery = { id: due.redeliveryId ?? newId(), again: true };
      const { webhookId, eventId } = due;
      return await startRedelivery(client, { tenantId, webhookId, eventId, redelivery }, due.about);
    }
  }
}

/** Asked of the workflow itself: lists lag behind. */
async function runs(client: Client, workflowId: string): Promise<boolean> {
  try {
    return (await client.workflow.getHandle(workflowId).describe()).status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
