/** The service's own reactions to events: one row each. */
import {
  AUTOMATION_RUN_DUE,
  EMAIL_DUE,
  FACE_DUE,
  PUSH_DUE,
  RECONCILIATION_DUE,
  REDELIVERY_DUE,
  STOCK_REVALUATION_DUE,
  TASK_CANCELLED,
  TASK_STARTED,
  TO_DO_ENDED,
  VERIFACTU_DUE,
} from '../../domain/platform/internal-events.ts';
import type { TaskKind } from '../../domain/platform/tasks.ts';
import type { ClaimedEvent } from '../../services/platform/outbox/claim.ts';
import { signalWithStart, unlessEnded } from '../../services/platform/temporal/start.ts';
import { answered, automationRunStart, type RunToStart } from '../../workflows/integrations/automations/contract.ts';
import { lookForRecords, verifactuStart } from '../../workflows/ledger/verifactu/contract.ts';
import { emailStart } from '../../workflows/messages/mail/contract.ts';
import { pushStart } from '../../workflows/messages/push/contract.ts';
import { type TaskInput, taskStart, workflowIdForKind } from '../../workflows/platform/tasks/contract.ts';
import { faceStart, lookForInvoices } from '../../workflows/trade/einvoice/contract.ts';
import { reconciliationStart } from '../../workflows/trade/payments/contract.ts';
import { revaluationStart } from '../../workflows/trade/stock/contract.ts';
import { tellLifecycle } from '../lifecycles.ts';
import { startRedelivery } from '../redelivery.ts';
import { keeps } from '../schedules/keep.ts';
import { SCHEDULE_KINDS } from '../schedules/kinds.ts';
import { cancels, type Follower, starts } from './follower.ts';

export const REACTIONS: readonly Follower[] = [
  tellLifecycle,
  starts(TASK_STARTED, (event) => taskStart(taskInput(event), taskKind(event), event.data.title ?? null), [
    'task_kind',
    'title',
  ]),
  cancels(TASK_CANCELLED, (event) => workflowIdForKind(taskInput(event), taskKind(event)), ['task_kind']),
  starts(STOCK_REVALUATION_DUE, ({ tenantId, id: eventId, entityId }) =>
    revaluationStart({ tenantId, eventId }, entityId),
  ),
  // The request that registered the payment may have been faster.
  starts(RECONCILIATION_DUE, ({ tenantId, entityId: paymentId }) =>
    reconciliationStart({ tenantId, paymentId }, 'paymentMatching'),
  ),
  starts(EMAIL_DUE, ({ tenantId, entityId: emailId, documentId }) =>
    emailStart({ tenantId, emailId, ...(documentId === null ? {} : { documentId }) }),
  ),
  ...SCHEDULE_KINDS.map(keeps),
  starts(AUTOMATION_RUN_DUE, ({ data }) => automationRunStart(JSON.parse(data.run ?? '') as RunToStart), ['run']),
  {
    reads: ['workflow_id'],
    follows: ({ event }) => event === TO_DO_ENDED,
    handOver: ({ client }, { event: { data } }) =>
      unlessEnded(async () => {
        await client.workflow.getHandle(String(data.workflow_id)).signal(answered);
      }),
  },
  {
    newestOnly: true,
    follows: ({ event }) => event === VERIFACTU_DUE,
    handOver: ({ client }, { event: { tenantId } }) =>
      signalWithStart(client, verifactuStart({ tenantId }), lookForRecords, null),
  },
  {
    newestOnly: true,
    follows: ({ event }) => event === FACE_DUE,
    handOver: ({ client }, { event: { tenantId } }) =>
      signalWithStart(client, faceStart({ tenantId }), lookForInvoices, null),
  },
  starts(PUSH_DUE, ({ tenantId, entityId: notificationId }) => pushStart({ tenantId, notificationId })),
  {
    reads: ['webhook_id', 'title'],
    follows: ({ event, data }) => event === REDELIVERY_DUE && data.webhook_id != null,
    async handOver({ client }, { event: { tenantId, id, entityId: eventId, data, documentCode } }) {
      const redelivery = { id, again: true };
      const input = { tenantId, webhookId: String(data.webhook_id), eventId, redelivery };
      await startRedelivery(client, input, { title: data.title ?? null, documentCode });
    },
  },
];

function taskKind({ data }: ClaimedEvent): TaskKind {
  return data.task_kind as TaskKind;
}

function taskInput({ tenantId, entityId: taskId }: ClaimedEvent): TaskInput {
  return { tenantId, taskId };
}
