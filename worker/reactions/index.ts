/** The reactions to events: one row each. Webhooks are handled separately. */

import { isNotifiable } from '../../domain/messages/notifications/texts.ts';
import {
  AUTOMATION_RUN_DUE,
  EMAIL_DUE,
  PUSH_DUE,
  RECONCILIATION_DUE,
  REDELIVERY_DUE,
  STOCK_REVALUATION_DUE,
  TASK_CANCELLED,
  TASK_STARTED,
} from '../../domain/platform/internal-events.ts';
import type { TaskKind } from '../../domain/platform/tasks.ts';
import { MAX_UNSUMMED, sumEntries } from '../../services/ledger/accounting/balances/sum-entries.ts';
import { numberEntries } from '../../services/ledger/accounting/numbers.ts';
import { notifyOfEvents } from '../../services/messages/notifications/from-events.ts';
import type { ClaimedEvent } from '../../services/platform/outbox/claim.ts';
import { automationRunStart, type RunToStart } from '../../workflows/integrations/automations/contract.ts';
import { emailStart } from '../../workflows/messages/mail/contract.ts';
import { pushStart } from '../../workflows/messages/push/contract.ts';
import { type TaskInput, taskStart, workflowIdForKind } from '../../workflows/platform/tasks/contract.ts';
import { reconciliationStart } from '../../workflows/trade/payments/contract.ts';
import { revaluationStart } from '../../workflows/trade/stock/contract.ts';
import { tellLifecycle } from '../lifecycles.ts';
import { startRedelivery } from '../redelivery.ts';
import { keeps } from '../schedules/keep.ts';
import { SCHEDULE_KINDS } from '../schedules/kinds.ts';
import { type CompanyReaction, cancels, type Reaction, starts } from './reaction.ts';

export const REACTIONS: readonly Reaction[] = [
  tellLifecycle,
  starts(TASK_STARTED, (event) => taskStart(taskOf(event), kindOf(event), event.data.title ?? null), [
    'task_kind',
    'title',
  ]),
  cancels(TASK_CANCELLED, (event) => workflowIdForKind(taskOf(event), kindOf(event)), ['task_kind']),
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
  starts(PUSH_DUE, ({ tenantId, entityId: notificationId }) => pushStart({ tenantId, notificationId })),
  {
    reads: ['webhook_id', 'title'],
    follows: ({ event, data }) => event === REDELIVERY_DUE && data.webhook_id != null,
    async react(client, { tenantId, id, entityId: eventId, data, documentCode }) {
      const redelivery = { id, again: true };
      const input = { tenantId, webhookId: String(data.webhook_id), eventId, redelivery };
      await startRedelivery(client, input, { title: data.title ?? null, documentCode });
    },
  },
];

/** All members of events' data that reactions read. */
export const READ_OF_EVENTS: readonly string[] = [...new Set(REACTIONS.flatMap(({ reads = [] }) => reads))];

/** How long numbering and summing wait for others that do, or close a year of the company. */
const LEDGER_WAIT = '1s';
/** Batches that are summed for a company before others get their turn. */
const SUMMED_BATCHES = 20;

export const COMPANY_REACTIONS: readonly CompanyReaction[] = [
  {
    // Posted entries get their numbers, many at once; when there are enough of them, balances are brought up to the last.
    async react(database, tenantId) {
      const { unsummed } = await database.withTenant({ tenantId }, async (trx) => {
        await trx.raw(`set local lock_timeout = '${LEDGER_WAIT}'`);
        return await numberEntries(trx, { tenantId });
      });
      if (unsummed < MAX_UNSUMMED) return;
      await sumEntries(database, { tenantId }, { lockTimeout: LEDGER_WAIT, batches: SUMMED_BATCHES });
    },
  },
  {
    // People are notified once, however often the events come.
    follows: ({ event }) => isNotifiable(event),
    async react(database, tenantId, events, now) {
      const ids = events.map(({ id }) => id);
      await notifyOfEvents(database, tenantId, ids, now());
    },
  },
];

function kindOf({ data }: ClaimedEvent): TaskKind {
  return data.task_kind as TaskKind;
}

function taskOf({ tenantId, entityId: taskId }: ClaimedEvent): TaskInput {
  return { tenantId, taskId };
}
