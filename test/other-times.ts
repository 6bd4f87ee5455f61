/**
 * Runs the suites that ask for a day at times when a day is easily mistaken: the clock of their processes is moved on.
 *
 *     npm run test:clock                       # at all of these times
 *     npm run test:clock -- year-end leap-day  # at some of them
 *     npm run test:clock -- --shared year-end leap-day  # each suite at one of these, in turn
 *
 * PostgreSQL and Temporal keep the real time, so that all times are ahead of it: what these two date is past, as it should be.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DateTime } from 'luxon';
import { runSuites } from './helpers/run-suites.ts';

const TEST = import.meta.dirname;
const now = DateTime.utc();

const TIMES: Readonly<Record<string, DateTime>> = {
  // The company has the next day already; on 31 December also the next year.
  evening: now.set({ hour: 23, minute: 30 }),
  'year-end': next({ month: 12, day: 31, hour: 23, minute: 30 }),
  'new-year': next({ month: 1, day: 1, hour: 9 }),
  'leap-day': next({ month: 2, day: 29, hour: 12 }),
  // A minute before the clocks change, which they do at 01:00 UTC.
  spring: lastSunday(3).set({ hour: 0, minute: 59 }),
  autumn: lastSunday(10).set({ hour: 0, minute: 59 }),
  'next-year': now.plus({ years: 1 }),
};

/** The next time that has these parts; the others are 0. */
function next(parts: { month: number; day: number; hour: number; minute?: number }): DateTime {
  for (let { year } = now; ; year++) {
    const time = DateTime.fromObject({ year, ...parts }, { zone: 'utc' });
    if (time.isValid && time > now) return time;
  }
}

/** The next last Sunday of a month. */
function lastSunday(month: number): DateTime {
  for (let { year } = now; ; year++) {
    const end = DateTime.utc(year, month).endOf('month').startOf('day');
    const sunday = end.minus({ days: end.weekday % 7 });
    if (sunday > now) return sunday;
  }
}

/** Suites in which Temporal says when something is due, by the real time. */
const BY_TEMPORAL: readonly string[] = ['services/integrations/automations/library.test.ts'];

/** Folders about races, crashes and processes: these take long, and no day changes them. */
const WITHOUT_DAYS = /^(concurrency|demo|worker|workflows)\//;

/** Suites that have days of the clock of the tests or of banks, themselves or by what they import, or those of the guide's reader. */
function suites(): string[] {
  const files = readdirSync(TEST, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const importers = new Map<string, string[]>();
  for (const file of files) {
    for (const [, path = ''] of readFileSync(join(TEST, file), 'utf8').matchAll(/from '(\.[^']+)'/g)) {
      const imported = join(dirname(file), path);
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  // Every suite of the API has its application from here, most of them no day.
  const passedOver = 'helpers/app.ts';
  const asking = new Set(['helpers/clock.ts', 'helpers/bank-desk.ts', 'helpers/shell-examples.ts']);
  for (const file of asking) {
    for (const importer of importers.get(file) ?? []) if (importer !== passedOver) asking.add(importer);
  }
  return [...asking]
    .filter((file) => file.endsWith('.test.ts') && !WITHOUT_DAYS.test(file) && !BY_TEMPORAL.includes(file))
    .sort();
}

/** Runs suites as if it were that time. */
async function runAt(name: string, time: DateTime, suites: readonly string[]): Promise<void> {
  process.stdout.write(`\n== ${name}: ${time.toFormat('cccc d LLLL yyyy, HH:mm')} UTC\n`);
  await runSuites(
    suites.map((suite) => join(TEST, suite)),
    {
      env: {
        DATE_SHIFT_MS: String(time.toMillis() - Date.now()),
        NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${pathToFileURL(join(TEST, 'helpers/shifted-date.mjs'))}`,
      },
    },
  );
}

const args = process.argv.slice(2);
const shared = args[0] === '--shared';
const given = shared ? args.slice(1) : args;
const names = given.length > 0 ? given : Object.keys(TIMES);
const all = suites();
for (const [turn, name] of names.entries()) {
  const time = TIMES[name];
  if (time === undefined) throw new Error(`There is no ${name}; there are ${Object.keys(TIMES).join(', ')}`);
  await runAt(
    name,
    time,
    all.filter((_, nth) => !shared || nth % names.length === turn),
  );
}
