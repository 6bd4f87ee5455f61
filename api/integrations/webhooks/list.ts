import type { ListDefinition } from '../../../db/queries/list.ts';
import { EVENT_NAMES } from '../../../domain/integrations/webhooks/events.ts';
import { ATTEMPT_COLUMNS } from '../../../services/integrations/webhooks/attempts.ts';
import { assertDay } from '../../lists/list.ts';
import type { ListRows } from '../../lists/list-route.ts';

/** Filters, sort orders and search of the list of webhooks; newest first. */
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

/** Filters and sort orders of delivery attempts; newest first. */
export const attemptList: ListDefinition = {
  fields: {
    event: { type: 'choice', choices: EVENT_NAMES },
    event_id: { type: 'uuid' },
    document_id: { type: 'uuid' },
    attempt: { type: 'integer' },
    redelivery_id: { type: 'uuid' },
    test: { type: 'boolean' },
    status: { type: 'choice', choices: ['success', 'failed', 'skipped'] },
    http_status: { type: 'integer' },
    response_time_ms: { type: 'integer' },
    sent_at: { type: 'instant' },
  },
  defaultSort: '-sent_at',
};

/** Rows of the attempts of one webhook; `from` and `to` are days in the company's time zone, inclusive. */
export function attemptRows(
  webhookId: string,
  { from, to, ...rest }: Readonly<Record<string, string>>,
): ListRows<object> {
  return {
    from: 'webhook_attempts',
    where: { webhook_id: webhookId },
    columns: ATTEMPT_COLUMNS,
    parameters: {
      ...rest,
      ...(from === undefined ? {} : { 'sent_at[gte]': assertDay('from', from) }),
      ...(to === undefined ? {} : { 'sent_at[lte]': assertDay('to', to) }),
    },
    toJson: (row) => row,
  };
}
