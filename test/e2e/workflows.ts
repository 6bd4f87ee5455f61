/** An operator's view and actions in the Temporal UI, through the interface that the UI uses. */
import assert from 'node:assert/strict';
import { Client, Connection } from '@temporalio/client';
import {
  type ActionResult,
  cancelDocument,
  documentLifecycleId,
  postDocument,
} from '../../workflows/trade/documents/contract.ts';
import { eventually } from '../helpers/worker.ts';

export class Operator {
  readonly #client: Client;
  readonly #tenantId: string;

  private constructor(client: Client, tenantId: string) {
    this.#client = client;
    this.#tenantId = tenantId;
  }

  static async at(address: string, namespace: string, tenantId: string): Promise<Operator> {
    const connection = await Connection.connect({ address });
    return new Operator(new Client({ connection, namespace }), tenantId);
  }

  /** The lifecycle of a document is found by its search attributes, in the expected state. */
  async finds(entityType: string, documentId: string, status: string): Promise<void> {
    const query =
      `TenantId = "${this.#tenantId}" and EntityType = "${entityType}" and EntityId = "${documentId}" and DocumentStatus = ` +
      `"${status}"`;
    await eventually(async () => {
      const found: string[] = [];
      for await (const { workflowId } of this.#client.workflow.list({ query })) found.push(workflowId);
      assert.deepEqual(found, [documentLifecycleId(this.#tenantId, documentId)]);
    }, 30_000);
  }

  post(documentId: string): Promise<ActionResult> {
    return this.#update(postDocument, documentId);
  }

  cancel(documentId: string): Promise<ActionResult> {
    return this.#update(cancelDocument, documentId);
  }

  async close(): Promise<void> {
    await this.#client.connection.close();
  }

  async #update(update: typeof postDocument, documentId: string): Promise<ActionResult> {
    const handle = this.#client.workflow.getHandle(documentLifecycleId(this.#tenantId, documentId));
    return await handle.executeUpdate(update, { args: [null] });
  }
}
