/** The latest documents with given properties, used to try out a rule on them. */
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import type { DocType } from '../../../domain/trade/documents/types.ts';

export interface LatestFilter {
  readonly docTypes: readonly DocType[];
  /** Any status if left out. */
  readonly status?: string | undefined;
  readonly isSent?: boolean;
  readonly isPaid?: boolean;
}

const SQL = `select d.id from unnest(:docTypes::text[]) as t (doc_type), lateral (
    select id from documents where doc_type = t.doc_type and (:status::text is null or status = :status::text)
      and (not :isSent::boolean or sent_at is not null) and (not :isPaid::boolean or payment_status in ('paid', 'overpaid'))
    order by id desc limit :limit) d
  order by d.id desc limit :limit`;

/** Lists the ids of the latest documents, newest first. */
export async function listLatestDocuments(reader: Reader, wanted: LatestFilter, limit: number): Promise<string[]> {
  const { docTypes, status = null, isSent = false, isPaid = false } = wanted;
  const rows = await query<{ id: string }>(reader, SQL, { docTypes: [...docTypes], status, isSent, isPaid, limit });
  return rows.map(({ id }) => id);
}
