/** The company's own clock. */
import type { Context } from '../../../db/context.ts';
import type { Reader } from '../../../db/database.ts';
import { localDay } from '../../../domain/records/tables/times.ts';
import { loadSettings } from './settings.ts';

/** Today's date in the company's time zone. */
export async function loadToday(reader: Reader, { now }: Pick<Context, 'now'>): Promise<string> {
  const { timezone } = await loadSettings(reader, 'format');
  return localDay(now, timezone);
}
