/** Describes rows with schedules to Temporal: a single one that changed, or those of all companies. */
import type { DomainEvent } from '../../../db/changes/trail.ts';
import type { Database } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { type Cron, parseCron } from '../../../domain/platform/schedules/cron.ts';

export interface KnownSchedule {
  readonly tenantId: string;
  readonly id: string;
  readonly version: number;
  readonly active: boolean;
  /** For operators, without personal data. */
  readonly title: string;
  readonly cron: string;
  readonly timezone: string;
}

/** Members of the event; the relay reads all of them. */
export const KNOWN_MEMBERS = ['version', 'active', 'title', 'cron', 'timezone'] as const;

/** Builds the event by which the relay updates the schedule in Temporal to match the row. */
export function scheduleEvent(name: string, row: Omit<KnownSchedule, 'tenantId' | 'id'>): DomainEvent {
  return { name, payload: Object.fromEntries(KNOWN_MEMBERS.map((member) => [member, row[member]])) };
}

const PAGE = 500;
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Yields the schedules of all companies, page by page.
 * @param select `select … from … where …` with the members of `KnownSchedule`, to which `and id > …` can be added
 */
export async function* knownSchedules(database: Database, select: string): AsyncGenerator<readonly KnownSchedule[]> {
  const sql = `${select} and id > :after::uuid order by id limit ${PAGE}`;
  let after = FIRST;
  for (;;) {
    const page = await database.withSystem((trx) => query<KnownSchedule>(trx, sql, { after }));
    yield page;
    const last = page.at(-1);
    if (page.length < PAGE || last === undefined) return;
    after = last.id;
  }
}

/** Parses the expression of a stored row. */
export function storedCron(cron: string): Cron {
  const parsed = parseCron(cron);
  if ('fault' in parsed) throw new Error(`a schedule has the expression ${cron}`);
  return parsed;
}
