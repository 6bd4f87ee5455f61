/** What people are told of events, in their language. */
import { DOCUMENT_TYPES, type DocumentTypeInfo, spanishTitle, typeTitle } from '../documents/types.ts';
import type { Formats, Language } from '../locale/formats.ts';
import { parseDecimal } from '../money.ts';
import type { Role } from '../permissions.ts';
import type { NotificationType } from './types.ts';

export interface NoticeText {
  readonly title: string;
  readonly body: string;
  /** What the link is called. */
  readonly actionLabel?: string | null;
}

/** An event that people are told of. */
export interface ToldEvent {
  readonly event: string;
  readonly entityId: string;
  /** Members of its data, as texts. */
  readonly data: Readonly<Record<string, string | null>>;
  /** The document's number. */
  readonly code: string | null;
}

/** How an event is told. */
export interface EventNotice {
  readonly type: NotificationType;
  /** Whom it concerns besides who created it. */
  readonly roles: readonly Role[];
  readonly actionUrl: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly text: (formats: Formats) => NoticeText;
}

type Kind = Extract<NotificationType, 'document_locked' | 'document_sent' | 'payment_made' | 'payment_received'>;

const KINDS: Readonly<Record<string, Kind>> = {
  'document.locked': 'document_locked',
  'document.sent': 'document_sent',
  'payment.received': 'payment_received',
  'payment.made': 'payment_made',
};

/** The members of events' data that notices need. */
export const MEMBERS_TOLD = [
  'document_type',
  'partner_name',
  'total',
  'amount',
  'currency',
  'reference',
  'to',
  'created_by',
  'previous_status',
] as const;

/** Those who are told of everything. */
const ALWAYS: readonly Role[] = ['owner', 'admin'];

const TITLES: Readonly<Record<Language, Readonly<Record<Kind, (what: string) => string>>>> = {
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

/** Whether people are told of the event. */
export function isTold(event: string): boolean {
  return Object.hasOwn(KINDS, event);
}

/** How the event is told; null for events that nobody is told of, such as the lock of a document that was posted before. */
export function noticeOf(told: ToldEvent): EventNotice | null {
  const kind = isTold(told.event) ? KINDS[told.event] : undefined;
  if (kind === undefined || (kind === 'document_locked' && told.data.previous_status == null)) return null;
  return kind === 'payment_received' || kind === 'payment_made' ? ofPayment(kind, told) : ofDocument(kind, told);
}

function ofPayment(type: Kind, { entityId, data }: ToldEvent): EventNotice {
  const way = type === 'payment_received' ? 'in' : 'out';
  return {
    type,
    roles: [...ALWAYS, 'accountant'],
    actionUrl: `/api/payments/${way}/${entityId}`,
    metadata: { payment_id: entityId },
    text: (formats) => ({
      title: TITLES[formats.language][type](money(formats, data.amount, data.currency)),
      body: [data.partner_name, data.reference].filter((part) => part).join(', '),
      actionLabel: show(formats),
    }),
  };
}

function ofDocument(type: Kind, { entityId, data, code }: ToldEvent): EventNotice | null {
  const info = Object.values(DOCUMENT_TYPES).find(({ name }) => name === data.document_type);
  if (info === undefined) return null;
  return {
    type,
    roles: [...ALWAYS, info.side === 'sales' ? 'sales' : 'purchasing'],
    actionUrl: `${info.path}/${entityId}`,
    metadata: { document_type: info.name, document_id: entityId },
    text: (formats) => {
      const what = `${nameOf(info, formats)}${code === null ? '' : ` ${code}`}`;
      const [partner, total] = [data.partner_name, money(formats, data.total, data.currency)];
      const parts = type === 'document_sent' ? [partner, someOf(data.to ?? '', formats)] : [partner, total];
      return {
        title: TITLES[formats.language][type](what),
        body: parts.filter((part) => part).join(', '),
        actionLabel: show(formats),
      };
    },
  };
}

/** How many recipients are named. */
const MOST_NAMED = 3;

/** The first of some recipients, separated by commas, and how many more there are. */
function someOf(to: string, { language }: Formats): string {
  const all = to.split(', ');
  const more = all.length - MOST_NAMED;
  if (more <= 0) return to;
  return `${all.slice(0, MOST_NAMED).join(', ')} ${language === 'es' ? `y ${more} más` : `and ${more} more`}`;
}

/** In Spanish within a sentence, with its article. */
function nameOf({ code, kind }: DocumentTypeInfo, { language }: Formats): string {
  if (language === 'en') return typeTitle(code);
  return `${kind === 'invoice' ? 'la' : 'el'} ${spanishTitle(code).toLowerCase()}`;
}

function show({ language }: Formats): string {
  return language === 'es' ? 'Ver' : 'Show';
}

function money(formats: Formats, amount: string | null | undefined, currency: string | null | undefined): string {
  if (amount == null) return '';
  const exact = parseDecimal(amount).toFixed();
  return currency == null ? formats.amount(exact) : formats.money(exact, currency);
}
