/** Payments of the documents in a graph, and the ledger entries of both, loaded in one round trip. */
import type { Reader } from '../../../../db/database.ts';
import { query } from '../../../../db/sql.ts';
import type { EntryKind } from '../../../../domain/ledger/accounting/entries.ts';
import { type Decimal, roundedNumber } from '../../../../domain/money.ts';
import type { PaymentKind } from '../../../../domain/trade/payments/types.ts';
import { PLACES } from '../../../platform/settings/format.ts';

interface PaidRow {
  readonly id: string;
  readonly type: `payment_${PaymentKind}`;
  readonly date: string;
  readonly amount: Decimal;
  readonly currency: string;
  readonly reference: string | null;
  readonly documentIds: readonly string[];
}

interface EnteredRow {
  readonly id: string;
  readonly number: number | null;
  readonly date: string;
  readonly kind: EntryKind;
  readonly description: string | null;
  readonly total: Decimal;
  readonly sourceType: string;
  readonly sourceId: string;
  readonly reversalOf: string | null;
}

interface Found {
  readonly places: number;
  readonly payments: readonly PaidRow[] | null;
  readonly entries: readonly EnteredRow[] | null;
}

const LEDGER_SQL = `
  with paid as (
    select p.id, 'payment_' || kind as type, p.date, p.amount::text, p.currency, p.reference,
      json_agg(distinct a.document_id) as "documentIds"
    from payment_applications a join payments p on p.id = a.payment_id
    cross join lateral (select case when p.payment_method = 'offset' then 'offset' else p.direction end as kind) k
    where a.document_id = any(:ids::uuid[]) and kind = any(:kinds::text[]) group by p.id, kind order by p.date, p.id limit :limit
  ), entered as (
    select id, number, date, kind, description, total::text, source_type as "sourceType", source_id as "sourceId",
      reversal_of as "reversalOf"
    from journal_entries
    where status = 'posted' and (source_id = any(:ids::uuid[]) or source_id in (select id from paid)) order by date, seq limit :limit
  )
  select ${PLACES} as places,
    (select json_agg(paid) from paid) as payments, (select json_agg(entered) from entered) as entries`;

/**
 * Loads payments and entries.
 * @param ids documents of the graph
 * @param visible what the caller may see of both
 * @param limit of each
 */
export async function loadGraphLedger(
  reader: Reader,
  ids: readonly string[],
  visible: { readonly payments: ReadonlySet<PaymentKind>; readonly entries: boolean },
  limit: number,
) {
  const [found] = await query<Found>(reader, LEDGER_SQL, {
    ids,
    kinds: [...visible.payments],
    limit: limit + 1,
  });
  const places = found?.places ?? 2;
  const payments = found?.payments ?? [];
  const entries = visible.entries ? (found?.entries ?? []) : [];
  const money = (value: Decimal) => roundedNumber(value, places);
  return {
    payments: payments.slice(0, limit).map((row) => ({ ...row, amount: money(row.amount) })),
    entries: entries.slice(0, limit).map((row) => ({ ...row, total: money(row.total) })),
    truncated: payments.length > limit || entries.length > limit,
  };
}
