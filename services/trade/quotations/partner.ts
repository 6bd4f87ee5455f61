/** The partner of a quotation, as whoever follows its link. */
import type { Reader } from '../../../db/database.ts';
import { Partner } from '../../../db/models/records/master-data.ts';
import { findRow } from '../../../db/queries/find.ts';

/** Finds the language in which a partner reads; null for the company's. */
export async function findLinkedPartner(reader: Reader, id: string): Promise<{ readonly language: string | null }> {
  const partner = await findRow(reader, Partner, { id });
  return { language: partner?.language ?? null };
}
