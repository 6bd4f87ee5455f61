import type { Db } from '../../db/database.ts';
import { Webhook } from '../../db/models/webhooks.ts';
import { type ListDefinition, parseListQuery } from '../../db/queries/list.ts';
import { runList } from '../../db/queries/run-list.ts';
import { presentWebhook } from '../../services/webhooks/manage.ts';
import { listAnswer } from '../list.ts';
import type { RouteResponse } from '../route.ts';

/** What the list of webhooks filters, sorts and searches by; the newest first. */
export const webhookList: ListDefinition = {
  fields: {
    name: { type: 'text', searchable: true },
    url: { type: 'text', searchable: true },
    method: { type: 'choice', choices: ['POST', 'GET'] },
    status: { type: 'choice', choices: ['active', 'inactive'] },
    created_by: { type: 'uuid' },
    created_at: { type: 'instant' },
    updated_at: { type: 'instant' },
  },
  defaultSort: '-created_at',
};

/** The company's webhooks; their secrets are never shown. */
export async function listWebhooks(db: Db, parameters: Record<string, string>): Promise<RouteResponse> {
  const found = await runList<object>(db, webhookList, parseListQuery(webhookList, parameters), db.from('webhooks'));
  return listAnswer(found, (row) => presentWebhook(Webhook.fromDatabaseJson(row)));
}
