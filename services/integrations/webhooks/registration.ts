/** Checks registrations of webhooks, in both forms. */
import type { Webhook } from '../../../db/models/integrations/webhooks.ts';
import { type FieldError, validationFailed } from '../../../domain/errors.ts';
import {
  isEventName,
  isSubscription,
  NOTIFICATION_CREATED,
  PAYMENT_REGISTERED,
} from '../../../domain/integrations/webhooks/events.ts';
import type { WebhookForm } from '../../../domain/integrations/webhooks/forms.ts';
import { headerFaults } from '../../../domain/integrations/webhooks/headers.ts';
import type { RetryPolicy } from '../../../domain/integrations/webhooks/retry.ts';
import { type TargetPolicy, targetFault } from '../../../domain/integrations/webhooks/targets.ts';
import { type Condition, conditionFaults } from '../../../domain/platform/conditions/conditions.ts';

/** A registration in the form of the API; null removes the secret. */
export interface WebhookInput {
  /** Required with `events`; with `event` it defaults to the event. */
  readonly name?: string | undefined;
  readonly url: string;
  readonly method?: 'POST' | 'GET' | undefined;
  /** The first form; the second has `event`. */
  readonly events?: readonly string[] | undefined;
  readonly event?: string | undefined;
  /** For notification.created; none or an empty list: all. */
  readonly filter_types?: readonly string[] | null | undefined;
  readonly filters?: readonly Condition[] | null | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly secret?: string | null | undefined;
  readonly retry_policy?: Partial<RetryPolicy> | undefined;
  readonly max_in_flight?: number | undefined;
  readonly rate_per_second?: number | undefined;
  readonly status?: 'active' | 'inactive' | undefined;
  /** An alternative to status. */
  readonly active?: boolean | undefined;
}

type Subscription = Pick<Webhook, 'form' | 'events' | 'filterTypes' | 'filters'>;

/**
 * Checks a registration or its change.
 * @param current the webhook that changes; null for a new one
 * @throws ServiceError validation_failed with all faults
 */
export function checkRegistration(
  input: Partial<WebhookInput>,
  current: (Subscription & Pick<Webhook, 'url' | 'headers'>) | null,
  options: { readonly targets: TargetPolicy },
): void {
  const target = input.url === undefined ? null : targetFault(input.url, options.targets);
  const faults: FieldError[] = [
    ...(target === null ? [] : [{ pointer: '/url', ...target }]),
    ...formFaults(input, current),
    ...eventFaults(input),
    ...renamingFaults(input, current),
    ...typeFaults(input, current),
    ...statusFaults(input),
    ...conditionFaults(input.filters ?? [], '/filters'),
    ...(current === null ? [] : movedFaults(input, current)),
    ...headerFaults(input.headers ?? {}).map(({ name, code, message }) => ({
      pointer: `/headers${name === '' ? '' : `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`}`,
      code,
      message,
    })),
  ];
  if (faults.length > 0) throw validationFailed(faults);
}

/** Builds the subscription after a change. */
export function buildSubscription(input: Partial<WebhookInput>, current: Subscription | null): Subscription {
  const { event, filters = current?.filters ?? [], filter_types: types = current?.filterTypes ?? [] } = input;
  const events = event === undefined ? [...new Set(input.events ?? current?.events)] : [event];
  const form = registrationForm(input, current);
  return {
    form,
    events,
    filterTypes: form === 'event' && events[0] === NOTIFICATION_CREATED ? listOrNull([...new Set(types)]) : null,
    filters: listOrNull(filters ?? []),
  };
}

/** The requested status; `active` and `status` mean the same. */
export function requestedStatus({ status, active }: Partial<WebhookInput>): 'active' | 'inactive' | undefined {
  return active === undefined ? status : active ? 'active' : 'inactive';
}

function registrationForm({ event }: Partial<WebhookInput>, current: Subscription | null): WebhookForm {
  return current?.form ?? (event === undefined ? 'events' : 'event');
}

function listOrNull<T>(list: readonly T[]): T[] | null {
  return list.length === 0 ? null : [...list];
}

function formFaults(input: Partial<WebhookInput>, current: Subscription | null): FieldError[] {
  const { events, event, name } = input;
  const mixed = (member: string, message: string) => ({ pointer: `/${member}`, code: 'mixed_forms', message });
  if (events !== undefined && event !== undefined) {
    return ['events', 'event'].map((member) => mixed(member, 'give either events or event'));
  }
  if (current !== null) {
    const other = current.form === 'events' ? 'event' : 'events';
    return input[other] === undefined
      ? []
      : [mixed(other, `is of the other form: it was registered with ${current.form}`)];
  }
  const required = (member: string, message: string) => ({ pointer: `/${member}`, code: 'required', message });
  if (event !== undefined) return [];
  return [
    ...(events === undefined ? [required('events', 'is required, or event in its place')] : []),
    ...(name === undefined ? [required('name', 'is required')] : []),
  ];
}

function eventFaults({ events = [], event }: Partial<WebhookInput>): FieldError[] {
  const unknown = events.flatMap((name, index): FieldError[] => {
    if (isSubscription(name)) return [];
    const message = isEventName(name)
      ? 'can only be subscribed by webhooks registered with event'
      : 'must be an event of the catalogue (GET /api/webhooks/events), a group such as document.*, or *';
    return [{ pointer: `/events/${index}`, code: 'unknown_event', message }];
  });
  if (event === undefined || isEventName(event)) return unknown;
  const message = 'must be an event of the catalogue (GET /api/webhooks/events)';
  return [...unknown, { pointer: '/event', code: 'unknown_event', message }];
}

/** Deliveries under way would change their bytes between attempts, since payment.registered has its own shape. */
function renamingFaults({ event }: Partial<WebhookInput>, current: Subscription | null): FieldError[] {
  const before = current?.events[0];
  if (current?.form !== 'event' || event === undefined || event === before) return [];
  if (event !== PAYMENT_REGISTERED && before !== PAYMENT_REGISTERED) return [];
  const message = `cannot be changed from or to ${PAYMENT_REGISTERED}: register another webhook`;
  return [{ pointer: '/event', code: 'read_only', message }];
}

/** The values of headers must not reach another server than the one for which they were given. */
function movedFaults({ url, headers }: Partial<WebhookInput>, current: Pick<Webhook, 'url' | 'headers'>): FieldError[] {
  if (url === undefined || headers !== undefined || Object.keys(current.headers).length === 0) return [];
  const target = URL.parse(url);
  if (target === null || target.origin === new URL(current.url).origin) return [];
  const message = 'must be given again, or as {}, because `url` leads to another host';
  return [{ pointer: '/headers', code: 'required', message }];
}

function typeFaults(input: Partial<WebhookInput>, current: Subscription | null): FieldError[] {
  const { filter_types: types, event, events } = input;
  if (types === undefined || types === null || types.length === 0) return [];
  const firstEvent = event ?? events?.[0] ?? current?.events[0];
  if (registrationForm(input, current) === 'event' && firstEvent === NOTIFICATION_CREATED) return [];
  const message = `goes with event: ${NOTIFICATION_CREATED} only`;
  return [{ pointer: '/filter_types', code: 'not_applicable', message }];
}

function statusFaults({ status, active }: Partial<WebhookInput>): FieldError[] {
  if (status === undefined || active === undefined || active === (status === 'active')) return [];
  return [{ pointer: '/active', code: 'contradiction', message: `contradicts status: ${status}` }];
}
