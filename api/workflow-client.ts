/** The API's direct requests to Temporal; everything else goes through the outbox. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, isGrpcDeadlineError, WorkflowFailedError } from '@temporalio/client';
import type { Config } from '../config/index.ts';
import { temporalConnection } from '../config/temporal.ts';
import { notFound, ServiceError } from '../domain/errors.ts';
import type { TaskKind } from '../domain/platform/tasks.ts';
import { ServiceClient } from '../services/platform/temporal/client.ts';
import type { CompanyNames } from '../services/platform/temporal/company-names.ts';
import { isBusy, isLost, refusalCode } from '../services/platform/temporal/errors.ts';
import { awaitResult, type WorkflowStart } from '../services/platform/temporal/start.ts';
import { tracedStarts } from '../services/platform/tracing/starts.ts';
import { deliveryStart, type WebhookDeliveryInput } from '../workflows/integrations/webhooks/contract.ts';
import { type TaskInput, taskStart } from '../workflows/platform/tasks/contract.ts';
import { type PrintedDocument, pdfStart } from '../workflows/trade/documents/contract.ts';
import { type PaymentRef, reconciliationStart } from '../workflows/trade/payments/contract.ts';
import type { Logger } from './logger.ts';

export interface WorkflowClient {
  /** Whether the cluster answers within a second. */
  isUp(): Promise<boolean>;
  /**
   * Has a worker render a version of a document and waits for it.
   * @returns the id of the stored file
   * @throws ServiceError unavailable if Temporal or the worker does not answer in time; not_found
   */
  renderDocumentPdf(document: PrintedDocument): Promise<{ readonly fileId: string }>;
  /**
   * Has a worker match a pending payment.
   * @param ms maximum wait
   * @returns whether it is done; otherwise the relay completes it later
   */
  reconcilePayment(payment: PaymentRef, ms: number): Promise<boolean>;
  /**
   * Waits for a task that was just requested.
   * @param ms maximum wait
   * @returns whether it has ended; otherwise the relay completes it later
   */
  awaitTask(task: TaskInput & { readonly kind: TaskKind; readonly title: string }, ms: number): Promise<boolean>;
  /**
   * Has a worker deliver a test and waits for its outcome. Operators see it under the title.
   * @throws ServiceError unavailable if Temporal or the worker does not answer in time
   */
  deliverTest(delivery: WebhookDeliveryInput, title: string): Promise<void>;
  close(): Promise<void>;
}

const UP_MS = 1000;
/** Time limit for a PDF that a request waits for: several hundred lines take about a second, a cold browser a few. */
const PDF_MS = 20_000;
/**
 * Maximum number of a company's PDFs, over all processes, with priority over background work; further ones take their
 * turn.
 */
const MAX_URGENT_PDFS = 10;
/** How long a call is repeated while Temporal does not answer, and the pause between two tries. */
const LOST_MS = 8000;
const LOST_PAUSE_MS = 300;
/** Delay between tries while the server is busy. */
const BUSY_MS = 100;
/** Time limit for a test delivery, whose receiver has 15 s. */
const TEST_MS = 18_000;
const RETRY_AFTER = 5;

