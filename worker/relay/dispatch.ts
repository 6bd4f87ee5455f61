/** Hands one event to those who want it. Every call may be repeated: ids and event ids make the repeat a no-op. */
import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type WorkflowStartOptions,
} from '@temporalio/client';
import { isFinal } from '../../domain/documents/transitions.ts';
import { DOC_TYPES, DOCUMENT_TYPES, type DocType, type DocumentStatus } from '../../domain/documents/types.ts';
import {
  DOCUMENT_PAID,
  INVITATION_DUE,
  RECONCILIATION_DUE,
  REDELIVERY_DUE,
  STOCK_REVALUATION_DUE,
  TASK_CANCELLED,
  TASK_STARTED,
} from '../../domain/internal-events.ts';
import type { TaskKind } from '../../domain/tasks.ts';
import { deliveryTitle } from '../../domain/webhooks/told.ts';
import type { ClaimedEvent } from '../../services/outbox/claim.ts';
import type { InterestedWebhook } from '../../services/outbox/interest.ts';
import {
  DOCUMENT_CHANGED,
  DOCUMENT_LIFECYCLE,
  type DocumentChange,
  documentLifecycleId,
  lifecycleStart,
} from '../../workflows/documents/contract.ts';
import { INVITATION_MAIL, invitationStart } from '../../workflows/mail/contract.ts';
import { PAYMENT_RECONCILIATION, reconciliationStart } from '../../workflows/payments/contract.ts';
import { revaluationStart, STOCK_REVALUATION } from '../../workflows/stock/contract.ts';
import { TASK_WORKFLOWS, type TaskInput, taskStart } from '../../workflows/tasks/contract.ts';
import { deliveryStart, WEBHOOK_DELIVERY, type WebhookDeliveryInput } from '../../workflows/webhooks/contract.ts';
import { registerSearchAttributes } from '../connect.ts';
import { startRedelivery } from '../redelivery.ts';
import { isUnprepared } from './failures.ts';
import { inParallel } from './in-parallel.ts';

/** How long one call to Temporal may take. */
const CALL_MS = 4000;
/** Deliveries of one event that are started at once: enough to keep the server busy, few enough that other events get in between. */
const STARTS = 24;

export class Dispatcher {
  readonly #client: Client;
  /** Whether a worker for webhooks runs on the same connection, so that it can take the first task with the start's answer. */
  readonly #eager: boolean;

  constructor(client: Client, eager: boolean) {
    this.#client = client;
    this.#eager = eager;
  }

  /**
   * Signals the document's lifecycle, starts or cancels the task, and starts the deliveries.
   * @throws Error when one of the calls fails or takes too long; those that went through are no-ops when repeated
   */
  async dispatch(event: ClaimedEvent, webhooks: readonly InterestedWebhook[]): Promise<void> {
    try {
      await this.#handOver(event, webhooks);
    } catch (error) {
      // Temporal was lost and begins anew: the next try finds it as it was.
      if (isUnprepared(error)) {
        const { connection, options } = this.#client;
        await registerSearchAttributes(connection, options.namespace);
      }
      throw error;
    }
  }

