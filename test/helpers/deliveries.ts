/** Deliveries without a workflow: one attempt at a time, at any time of a clock that the test moves. */
import type { Context } from '../../db/context.ts';
import { newId } from '../../db/ids.ts';
import type { Webhook } from '../../db/models/integrations/webhooks.ts';
import { type DeliveryOutcome, deliverOnce } from '../../services/integrations/webhooks/deliver.ts';
import { Gate } from '../../services/integrations/webhooks/gate.ts';
import { createWebhook, type WebhookInput } from '../../services/integrations/webhooks/manage.ts';
import type { EncryptionKeys } from '../../services/platform/encryption/seal.ts';
import { Outbound, type OutboundRequest } from '../../services/platform/outbound/outbound.ts';
import type { Redelivery } from '../../workflows/integrations/webhooks/contract.ts';
import { type TestCompany, testCompany } from './company.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { LOCAL_TARGETS } from './targets.ts';

export const ENCRYPTION_KEY = 'a key of the tests, 32 characters or more';
export const POLICY = { targets: LOCAL_TARGETS, encryptionKeys: [ENCRYPTION_KEY] };

export interface Bench {
  readonly company: TestCompany;
  readonly receiver: Receiver;
  /** Keys that the attempts decrypt secrets with; webhooks are registered with the key of the tests. */
  encryptionKeys: EncryptionKeys;
  /** A webhook for the receiver's path, whose name is the path. */
  register(path: string, input?: Partial<WebhookInput>): Promise<Webhook>;
  /** An event of the outbox that no relay has seen. */
  event(name?: string, values?: { test?: boolean; documentId?: string }): Promise<string>;
  /** One attempt at an instant, ISO 8601. */
  attempt(webhookId: string, eventId: string, at?: string, redelivery?: Redelivery): Promise<DeliveryOutcome>;
  /** The log of a webhook, the oldest attempt first. */
  log(webhookId: string): Promise<Record<string, unknown>[]>;
  /** A user of the company. @returns his id */
  member(role: string, active?: boolean): Promise<string>;
  context(at: string): Context;
  close(): Promise<void>;
}

export const NOW = '2026-06-15T10:00:00.000Z';

/** @param timeoutMs how long a receiver has, instead of the 15 s of the service */
export async function deliveryBench({ timeoutMs = 1500 } = {}): Promise<Bench> {
  const company = await testCompany();
  const receiver = await startReceiver();
  const real = new Outbound({ targets: LOCAL_TARGETS });
  const outbound = { send: (request: OutboundRequest) => real.send({ ...request, timeoutMs }) };
  const context = (at: string): Context => ({ ...company.ctx, now: new Date(at) });
  const bench: Bench = {
    company,
    receiver,
    encryptionKeys: [ENCRYPTION_KEY],
    context,
    register: (path, input = {}) =>
      company.run((trx) =>
        createWebhook(trx, company.ctx, POLICY, {
          name: path,
          url: receiver.url + path,
          events: ['document.created'],
          ...input,
        }),
      ),
    async event(name = 'document.created', { test = false, documentId } = {}) {
      const id = newId();
      const payload = { document_id: documentId ?? newId(), total: 12.5, partner_name: 'Café Central' };
      await company.run((trx) =>
        trx.raw(
          `insert into outbox (id, tenant_id, event, entity_type, entity_id, payload, created_at, processed_at, test)
           values (?, ?, ?, 'SalesOrder', ?, ?, ?, ?, ?)`,
          [id, company.ctx.tenantId, name, payload.document_id, JSON.stringify(payload), NOW, NOW, test],
        ),
      );
      return id;
    },
    attempt(webhookId, eventId, at = NOW, redelivery) {
      const ctx = context(at);
      const deps = {
        database: company.database,
        outbound,
        gate: new Gate({ slots: 100 }),
        encryptionKeys: bench.encryptionKeys,
        now: () => ctx.now,
      };
      const delivery = { webhookId, eventId, ...(redelivery === undefined ? {} : { redelivery }) };
      return deliverOnce(deps, ctx, delivery, new AbortController().signal);
    },
    log: (webhookId) =>
      company.rows('select * from webhook_attempts where webhook_id = ? order by sent_at, attempt, id', [webhookId]),
    async member(role, active = true) {
      const id = newId();
      await company.database.withSystem(async (trx) => {
        await trx('users').insert({
          id,
          email: `${id}@example.test`,
          name: role,
          created_at: NOW,
          updated_at: NOW,
        });
        await trx('memberships').insert({
          id: newId(),
          tenant_id: company.ctx.tenantId,
          user_id: id,
          role,
          active,
          created_at: NOW,
          updated_at: NOW,
        });
      });
      return id;
    },
    async close() {
      await real.close();
      await receiver.close();
      await company.close();
    },
  };
  return bench;
}
