/** What follows from which event: one row for each. What webhooks want of an event is found out apart. */
import {
  INVITATION_DUE,
  RECONCILIATION_DUE,
  REDELIVERY_DUE,
  STOCK_REVALUATION_DUE,
  TASK_CANCELLED,
  TASK_STARTED,
} from '../../domain/internal-events.ts';
import type { TaskKind } from '../../domain/tasks.ts';
import type { ClaimedEvent } from '../../services/outbox/claim.ts';
import { INVITATION_MAIL, invitationStart } from '../../workflows/mail/contract.ts';
import { PAYMENT_RECONCILIATION, reconciliationStart } from '../../workflows/payments/contract.ts';
import { revaluationStart, STOCK_REVALUATION } from '../../workflows/stock/contract.ts';
import { TASK_WORKFLOWS, type TaskInput, taskStart } from '../../workflows/tasks/contract.ts';
import { startRedelivery } from '../redelivery.ts';
import { tellLifecycle } from './documents.ts';
import { numberNewEntries } from './entries.ts';
import { type CompanyReaction, cancels, type Reaction, starts } from './reaction.ts';

export const REACTIONS: readonly Reaction[] = [
  tellLifecycle,
  starts(
    TASK_STARTED,
    (event) => TASK_WORKFLOWS[kindOf(event)].workflow,
    (event) => taskStart(taskOf(event), kindOf(event), event.title),
  ),
  cancels(TASK_CANCELLED, (event) => TASK_WORKFLOWS[kindOf(event)].id(taskOf(event))),
  starts(STOCK_REVALUATION_DUE, STOCK_REVALUATION, ({ tenantId, id: eventId, entityId }) =>
    revaluationStart({ tenantId, eventId }, entityId),
  ),
  // The request that registered the payment may have been faster.
  starts(RECONCILIATION_DUE, PAYMENT_RECONCILIATION, ({ tenantId, entityId: paymentId }) =>
    reconciliationStart({ tenantId, paymentId }, 'paymentMatching'),
  ),
  starts(INVITATION_DUE, INVITATION_MAIL, ({ tenantId, id, entityId: invitationId }) =>
    invitationStart({ tenantId, invitationId }, id),
  ),
  {
    follows: ({ event, webhookId }) => event === REDELIVERY_DUE && webhookId !== null,
    async react(client, { tenantId, id, entityId: eventId, webhookId, title, documentCode }) {
      const redelivery = { id, again: true };
      await startRedelivery(
        client,
        { tenantId, webhookId: String(webhookId), eventId, redelivery },
        { title, documentCode },
      );
    },
  },
];

export const COMPANY_REACTIONS: readonly CompanyReaction[] = [numberNewEntries];

function kindOf({ taskKind }: ClaimedEvent): TaskKind {
  return taskKind as TaskKind;
}

function taskOf({ tenantId, entityId: taskId }: ClaimedEvent): TaskInput {
  return { tenantId, taskId };
}
