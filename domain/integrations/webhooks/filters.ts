/** Filters of webhooks: select among the subscribed events by notification type and by conditions on the payload. */
import { allHold, type Condition } from '../../platform/conditions/conditions.ts';
import { eventFor, type Listener } from './forms.ts';

export interface FilteredListener extends Listener {
  /** For notification.created; null for all. */
  readonly filterTypes: readonly string[] | null;
  readonly filters: readonly Condition[] | null;
}

export interface HappenedEvent {
  readonly id: string;
  readonly tenantId: string;
  readonly event: string;
  readonly createdAt: string;
  readonly data: unknown;
}

/** Whether a webhook that subscribes to the event wants this one. */
export function wants({ filterTypes, filters, ...listener }: FilteredListener, happened: HappenedEvent): boolean {
  const renamed = eventFor(listener, happened);
  const data = renamed.data as Readonly<Record<string, unknown>>;
  if (filterTypes !== null && !filterTypes.includes(String(data.type))) return false;
  if (filters === null) return true;
  return allHold(filters, filterSubject({ ...happened, ...renamed }));
}

/**
 * The data that paths of filters lead into: the envelope (`event`, `data.total`), and as shorthand its data (`total`), also by the group of
 * the event (`document.total`), as in rules of automations.
 */
export function filterSubject({ id, tenantId, event, createdAt, data }: HappenedEvent): Record<string, unknown> {
  const group = event.slice(0, event.indexOf('.'));
  const head = { id, event, timestamp: createdAt, tenant_id: tenantId };
  return { [group]: data, ...head, data, ...(data as Readonly<Record<string, unknown>>) };
}
