/** Document events, as delivered to the outbox and webhooks. */

import type { DomainEvent } from '../../../db/changes/trail.ts';
import { roundedNumber } from '../../../domain/money.ts';
import { DOCUMENT_TYPES } from '../../../domain/trade/documents/types.ts';
import type { DocumentRow } from './stored.ts';

export type DocumentEventName =
  | 'document.created'
  | 'document.updated'
  | 'document.sent'
  | 'document.locked'
  | 'document.cancelled'
  | 'document.deleted';

/**
 * Builds a document event.
 * @param changed the changed members, the previous status, and the recipient; absent if not applicable
 */
export function documentEvent(
  name: DocumentEventName,
  row: DocumentRow,
  changed: {
    readonly fields?: readonly string[];
    readonly previousStatus?: string;
    readonly sent?: { readonly to: string; readonly subject?: string; readonly body?: string };
  } = {},
): DomainEvent {
  return {
    name,
    payload: {
      document_type: DOCUMENT_TYPES[row.docType].name,
      document_id: row.id,
      series: row.seriesPrefix,
      number: row.number,
      partner_id: row.partner.id,
      partner_name: row.partner.name,
      project_id: row.projectId,
      cost_center_id: row.costCenterId,
      total: roundedNumber(row.total, row.decimalPrecision),
      currency: row.currency,
      status: row.status,
      created_by: row.createdBy,
      created_at: row.createdAt,
      ...(changed.fields ? { changed_fields: changed.fields } : {}),
      ...(changed.previousStatus !== undefined && changed.previousStatus !== row.status
        ? { previous_status: changed.previousStatus }
        : {}),
      ...changed.sent,
    },
  };
}
