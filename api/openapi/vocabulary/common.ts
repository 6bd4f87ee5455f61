/** Members that records of all kinds have. */
import type { Vocabulary } from './index.ts';

export const ID = '0192f0c1-7a10-7c3e-8d52-1f6a5b2c9e00';

/** Identifiers of samples: the same thing has the same one wherever it is named. */
export function sampleId(number: number): string {
  return ID.slice(0, -2) + number.toString(16).padStart(2, '0');
}

export const INSTANT = '2026-03-02T09:30:00.000Z';
export const DAY = '2026-03-02';

export const common: Vocabulary = {
  id: ['Identifies it for good', ID],
  data: ['What was asked for'],
  pagination: ['Which part of the whole list this is'],
  total: ['The whole amount', 30.25],
  page: ['Which page of the list, from 1', 1],
  perPage: ['Records on a page', 50],
  hasMore: ['Whether a further page follows', false],
  limit: ['Records on a page', 50],
  name: ['What people call it', 'Café Central'],
  code: ['The short name that people know it by; unique', 'C0001'],
  label: ['How forms and lists name it', 'Delivery route'],
  description: ['What it is, in words', 'Oranges, box of 10 kg'],
  title: ['A short heading', 'Invoice SINV2026-00017 was posted'],
  text: ['In words, as it was given', 'Transfer of Café Central'],
  notes: ['Remarks', 'Delivered at the back door'],
  reason: ['Why', 'Counted again'],
  message: ['What to know about it, in a sentence', 'Imported 200 of 500 rows'],
  status: ['The state that it is in'],
  type: ['Which kind it is'],
  kind: ['Which kind it is'],
  active: ['Whether it can be used in what is new', true],
  version: ['Counts its changes; the ETag that If-Match takes has it after the id', 1],
  createdAt: ['When it was created', INSTANT],
  createdBy: ['The user who created it; null for programs', sampleId(3)],
  updatedAt: ['When it last changed', INSTANT],
  date: ['The day on which it counts', DAY],
  from: ['The first day that counts', '2026-01-01'],
  to: ['The last day that counts', '2026-03-31'],
  since: ['From when on', INSTANT],
  until: ['Up to when', '2026-03-03T09:30:00.000Z'],
  at: ['When it happened', INSTANT],
  year: ['The calendar year; of a fiscal year, that in which it begins', 2026],
  count: ['How many there are', 1],
  currency: ['ISO 4217 code', 'EUR'],
  amount: ["The amount, in the company's currency", 25],
  quantity: ['How much, in the unit of the line', 10],
  price: ['For one unit, without tax', 2.5],
  rate: ['Percent', 21],
  email: ['E-mail address', 'ana@example.com'],
  phone: ['Telephone number', '+34 600 123 456'],
  website: ['Address in the web', 'https://cafe.example'],
  address: ['Street and number', 'Calle Mayor 1'],
  street: ['Street and number', 'Calle Mayor 1'],
  city: ['Town', 'Valencia'],
  state: ['Province or state', 'Valencia'],
  zipCode: ['Postal code', '46001'],
  country: ['ISO 3166 code of two letters', 'ES'],
  countryCode: ['ISO 3166 code of two letters', 'ES'],
  locale: ['BCP 47 tag of language and country', 'es-ES'],
  language: ['BCP 47 tag of the language', 'es-ES'],
  entityType: ['What kind of record, as the audit log names it', 'SalesInvoice'],
  entityId: ['The record', ID],
  errors: ['What is wrong, fault by fault'],
  error: ['What went wrong, in words', 'The receiver does not answer'],
  url: ['Where requests go', 'https://shop.example.com/hooks'],
  file: ['The file itself'],
  fileUrl: ['Where to get the file', `/api/payments/sepa/orders/${ID}/file`],
  format: ['The form of the file', 'csv'],
  position: ['Its place in the order', 1],
  default: ['What counts when nothing is said'],
};
