/** Reads all rows of a statement in batches. */
import type { Reader } from '../../../db/database.ts';
import { runOn } from '../../../db/sql.ts';
import { type Bindings, boundValues, positional } from '../../../db/statements.ts';

/** Rows per fetch: few round trips, but little memory even for long rows. */
const BATCH = 500;

/**
 * Reads a statement with a cursor, on demand; one at a time.
 * @param reader a snapshot, as passed to `stream` of a report: a cursor needs a transaction
 * @param bindings values named `:name` in the statement
 */
export async function* cursor<Row>(reader: Reader, sql: string, bindings: Bindings): AsyncGenerator<Row[]> {
  const { text, names } = positional(sql, (place) => `$${place}`);
  // All rows are needed, so the plan must be the cheapest for all of them, not for the first.
  await runOn(reader, { text: 'set local cursor_tuple_fraction = 1' });
  await runOn(reader, {
    text: `declare report no scroll cursor for ${text}`,
    values: boundValues(names, bindings),
  });
  for (;;) {
    const batch = await runOn<Row>(reader, { text: `fetch ${BATCH} from report` });
    if (batch.length > 0) yield batch;
    if (batch.length < BATCH) break;
  }
  await runOn(reader, { text: 'close report' });
}
