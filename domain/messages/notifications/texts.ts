/** Notification texts for events, in the recipient's language. */

import type { Formats, Language } from '../../locale/formats.ts';
import { parseDecimal } from '../../money.ts';
import type { Permission, Role } from '../../permissions.ts';
import { TASK_ENDED } from '../../platform/internal-events.ts';
import { DOCUMENT_TYPES, type DocumentTypeInfo, spanishTitle, typeTitle } from '../../trade/documents/types.ts';
import { endedTask, notifiesCreator } from './tasks.ts';
import type { NoticeText, NotificationType } from './types.ts';

/** An event that people are notified of. */
export interface NotifiableEvent {
  readonly event: string;
  readonly entityId: string;
  /** Members of its data, as texts. */
  readonly data: Readonly<Record<string, string | null>>;
  /** The document's number. */
  readonly code: string | null;
}

/** The notification that an event leads to. */
export interface EventNotice {
  readonly type: NotificationType;
  /** The permission to read the record, without which nobody is notified; null for what is its creator's own. */
  readonly needs: Permission | null;
  /** Roles that are notified in addition to the creator of the record. */
  readonly roles: readonly Role[];
  readonly actionUrl: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly text: (formats: Formats) => NoticeText;
}

type Kind = Extract<
  NotificationType,
  'document_locked' | 'document_sent' | 'payment_made' | 'payment_received' | 'task_completed'
>;
/** Kinds whose titles are here. */
type BusinessKind = Exclude<Kind, 'task_completed'>;

const KINDS: Readonly<Record<string, Kind>> = {
  'document.locked': 'document_locked',
  'document.sent': 'document_sent',
  'payment.received': 'payment_received',
  'payment.made': 'payment_made',
  [TASK_ENDED]: 'task_completed',
};

/** Members of event data that notices use. */
export const NOTICE_MEMBERS = [
  'document_type',
  'partner_name',
  'total',
  'amount',
  'currency',
  'reference',
  'to',
  'created_by',
  'previous_status',
  'task_kind',
  'outcome',
  'detail',
  'result_url',
] as const;

/** Roles that are notified of everything. */
const ADMIN_ROLES: readonly Role[] = ['owner', 'admin'];

const TITLES: Readonly<Record<Language, Readonly<Record<BusinessKind, (what: string) => string>>>> = {
  es: {
    document_locked: (what) => `Se ha contabilizado ${what}`,
    document_sent: (what) => `Se ha enviado ${what}`,
    payment_received: (what) => `Cobro de ${what}`,
    payment_made: (what) => `Pago de ${what}`,
  },
  en: {
    document_locked: (what) => `${what} was posted`,
    document_sent: (what) => `${what} was sent`,
    payment_received: (what) => `Payment of ${what} received`,
    payment_made: (what) => `Payment of ${what} made`,
  },
};

/** Whether people are notified of an event of this name. */
export function isNotifiable(event: string): boolean {
  return Object.hasOwn(KINDS, event);
}

/** Builds the notice of an event; null if nobody is notified, for example when a document that was already posted is locked. */
export function eventNotice(happened: NotifiableEvent): EventNotice | null {
  const kind = isNotifiable(happened.event) ? KINDS[happened.event] : undefined;
  if (kind === undefined || (kind === 'document_locked' && happened.data.previous_status == null)) return null;
  if (kind === 'task_completed') return taskNotice(happened);
  return kind === 'payment_received' || kind === 'payment_made'
    ? paymentNotice(kind, happened)
    : documentNotice(kind, happened);
}

function taskNotice({ entityId, data }: NotifiableEvent): EventNotice | null {
  const { task_kind: kind, outcome, detail, result_url: resultUrl } = data;
  if (kind == null || !notifiesCreator(kind)) return null;
  const { es, ...en } = endedTask(kind, outcome === 'completed', detail ?? '');
  return {
    type: 'task_completed',
    needs: null,
    roles: [],
    actionUrl: resultUrl ?? `/api/tasks/${entityId}`,
    metadata: { task_id: entityId },
    text: ({ language }) => (language === 'es' ? es : en),
  };
}

function paymentNotice(type: BusinessKind, { entityId, data }: NotifiableEvent): EventNotice {
  const way = type === 'payment_received' ? 'in' : 'out';
  return {
    type,
    needs: `payments_${way}:read`,
    roles: [...ADMIN_ROLES, 'accountant'],
    actionUrl: `/api/payments/${way}/${entityId}`,
    metadata: { payment_id: entityId },
    text: (formats) => ({
      title: TITLES[formats.language][type](money(formats, data.amount, data.currency)),
      body: [data.partner_name, data.reference].filter((part) => part).join(', '),
      actionLabel: show(formats),
    }),
  };
}

function documentNotice(type: BusinessKind, { entityId, data, code }: NotifiableEvent): EventNotice | null {
  const info = Object.values(DOCUMENT_TYPES).find(({ name }) => name === data.document_type);
  if (info === undefined) return null;
  return {
    type,
    needs: `${info.resource}:read`,
    roles: [...ADMIN_ROLES, info.side === 'sales' ? 'sales' : 'purchasing'],
    actionUrl: `${info.path}/${entityId}`,
    metadata: { document_type: info.name, document_id: entityId },
    text: (formats) => {
      const what = `${documentName(info, formats)}${code === null ? '' : ` ${code}`}`;
      const [partner, total] = [data.partner_name, money(formats, data.total, data.currency)];
      const parts =
        type === 'document_sent' ? [partner, abbreviateRecipients(data.to ?? '', formats)] : [partner, total];
      return {
        title: TITLES[formats.language][type](what),
        body: parts.filter((part) => part).join(', '),
        actionLabel: show(formats),
      };
    },
  };
}

/** Maximum recipients that a notice names. */
const MAX_NAMED = 3;

/** Names the first recipients, separated by commas, and counts the others. */
function abbreviateRecipients(to: string, { language }: Formats): string {
  const all = to.split(', ');
  const more = all.length - MAX_NAMED;
  if (more <= 0) return to;
  return `${all.slice(0, MAX_NAMED).join(', ')} ${language === 'es' ? `y ${more} más` : `and ${more} more`}`;
}

/** The document's type; in Spanish with its article, as within a sentence. */
function documentName({ code, kind }: DocumentTypeInfo, { language }: Formats): string {
  if (language === 'en') return typeTitle(code);
  return `${kind === 'invoice' || code === 'PR' ? 'la' : 'el'} ${spanishTitle(code).toLowerCase()}`;
}

function show({ language }: Formats): string {
  return language === 'es' ? 'Ver' : 'Show';
}

function money(formats: Formats, amount: string | null | undefined, currency: string | null | undefined): string {
  if (amount == null) return '';
  const exact = parseDecimal(amount).toFixed();
  return currency == null ? formats.amount(exact) : formats.money(exact, currency);
}
