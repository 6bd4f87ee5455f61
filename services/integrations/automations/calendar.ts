/** The calendar by which conditions of rules count days: that of the company. */
import type { Reader } from '../../../db/database.ts';
import type { Calendar } from '../../../domain/platform/conditions/days.ts';
import { localDay } from '../../../domain/records/tables/times.ts';
import { loadSettings } from '../../platform/settings/settings.ts';

/** @param at the time of the event, or of the run by the clock */
export async function loadCalendar(reader: Reader, at: Date): Promise<Calendar> {
  const { timezone } = await loadSettings(reader, 'format');
  return { today: localDay(at, timezone), toDay: (instant) => localDay(instant, timezone) };
}
