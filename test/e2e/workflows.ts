/** An operator's view and actions in the Temporal UI, through the interface that the UI uses. */
import assert from 'node:assert/strict';
import { Client, Connection } from '@temporalio/client';
import {
  type ActionResult,
  cancelDocument,
  DOCUMENT_LIFECYCLE,
  postDocument,
} from '../../workflows/trade/documents/contract.ts';
import { eventually } from '../helpers/worker.ts';

/** The company's short name, the kind, and what no other workflow has. */
const READABLE = /^[a-z0-9-]{1,12}\/document\/[0-9a-z]{16}$/;

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
    const about = `EntityType = "${entityType}" and EntityId = "${documentId}" and DocumentStatus = "${status}"`;
    await eventually(async () => assert.match(await this.#lifecycle(about), READABLE), 30_000);
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

  /** The id of the only lifecycle that the search finds. */
  async #lifecycle(about: string): Promise<string> {
    const query = `TenantId = "${this.#tenantId}" and WorkflowType = "${DOCUMENT_LIFECYCLE}" and ${about}`;
    const found: string[] = [];
    for await (const { workflowId } of this.#client.workflow.list({ query })) found.push(workflowId);
    assert.equal(found.length, 1, query);
    return String(found[0]);
  }

  async #update(update: typeof postDocument, documentId: string): Promise<ActionResult> {
    const handle = this.#client.workflow.getHandle(await this.#lifecycle(`EntityId = "${documentId}"`));
    return await handle.executeUpdate(update, { args: [null] });
  }
}
