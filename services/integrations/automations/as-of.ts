/** Records as an event left them, from the audit log: what the next change found. Writing costs nothing more for it. */

import type { Entity, Shown } from '../../../db/changes/trail.ts';
import type { Reader } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';
import type { DocumentAnswer } from '../../trade/documents/to-json.ts';
import { documentEntity } from '../../trade/documents/write.ts';

/**
 * The record as an event left it, as its audit records have it; null if it has not changed since. The record of a change is written
 * before its events, so ids tell later changes from earlier ones, also within one transaction.
 * @param eventId UUID version 7
 */
export async function valueAfter(reader: Reader, { type, id }: Entity, eventId: string): Promise<Shown | null> {
  const [next] = await prepared<{ value: Shown | null }>(
    reader,
    `select old_value as value from audit_logs
     where entity_type = :type and entity_id = :id::uuid and id > :eventId::uuid order by id limit 1`,
    { type, id, eventId },
  );
  return next?.value ?? null;
}

/** A document as an event left it; members that follow from other documents, such as open quantities, are those of today. */
export async function documentAfter(reader: Reader, present: DocumentAnswer, eventId: string): Promise<DocumentAnswer> {
  const before = await valueAfter(reader, documentEntity(present), eventId);
  if (before === null) return present;
  const derived = Object.entries(present).filter(([name]) => !(name in before) && !name.startsWith('custom_'));
  const lines = new Map(present.lines.map((line) => [line.id, line]));
  const stored = (before.lines ?? []) as readonly DocumentAnswer['lines'][number][];
  return {
    ...Object.fromEntries(derived),
    ...before,
    lines: stored.map((line) => ({ ...lines.get(line.id), ...line })),
  } as DocumentAnswer;
}