  async #handOver(event: ClaimedEvent, webhooks: readonly InterestedWebhook[]): Promise<void> {
    await Promise.all([
      this.#inTime(async () => {
        await Promise.all([
          this.#signalLifecycle(event),
          this.#driveTask(event),
          this.#startRevaluation(event),
          this.#startReconciliation(event),
          this.#startRedelivery(event),
          this.#startInvitationMail(event),
        ]);
      }),
      inParallel(webhooks, STARTS, (webhook) => this.#inTime(() => this.#startDelivery(event, webhook))),
    ]);
  }

  async #inTime(calls: () => Promise<void>): Promise<void> {
    await this.#client.withDeadline(Date.now() + CALL_MS, calls);
  }

  async #signalLifecycle(event: ClaimedEvent): Promise<void> {
    const docType = documentTypeOf(event);
    if (docType === undefined || event.status === null) return;
    const { tenantId, entityId: documentId } = event;
    const change: DocumentChange = {
      eventId: event.id,
      event: event.event,
      status: event.status,
      sequence: event.seq,
      code: event.documentCode,
    };
    const workflowId = documentLifecycleId(tenantId, documentId);
    if (event.event === 'document.deleted' || isFinal(event.status as DocumentStatus)) {
      try {
        await this.#client.workflow.getHandle(workflowId).signal(DOCUMENT_CHANGED, change);
      } catch (error) {
        // It ended before this event, for example by the operator's own update: nobody wants it any more.
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
      return;
    }
    const { documentCode: code, status, partnerId } = event;
    await this.#client.workflow.signalWithStart(DOCUMENT_LIFECYCLE, {
      ...lifecycleStart({ tenantId, documentId, docType, code, status, partnerId }),
      signal: DOCUMENT_CHANGED,
      signalArgs: [change],
    });
  }

  async #driveTask(event: ClaimedEvent): Promise<void> {
    const { tenantId, entityId: taskId, taskKind } = event;
    const input: TaskInput = { tenantId, taskId };
    if (event.event !== TASK_STARTED && event.event !== TASK_CANCELLED) return;
    const kind = taskKind as TaskKind;
    if (event.event === TASK_CANCELLED) {
      try {
        await this.#client.workflow.getHandle(TASK_WORKFLOWS[kind].id(input)).cancel();
      } catch (error) {
        // It has ended by itself in the meantime.
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
      return;
    }
    await this.#startOnce(TASK_WORKFLOWS[kind].workflow, taskStart(input, kind, event.title));
  }

  async #startRevaluation({ event, tenantId, id: eventId, entityId }: ClaimedEvent): Promise<void> {
    if (event !== STOCK_REVALUATION_DUE) return;
    await this.#startOnce(STOCK_REVALUATION, revaluationStart({ tenantId, eventId }, entityId));
  }

  async #startReconciliation({ event, tenantId, entityId: paymentId }: ClaimedEvent): Promise<void> {
    if (event !== RECONCILIATION_DUE) return;
    // The request that registered it may have been faster.
    await this.#startOnce(PAYMENT_RECONCILIATION, reconciliationStart({ tenantId, paymentId }, 'paymentMatching'));
  }

  async #startInvitationMail({ event, tenantId, id, entityId: invitationId }: ClaimedEvent): Promise<void> {
    if (event !== INVITATION_DUE) return;
    await this.#startOnce(INVITATION_MAIL, invitationStart({ tenantId, invitationId }, id));
  }

  async #startDelivery(event: ClaimedEvent, webhook: InterestedWebhook): Promise<void> {
    const { tenantId, entityType, entityId, documentCode } = event;
    const input: WebhookDeliveryInput = { tenantId, webhookId: webhook.webhookId, eventId: event.id };
    const title = deliveryTitle(webhook.event, documentCode, webhook.name);
    await this.#startOnce(WEBHOOK_DELIVERY, {
      ...deliveryStart(input, { title, documentCode, entityType, entityId }, 'webhookDelivery'),
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      requestEagerStart: this.#eager,
    });
  }

  /** Starts what nothing of its id was started for before. */
  async #startOnce(workflow: string, options: WorkflowStartOptions): Promise<void> {
    try {
      await this.#client.workflow.start(workflow, options);
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  }

  async #startRedelivery({ event, tenantId, id, entityId: eventId, ...about }: ClaimedEvent): Promise<void> {
    const { webhookId, title, documentCode } = about;
    if (event !== REDELIVERY_DUE || webhookId === null) return;
    const input = { tenantId, webhookId, eventId, redelivery: { id, again: true } };
    await startRedelivery(this.#client, input, { title, documentCode });
  }
}

function documentTypeOf(event: ClaimedEvent): DocType | undefined {
  // What was paid has changed before, which was told by itself.
  if (!event.event.startsWith('document.') || event.event === DOCUMENT_PAID) return undefined;
  return DOC_TYPES.find((code) => DOCUMENT_TYPES[code].entityType === event.entityType);
}
