/**
 * Sales declared in a later period than that of their operation, because that is when their VAT fell due (art. 75
 * LIVA).
 */
import type { Reader } from '../../../db/database.ts';
import { STATE } from '../../../db/queries/document-states.ts';
import { query } from '../../../db/sql.ts';
import { DOCUMENT_STATUS } from '../../../domain/trade/documents/types.ts';
import type { Days } from './taxes.ts';

const EARLIER_SQL = `select count(*)::integer as count from documents
  where doc_type = 'SINV' and status in (${STATE.open}, ${STATE.closed}) and date between :from::date and :to::date
    and operation_date < :from::date`;

/** @returns null if there are none */
export async function readEarlier(reader: Reader, { from, to }: Days) {
  const [found] = await query<{ count: number }>(reader, EARLIER_SQL, { from, to });
  const count = found?.count ?? 0;
  const posted = `status[in]=${DOCUMENT_STATUS.open},${DOCUMENT_STATUS.closed}`;
  const drilldown = `/api/sales/invoices?${posted}&date[gte]=${from}&date[lte]=${to}&operationDate[lt]=${from}`;
  return count === 0 ? null : { count, drilldown };
}
