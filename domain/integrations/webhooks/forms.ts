/**
 * The two forms in which webhooks are registered: with a list of `events`, or with one `event`, which gets a shorter envelope and knows
 * payment.registered.
 */
import { PAYMENT_REGISTERED } from './events.ts';

export const WEBHOOK_FORMS = ['events', 'event'] as const;
export type WebhookForm = (typeof WEBHOOK_FORMS)[number];

/** The members of a webhook that decide whether and how it gets an event. */
export interface Listener {
  readonly form: WebhookForm;
  readonly events: readonly string[];
}

/** An event with the name and data that a webhook gets. */
export interface DeliveredEvent {
  readonly event: string;
  readonly data: unknown;
}

type Members = Readonly<Record<string, unknown>>;

const PAYMENTS: readonly string[] = ['payment.received', 'payment.made'];

/** The name under which a webhook gets an event: payment.registered covers payment.received and payment.made. */
export function nameFor({ events }: Listener, event: string): string {
  return events[0] === PAYMENT_REGISTERED && PAYMENTS.includes(event) ? PAYMENT_REGISTERED : event;
}

/** The event as a subscribed webhook gets it. */
export function eventFor(listener: Listener, { event, data }: DeliveredEvent): DeliveredEvent {
  if (nameFor(listener, event) === event) return { event, data };
  const { payment_id, partner_id, amount, payment_date, linked_documents } = data as Members;
  return {
    event: PAYMENT_REGISTERED,
    data: {
      payment_id,
      type: event === 'payment.received' ? 'in' : 'out',
      partner_id,
      amount,
      payment_date,
      linked_documents: (linked_documents as Members[]).map(({ type, id, new_status }) => {
        return { document_type: type, document_id: id, new_document_status: new_status };
      }),
    },
  };
}
