/** Database work of document workflows by the same services as the API, acting as the workflow. */
import type { Context } from '../../db/context.ts';
import type { Database } from '../../db/database.ts';
import { DOCUMENT_STATUS, type DocumentStatus } from '../../domain/trade/documents/types.ts';
import { readDocument } from '../../services/trade/documents/read.ts';
import { cancelDocument } from '../../services/trade/lifecycle/cancel.ts';
import { lockIfDue } from '../../services/trade/lifecycle/lock.ts';
import { postInvoice } from '../../services/trade/lifecycle/post.ts';
import { expireIfDue } from '../../services/trade/quotations/answer.ts';
import type { ActionOptions, ActionResult } from '../../workflows/trade/documents/contract.ts';
import { asActivityFailure, currentAttempt, workflowContext } from '../failures.ts';

export interface DocumentActionInput extends ActionOptions {
  readonly tenantId: string;
  readonly documentId: string;
}

export interface DocumentActivities {
  postDocument(input: DocumentActionInput): Promise<ActionResult>;
  cancelDocument(input: DocumentActionInput): Promise<ActionResult>;
  /** Locks the document if that is due. @returns when it will be locked; null if it is locked or has no lock pending */
  lockDocument(input: Omit<DocumentActionInput, 'date'>): Promise<string | null>;
  /** Marks a quotation as expired if that is due. @returns when it expires; null if it has, or does not */
  expireDocument(input: Omit<DocumentActionInput, 'date'>): Promise<string | null>;
}

export function createDocumentActivities(deps: {
  readonly database: Database;
  readonly now: () => Date;
}): DocumentActivities {
  /** Runs the service. A retry after a lost response finds the work done and returns its result. */
  async function act(
    input: DocumentActionInput,
    done: (status: DocumentStatus) => boolean,
    work: (trx: Parameters<typeof postInvoice>[0], ctx: Context) => Promise<unknown>,
  ): Promise<ActionResult> {
    const { database } = deps;
    try {
      if (currentAttempt() > 1) {
        const current = await database.readTenant(input, (db) => readDocument(db, input.documentId));
        if (done(current.status as DocumentStatus)) return result(current);
      }
      const ctx = workflowContext(input.tenantId, deps.now());
      await database.withTenant(ctx, (trx) => work(trx, ctx));
      return result(await database.readTenant(input, (db) => readDocument(db, input.documentId)));
    } catch (error) {
      throw asActivityFailure(error);
    }
  }

  /** Runs what a lifecycle's timer is for. @returns when it is due again */
  async function whenDue(tenantId: string, documentId: string, work: typeof lockIfDue): Promise<string | null> {
    const ctx = workflowContext(tenantId, deps.now());
    try {
      return await deps.database.withTenant(ctx, (trx) => work(trx, ctx, documentId));
    } catch (error) {
      throw asActivityFailure(error);
    }
  }

  return {
    lockDocument: ({ tenantId, documentId }) => whenDue(tenantId, documentId, lockIfDue),
    expireDocument: ({ tenantId, documentId }) => whenDue(tenantId, documentId, expireIfDue),
    postDocument: (input) =>
      act(
        input,
        (status) => status === DOCUMENT_STATUS.open || status === DOCUMENT_STATUS.closed,
        (trx, ctx) => postInvoice(trx, ctx, input.documentId, { ifMatch: null }),
      ),
    cancelDocument: (input) =>
      act(
        input,
        (status) => status === DOCUMENT_STATUS.cancelled,
        (trx, ctx) =>
          cancelDocument(trx, ctx, input.documentId, {
            ifMatch: null,
            ...(input.date === undefined ? {} : { date: input.date }),
          }),
      ),
  };
}

function result(document: Readonly<Record<string, unknown>>): ActionResult {
  return {
    documentId: document.id as string,
    status: document.status as DocumentStatus,
    code: document.code as string | null,
    version: document.version as number,
  };
}
