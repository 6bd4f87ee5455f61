/** Decides which events trigger which rules. */

import { DOCUMENT_PAID, isWork, PLUGIN_HOOK, TASK_ENDED, WATCHED_RECORDS } from '../../platform/internal-events.ts';
import { DOC_TYPE_NAMES } from '../../trade/documents/types.ts';

/** Maximum chain of rules that trigger one another, which prevents endless loops. */
export const MAX_DEPTH = 5;

/** Types of triggers by event; posting and cancelling also change a document. */
const TRIGGERED: Readonly<Record<string, readonly string[]>> = {
  'document.created': ['document.created'],
  'document.updated': ['document.updated', 'document.status_changed'],
  'document.locked': ['document.updated', 'document.status_changed'],
  'document.cancelled': ['document.updated', 'document.status_changed'],
  'document.sent': ['document.sent'],
  [DOCUMENT_PAID]: ['document.paid'],
  'payment.received': ['payment.received'],
  'payment.made': ['payment.made'],
  'stock.low': ['stock.low'],
  [PLUGIN_HOOK]: ['plugin.hook'],
  [TASK_ENDED]: ['task.ended'],
  ...Object.fromEntries(
    WATCHED_RECORDS.flatMap((record) => [`${record}.created`, `${record}.updated`]).map((event) => [event, [event]]),
  ),
};

/** The types of triggers that an event may fire; none for most events. */
export function triggerTypes(event: string): readonly string[] {
  return TRIGGERED[event] ?? [];
}

/** The name that rules see: an internal event has that of its trigger. */
export function triggerName(event: string): string {
  return isWork(event) ? (triggerTypes(event)[0] ?? event) : event;
}

/** The members of a trigger that events are compared with. */
export interface EventTrigger {
  readonly type: string;
  readonly document_type?: string;
  readonly changed_fields?: readonly string[];
  readonly from_status?: string;
  readonly to_status?: string;
  readonly plugin_id?: string;
  readonly hook?: string;
  readonly outcome?: string;
}

/** Whether an event of the trigger's type fires it. @param payload the event's data */
export function isTriggered(trigger: EventTrigger, payload: Readonly<Record<string, unknown>>): boolean {
  if (trigger.type === 'plugin.hook') return trigger.plugin_id === payload.plugin_id && trigger.hook === payload.hook;
  if (trigger.outcome !== undefined && trigger.outcome !== payload.outcome) return false;
  const { document_type: wanted, changed_fields: fields, from_status: from, to_status: to } = trigger;
  if (wanted !== undefined && DOC_TYPE_NAMES[wanted] !== DOC_TYPE_NAMES[String(payload.document_type)]) return false;
  if (fields !== undefined && !fields.some((field) => changedIn(payload).includes(camelCased(field)))) return false;
  if (trigger.type !== 'document.status_changed') return true;
  const { previous_status: before, status: after } = payload;
  return before !== undefined && (from === undefined || from === before) && (to === undefined || to === after);
}

function changedIn({ changed_fields: fields }: Readonly<Record<string, unknown>>): readonly unknown[] {
  return Array.isArray(fields) ? fields : [];
}

/** Custom fields keep their names. */
function camelCased(name: string): string {
  return name.startsWith('custom_') ? name : name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