/** Connects on first use, so that the API starts and works without Temporal. */
export function createWorkflowClient(config: Config, names: CompanyNames, logger?: Logger): WorkflowClient {
  const { address, namespace } = config.temporal;
  if (address === undefined) return withoutTemporal();
  const connection = Connection.lazy({
    ...temporalConnection({ ...config.temporal, address }),
    // No retries inside the client: failing fast is better for a request, and a retry due after `close` would throw
    // from a timer. Instead the channel itself reconnects soon after an outage.
    interceptors: [],
    channelArgs: { 'grpc.initial_reconnect_backoff_ms': 200, 'grpc.max_reconnect_backoff_ms': 2000 },
  });
  const client = new ServiceClient({ connection, namespace, names }, [tracedStarts]);
  /**
   * Makes a call that can safely be repeated, with a deadline in milliseconds since 1970. Temporal replaces each
   * connection every few minutes and may lose calls in progress: they are repeated at once, and then for a while, since it
   * may restart, or another of its servers take over.
   */
  const askBy = <Answer>(end: number, call: () => Promise<Answer>, patienceMs = LOST_MS): Promise<Answer> =>
    connection.withDeadline(end, async () => {
      let until: number | null = null;
      for (;;) {
        try {
          return await call();
        } catch (error) {
          if (!isLost(error)) throw error;
          if (until === null) until = Math.min(end, Date.now() + patienceMs);
          else if (Date.now() + LOST_PAUSE_MS >= until) throw error;
          else await sleep(LOST_PAUSE_MS);
        }
      }
    });
  const resultBy = <Result>(end: number, start: WorkflowStart) => askBy(end, () => awaitResult<Result>(client, start));
  const maxUrgentPdfs = Math.ceil(MAX_URGENT_PDFS / config.api.processes);
  /** Number of PDFs that requests of a company are waiting for. */
  const awaited = new Map<string, number>();
  let asking: Promise<boolean> | undefined;
  const answers = async () => {
    try {
      await askBy(Date.now() + UP_MS, () => connection.workflowService.getSystemInfo({}), 0);
      return true;
    } catch {
      return false; // The health check wants a boolean, not an error.
    }
  };

  return {
    isUp() {
      // Anybody may ask: those who ask at the same time share the question.
      asking ??= answers().finally(() => {
        asking = undefined;
      });
      return asking;
    },

    async renderDocumentPdf(document) {
      const { tenantId, documentId } = document;
      const before = awaited.get(tenantId) ?? 0;
      awaited.set(tenantId, before + 1);
      try {
        const start = pdfStart(document, before < maxUrgentPdfs ? 'requestedPdf' : 'furtherPdf');
        return await resultBy<{ fileId: string }>(Date.now() + PDF_MS, start);
      } catch (error) {
        const refused = refusalCode(error);
        if (refused === 'not_found') throw notFound('The document');
        logger?.warn({ err: error, document_id: documentId }, 'A PDF was not rendered in time');
        const detail = isGrpcDeadlineError(error)
          ? 'The PDF is not ready yet; ask again in a few seconds'
          : isLost(error)
            ? 'PDFs cannot be rendered because Temporal does not answer; the document itself is safe'
            : 'The PDF could not be rendered; try again in a moment';
        throw new ServiceError('unavailable', detail, { retryAfter: RETRY_AFTER, cause: error });
      } finally {
        const left = (awaited.get(tenantId) ?? 1) - 1;
        if (left > 0) awaited.set(tenantId, left);
        else awaited.delete(tenantId);
      }
    },

    async reconcilePayment(payment, ms) {
      const end = Date.now() + ms;
      for (;;) {
        try {
          // The relay may have started it already.
          await resultBy(end, reconciliationStart(payment, 'requestedMatching'));
          return true;
        } catch (error) {
          // The server is briefly busy with other writes.
          if (isBusy(error) && Date.now() + BUSY_MS < end) {
            await sleep(BUSY_MS);
            continue;
          }
          if (!isGrpcDeadlineError(error))
            logger?.warn({ err: error, payment_id: payment.paymentId }, 'A payment will be matched later');
          return false;
        }
      }
    },

    async awaitTask({ kind, title, ...task }, ms) {
      try {
        await resultBy(Date.now() + ms, taskStart(task, kind, title));
        return true;
      } catch (error) {
        // It has ended with a failure, which the task explains.
        if (error instanceof WorkflowFailedError) return true;
        if (!isGrpcDeadlineError(error)) logger?.warn({ err: error, task_id: task.taskId }, 'A task continues later');
        return false;
      }
    },

    async deliverTest(delivery, title) {
      try {
        await resultBy(Date.now() + TEST_MS, deliveryStart(delivery, { title }, 'webhookTest'));
      } catch (error) {
        // The receiver failed; the log has the reason.
        if (error instanceof WorkflowFailedError) return;
        logger?.warn({ err: error, webhook_id: delivery.webhookId }, 'A webhook test did not end in time');
        const detail = isGrpcDeadlineError(error)
          ? 'The test has not finished yet; see the logs of the webhook in a few seconds'
          : 'Nothing can be delivered because Temporal does not answer';
        throw new ServiceError('unavailable', detail, { retryAfter: RETRY_AFTER, cause: error });
      }
    },

    close: () => connection.close(),
  };
}

function withoutTemporal(): WorkflowClient {
  return {
    isUp: async () => false,
    async renderDocumentPdf() {
      throw new ServiceError('unavailable', 'PDFs need Temporal: start the service with TEMPORAL_ADDRESS set', {
        retryAfter: RETRY_AFTER,
      });
    },
    reconcilePayment: async () => false,
    awaitTask: async () => false,
    async deliverTest() {
      throw new ServiceError('unavailable', 'Deliveries need Temporal: start the service with TEMPORAL_ADDRESS set', {
        retryAfter: RETRY_AFTER,
      });
    },
    close: async () => undefined,
  };
}
