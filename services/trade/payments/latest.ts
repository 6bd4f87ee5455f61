/** The latest payment that was received, for trying out what is to be done with such payments. */
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';

const SQL = `select p.id from payments p where p.direction = 'in' and p.payment_method <> 'offset'
    and (:documentId::uuid is null
      or exists (select from payment_applications a where a.payment_id = p.id and a.document_id = :documentId::uuid))
  order by p.date desc, p.id desc limit 1`;

/** Its id; null when there is none. @param documentId only of what pays this document */
export async function latestPayment(reader: Reader, documentId: string | null): Promise<string | null> {
  const [found] = await query<{ id: string }>(reader, SQL, { documentId });
  return found?.id ?? null;
}
