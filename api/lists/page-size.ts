/** Refuses pages that are too large for one answer: rows can have megabytes, and a page up to 500 rows. */
import { ServiceError } from '../../domain/errors.ts';

/** Characters of a page, as JSON, about. Everybody waits while they are written. */
const MAX_PAGE_CHARACTERS = 8 * 1024 * 1024;

/** Refuses a page of several rows that is too large; one row is always shown. @throws ServiceError invalid_parameter */
export function assertPageFits(rows: readonly unknown[]): void {
  let left = MAX_PAGE_CHARACTERS;
  for (const [index, row] of rows.entries()) {
    left -= characters(row);
    if (left >= 0 || index === 0) continue;
    const fitting = `the first ${index} rows have ${MAX_PAGE_CHARACTERS} characters already`;
    throw new ServiceError('invalid_parameter', `limit must be lower for rows as large as these: ${fitting}`);
  }
}

/** About as many characters as a value has in JSON. */
function characters(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 6;
  let sum = 2;
  if (Array.isArray(value)) {
    for (const entry of value) sum += characters(entry) + 1;
    return sum;
  }
  for (const name in value) sum += name.length + 4 + characters((value as Record<string, unknown>)[name]);
  return sum;
}
