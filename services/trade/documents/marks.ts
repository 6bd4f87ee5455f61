/** Marks that the service alone sets on documents, without a new version: nobody else sees them. */
import type { Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';

interface Marked {
  readonly id: string;
  /** Whether the notes of an invoice are released (decision 0260). */
  readonly notesReleased?: boolean;
  /** Level of the last reminder of an invoice (decision 0316). */
  readonly dunningLevel?: number;
  /** The day on which it reached that level. */
  readonly dunnedOn?: string;
}

/** Sets the marks that are given; the others stay. */
export async function markDocuments(trx: Db, marked: readonly Marked[]): Promise<void> {
  if (marked.length === 0) return;
  await query(
    trx,
    `update documents d set notes_released = coalesce(m."notesReleased", d.notes_released),
       dunning_level = coalesce(m."dunningLevel", d.dunning_level),
       dunned_on = coalesce(m."dunnedOn", d.dunned_on)
     from json_to_recordset(:marked::json) as m(id uuid, "notesReleased" boolean, "dunningLevel" integer, "dunnedOn" date)
     where d.id = m.id`,
    { marked: JSON.stringify(marked) },
  );
}
