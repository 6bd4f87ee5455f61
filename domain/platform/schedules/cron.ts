/**
 * Cron expressions as in crontab(5): exactly five fields (minute, hour, day of the month, month, day of the week), or one of `@hourly`,
 * `@daily`, `@weekly`, `@monthly`. If neither day field begins with `*`, a time matches when either of them does.
 */

/** The values of each field, ascending. Weekdays count from 0, Sunday. */
export interface Cron {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly days: readonly number[];
  readonly months: readonly number[];
  readonly weekdays: readonly number[];
  /** Whether a day needs to match only one of `days` and `weekdays`. */
  readonly eitherDay: boolean;
}

interface Field {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** Names of its values; the first means `from`. */
  readonly words?: readonly string[];
}

const FIELDS: readonly Field[] = [
  { name: 'minute', from: 0, to: 59 },
  { name: 'hour', from: 0, to: 23 },
  { name: 'day of the month', from: 1, to: 31 },
  {
    name: 'month',
    from: 1,
    to: 12,
    words: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  // 7 also means Sunday.
  { name: 'day of the week', from: 0, to: 7, words: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];

const SHORT: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
};

/** Maximum length of each month, in days. */
const LONGEST = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const DAY_MINUTES = 24 * 60;

/** Reason why a text is not a usable cron expression; `never` if it is valid but no date ever matches. */
export interface CronFault {
  readonly fault: 'format' | 'never';
  readonly message: string;
}

/** Parses an expression. */
export function parseCron(text: string): Cron | CronFault {
  const words = text.trim().toLowerCase();
  const parts = (Object.hasOwn(SHORT, words) ? (SHORT[words] as string) : words).split(/\s+/);
  if (parts.length !== FIELDS.length) {
    const wanted = `five fields (minute, hour, day, month, weekday) or one of ${Object.keys(SHORT).join(', ')}`;
    return { fault: 'format', message: `must have ${wanted}` };
  }
  const values: number[][] = [];
  for (const [nth, field] of FIELDS.entries()) {
    const found = parseField(parts[nth] ?? '', field);
    if (typeof found === 'string') return { fault: 'format', message: found };
    values.push(found);
  }
  const [minutes = [], hours = [], days = [], months = [], given = []] = values;
  const weekdays = ascending(given.map((weekday) => weekday % 7));
  const eitherDay = !parts[2]?.startsWith('*') && !parts[4]?.startsWith('*');
  const cron = { minutes, hours, days, months, weekdays, eitherDay };
  const comes = eitherDay || months.some((month) => (days[0] ?? 0) <= (LONGEST[month - 1] ?? 0));
  return comes ? cron : { fault: 'never', message: 'must name a day that one of its months has' };
}

/** The shortest gap between two consecutive times, also across midnight, in minutes: 1440 for one time a day. */
export function leastMinutesApart({ minutes, hours }: Pick<Cron, 'minutes' | 'hours'>): number {
  const times = hours.flatMap((hour) => minutes.map((minute) => hour * 60 + minute));
  const [first = 0] = times;
  const following = [...times.slice(1), first + DAY_MINUTES];
  return Math.min(...following.map((time, nth) => time - (times[nth] ?? 0)));
}

/** Lists the values that a field names, or says what is wrong with it. */
function parseField(text: string, field: Field): number[] | string {
  const all: number[] = [];
  for (const part of text.split(',')) {
    const [, first = '', last, step] = /^(\*|[a-z0-9]+)(?:-([a-z0-9]+))?(?:\/(\d{1,2}))?$/.exec(part) ?? [];
    const from = first === '*' ? field.from : parseValue(first, field);
    const to = parseEnd({ first, last, step }, from, field);
    const each = step === undefined ? 1 : Number(step);
    if (from === undefined || to === undefined || to < from || each === 0 || (first === '*' && last !== undefined)) {
      return `has ${field.name === 'hour' ? 'an' : 'a'} ${field.name} that cannot be read: ${text.slice(0, 40)}`;
    }
    for (let value = from; value <= to; value += each) all.push(value);
  }
  return ascending(all);
}

function parseEnd(
  { first, last, step }: { first: string; last: string | undefined; step: string | undefined },
  from: number | undefined,
  field: Field,
): number | undefined {
  // 7 is used only for Sunday: the week ends with Saturday.
  if (first === '*') return field.to === 7 ? 6 : field.to;
  if (last !== undefined) return parseValue(last, field);
  // "5/15" without an end continues to the last value.
  return step === undefined ? from : field.to === 7 ? 6 : field.to;
}

function parseValue(text: string, { from, to, words = [] }: Field): number | undefined {
  const word = words.indexOf(text);
  if (word >= 0) return from + word;
  if (!/^\d{1,2}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= from && value <= to ? value : undefined;
}

function ascending(values: readonly number[]): number[] {
  return [...new Set(values)].sort((one, other) => one - other);
}
