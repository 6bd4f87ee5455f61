/** Open items as clients see them. */

import { selectColumns } from '../../../db/models/selected.ts';
import type { Row } from '../../../db/models/table.ts';
import { OpenItem } from '../../../db/models/trade/payments.ts';
import { decimal, roundedNumber } from '../../../domain/money.ts';
import { paymentStatus } from '../../../domain/trade/payments/types.ts';
import { PLACES } from '../../platform/settings/format.ts';

export type ShownItem = Readonly<Row<typeof OpenItem>> & {
  readonly partnerName: string;
  readonly accountCode: string;
  /** Decimals of amounts. */
  readonly places: number;
};

/** `i` is the open item. */
export const ITEM_COLUMNS = `${selectColumns(OpenItem, 'i')}, p.name as "partnerName", a.code as "accountCode", ${PLACES} as places`;
export const ITEM_FROM =
  'open_items i left join partners p on p.id = i.partner_id left join accounts a on a.id = i.account_id';

export function itemToJson(row: ShownItem) {
  const { total, paidTotal, places } = row;
  return {
    id: row.id,
    code: row.code,
    direction: row.direction,
    partner_id: row.partnerId,
    partner_name: row.partnerName,
    account_code: row.accountCode,
    date: row.date,
    due_date: row.dueDate,
    reference: row.reference,
    currency: row.currency,
    total: roundedNumber(total, places),
    outstanding: roundedNumber(decimal(total).minus(paidTotal).toFixed(), places),
    status: paymentStatus(total, paidTotal),
    entry_id: row.entryId,
    line_number: row.lineNumber,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    version: row.version,
  };
}
