/** Links by which customers see their account. */
import { instant, optional, text, uuid } from '../columns.ts';
import { versionedTable } from '../table.ts';

export class CustomerLink extends versionedTable('customer_links', {
  partnerId: uuid(),
  /** Random part of the link; another one ends the links before. */
  nonce: text(),
  expiresAt: optional(instant()),
  /** Written at most once a day. */
  lastOpenedAt: optional(instant()),
  createdBy: optional(uuid()),
}) {
  static override entityType = 'CustomerLink';
  static override access = 'partners:read' as const;
}
