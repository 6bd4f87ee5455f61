/** Members that records of all kinds have. */

/** Description and sample of each member. */
export type Vocabulary = Readonly<Record<string, readonly [description: string, sample?: unknown]>>;

export const ID = '0192f0c1-7a10-7c3e-8d52-1f6a5b2c9e00';

/** Ids of examples: the same thing has the same id everywhere. */
export function sampleId(number: number): string {
  return ID.slice(0, -2) + number.toString(16).padStart(2, '0');
}

export const INSTANT = '2026-03-02T09:30:00.000Z';
export const DAY = '2026-03-02';

export const common: Vocabulary = {
  id: ['Permanent identifier', ID],
  data: ['The requested data'],
  pagination: ['Position in the list'],
  total: ['The total amount', 30.25],
  page: ['Page of the list, from 1', 1],
  perPage: ['Records on a page', 50],
  hasMore: ['Whether there is a next page', false],
  limit: ['Records on a page', 50],
  name: ['Name', 'Café Central'],
  code: ['Short unique name', 'C0001'],
  label: ['Label in forms and lists', 'Delivery route'],
  description: ['Description', 'Oranges, box of 10 kg'],
  title: ['A short heading', 'Invoice SINV2026-00017 was posted'],
  html: ['The HTML part', '<p>Good morning</p>'],
  text: ['Text as entered', 'Transfer of Café Central'],
  notes: ['Remarks', 'Delivered at the back door'],
  reason: ['Reason', 'Counted again'],
  message: ['Short message for people', 'Imported 200 of 500 rows'],
  status: ['Current state'],
  type: ['Kind'],
  kind: ['Kind'],
  active: ['Whether it can be used in new records', true],
  version: ['Number of changes; part of the ETag for If-Match', 1],
  createdAt: ['When it was created', INSTANT],
  createdBy: ['The user who created it; null for programs', sampleId(3)],
  updatedAt: ['When it was last changed', INSTANT],
  date: ['Date', DAY],
  from: ['First day', '2026-01-01'],
  to: ['Last day', '2026-03-31'],
  since: ['Start', INSTANT],
  until: ['End', '2026-03-03T09:30:00.000Z'],
  at: ['When it happened', INSTANT],
  year: ['The calendar year; for a fiscal year, the one in which it begins', 2026],
  count: ['Number of records', 1],
  currency: ['ISO 4217 code', 'EUR'],
  amount: ["The amount, in the company's currency", 25],
  quantity: ['Quantity, in the unit of the line', 10],
  price: ['Unit price without tax', 2.5],
  rate: ['Percent', 21],
  email: ['E-mail address', 'ana@example.com'],
  phone: ['Telephone number', '+34 600 123 456'],
  website: ['Web address', 'https://cafe.example'],
  address: ['Street and number', 'Calle Mayor 1'],
  street: ['Street and number', 'Calle Mayor 1'],
  city: ['Town', 'Valencia'],
  state: ['Province or state', 'Valencia'],
  zipCode: ['Postal code', '46001'],
  country: ['ISO 3166 code of two letters', 'ES'],
  countryCode: ['ISO 3166 code of two letters', 'ES'],
  locale: ['BCP 47 tag of language and country', 'es-ES'],
  language: ['BCP 47 tag of the language', 'es-ES'],
  entityType: ['Type of record, as named in the audit log', 'SalesInvoice'],
  entityId: ['The record', ID],
  errors: ['All faults'],
  error: ['Reason of the failure, in words', 'The receiver does not answer'],
  url: ['Address of the requests', 'https://shop.example.com/hooks'],
  file: ['The file itself'],
  fileUrl: ['Address of the file', `/api/payments/sepa/orders/${ID}/file`],
  format: ['Format of the file', 'csv'],
  position: ['Position in the order', 1],
  default: ['The default value'],
};
