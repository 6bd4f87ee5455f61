/** Full invoices in exchange for simplified ones. Insert-only. */
import { day, instant, integer, json, optional, text, uuid } from '../columns.ts';
import { table } from '../table.ts';
import type { PostalAddress } from './documents.ts';

/** The recipient as the paper names them. */
export interface Recipient {
  readonly code: string;
  readonly name: string;
  readonly nif: string;
  readonly language: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}

export class FullInvoice extends table('full_invoices', {
  documentId: uuid(),
  partnerId: uuid(),
  seriesId: uuid(),
  number: integer(),
  code: text(),
  date: day(),
  billingAddress: optional(json<PostalAddress>()),
  recipient: json<Recipient>(),
  createdAt: instant(),
}) {
  static override entityType = 'FullInvoice';
  static override access = 'sales_invoices:read' as const;
}
