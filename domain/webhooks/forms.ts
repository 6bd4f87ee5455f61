/**
 * The two forms in which webhooks are registered (specification, section Webhooks): with a list of `events`, or with one `event`,
 * which gets a shorter envelope and knows payment.registered.
 */
import { PAYMENT_REGISTERED } from './events.ts';

export const WEBHOOK_FORMS = ['events', 'event'] as const;
export type WebhookForm = (typeof WEBHOOK_FORMS)[number];

/** What an event needs of a webhook to be told to it. */
export interface Listener {
  readonly form: WebhookForm;
  readonly events: readonly string[];
}

/** An event under the name and with the data that a webhook hears of it by. */
export interface Told {
  readonly event: string;
  readonly data: unknown;
}

type Members = Readonly<Record<string, unknown>>;

const PAYMENTS: readonly string[] = ['payment.received', 'payment.made'];

/** The name that a webhook hears of an event by: payment.registered stands for payment.received and payment.made. */
export function nameFor({ events }: Listener, event: string): string {
  return events[0] === PAYMENT_REGISTERED && PAYMENTS.includes(event) ? PAYMENT_REGISTERED : event;
}

/** How a webhook is told of an event that it subscribes to. */
export function toldTo(listener: Listener, { event, data }: Told): Told {
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
