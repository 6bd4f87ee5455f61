/**
 * Builds the statement that sums ledger lines over spans of days: balances of whole months, entries that these do not
 * include yet, and the days before or after a month's boundary. A single statement reads a single state of the books.
 */
import { columnName } from '../../../../db/models/columns.ts';
import type { Bindings } from '../../../../db/sql.ts';
import { type Cut, cutAfter, cutBefore } from '../../../../domain/ledger/accounting/spans.ts';
import { KEY, KEY_COLUMNS, type KeyMember, SUM_COLUMNS, SUMS, YEARS_SQL } from './columns.ts';

/** Days whose entries are summed; open-ended without a first or last day. */
export interface Span {
  readonly from?: string | undefined;
  /** Last day, included. */
  readonly to?: string | undefined;
  /** The day after the last, as an alternative to `to`. */
  readonly before?: string | undefined;
  /** Kinds of entries: all by default; `unclosed` omits those that closed the fiscal year of the last day. */
  readonly kinds?: keyof typeof KINDS | undefined;
}

const KINDS = {
  all: () => 'true',
  unclosed: (last: string | null) =>
    last === null
      ? 'true'
      : `(p.kind not in ('regularisation', 'closing') or p.fiscal_year < (select fiscal_year_of(:tenant::uuid, ${last})))`,
  normal: () => `p.kind = 'normal'`,
  opening: () => `p.kind = 'opening'`,
} as const;

export interface Sought {
  /** Spans by names that need no quotes. */
  readonly spans: Readonly<Record<string, Span>>;
  readonly by: readonly KeyMember[];
  /** Expressions over sums of balances, such as `p.debit`, by name. */
  readonly sums: Readonly<Record<string, string>>;
  /** Conditions on balances, such as `p.kind = 'normal'`. */
  readonly where: readonly string[];
}

/**
 * Builds the statement. Its rows have the members of `by`, and `sums` as JSON by span and name; rows of zeros are
 * omitted.
 * @param bindings receives the statement's values; must contain `tenant`
 */
export function balancesStatement(sought: Sought, bindings: Record<string, Bindings[string]>): string {
  const { spans, by, sums, where } = sought;
  const days = new Days(bindings);
  const names = Object.keys(sums);
  const columns = Object.entries(spans).flatMap(([name, span]) => {
    const signed = days.signed(span);
    return names.map((sum) => `coalesce(${signed(sums[sum] as string)}, 0) as ${name}_${sum}`);
  });
  const keys = by.map((member) => `p.${columnName(member)}`);
  // Aggregates once for all spans, because dimensions nobody requested account for most balances.
  const inner = [...new Set(['p.part', 'p.month', 'p.kind', 'p.fiscal_year', ...keys])];
  const added = SUM_COLUMNS.filter((name) => Object.values(sums).some((sum) => sum.includes(`p.${name}`))).map(
    (name) => `sum(p.${name}) as ${name}`,
  );
  const json = Object.keys(spans).map((span) => {
    return `'${span}', json_build_object(${names.map((name) => `'${name}', ${span}_${name}::text`).join(', ')})`;
  });
  return `
    with years as materialized (${YEARS_SQL}), waiting as (
      select e.id, e.fiscal_year from journal_entries e where e.number is null and e.status = 'posted'
      union all
      select e.id, e.fiscal_year from years y join journal_entries e on e.fiscal_year = y.fiscal_year
        and e.number >= y.next and e.number < y."end"
    ), parts as (
      select null::integer as part, ${[...KEY_COLUMNS, ...SUM_COLUMNS].join(', ')} from journal_balances
      union all
      -- They are few: never is it worth while to read all lines of an account instead, as the planner may think.
      select null::integer, ${LINES} from waiting e
        cross join lateral (select * from journal_lines l where l.entry_id = e.id offset 0) l${days.parts()}
    )
    select ${by.map((member) => `"${member}", `).join('')}json_build_object(${json.join(', ')}) as sums
    from (
      select ${[...keys.map((key, index) => `${key} as "${by[index]}"`), ...columns].join(', ')}
      from (
        select ${[...inner, ...added].join(', ')} from parts p where ${['true', ...where].join(' and ')} group by ${inner.join(', ')}
      ) p group by ${keys.join(', ')}
    ) summed
    where ${Object.keys(spans)
      .flatMap((span) => names.map((name) => `${span}_${name} <> 0`))
      .join(' or ')}`;
}

const signedLines = (sign: '' | '-') =>
  [...Object.entries(KEY), ...Object.entries(SUMS).map(([name, value]) => [name, `${sign}${value}`] as const)]
    .map(([name, value]) => `${value} as ${columnName(name)}`)
    .join(', ');
const LINES = signedLines('');

/** The boundaries of spans. The days between a boundary and its month form a numbered part of their own. */
class Days {
  readonly #bindings: Record<string, Bindings[string]>;
  readonly #cuts = new Map<string, { readonly cut: Cut; readonly part: number | null; readonly month: string }>();
  readonly #parts: string[] = [];

  constructor(bindings: Record<string, Bindings[string]>) {
    this.#bindings = bindings;
  }

  /** Returns a function that builds the sum of an expression over a span. */
  signed({ from, to, before, kinds = 'all' }: Span): (expression: string) => string {
    if (from !== undefined && from === before) return () => '0';
    if (from !== undefined && from === to) return this.#ofDay(from, kinds);
    const begin = from === undefined ? undefined : this.#at(cutBefore(from));
    const end =
      before !== undefined ? this.#at(cutBefore(before)) : to === undefined ? undefined : this.#at(cutAfter(to));
    const last = to === undefined ? (end ? `${this.#bind(end.cut.day)} - 1` : null) : this.#bind(to);
    const months = ['p.part is null'];
    if (begin) months.push(`p.month >= ${begin.month}`);
    if (end) months.push(`p.month < ${end.month}`);
    return (expression) => {
      const parts = [`when ${months.join(' and ')} then ${expression}`];
      if (end?.part != null) parts.push(`when p.part = ${end.part} then ${expression}`);
      if (begin?.part != null) parts.push(`when p.part = ${begin.part} then -(${expression})`);
      return `sum(case ${parts.join(' ')} end) filter (where ${KINDS[kinds](last)})`;
    };
  }

  /** Builds the SQL of the parts. */
  parts(): string {
    return this.#parts.join('');
  }

  /** Reads a single day directly, not as the difference of two boundaries. */
  #ofDay(day: string, kinds: keyof typeof KINDS): (expression: string) => string {
    const last = this.#bind(day);
    const part = this.#add(last, `${last} + 1`, '', KINDS[kinds](last));
    return (expression) => `sum(${expression}) filter (where p.part = ${part})`;
  }

  #at(cut: Cut) {
    const { day, days } = cut;
    let known = this.#cuts.get(day);
    if (known === undefined) {
      const part = days === null ? null : this.#add(this.#bind(days.from), this.#bind(days.until), days.sign);
      known = { cut, part, month: this.#bind(cut.month) };
      this.#cuts.set(day, known);
    }
    return known;
  }

  /** Adds the lines of days as a part. @returns its number */
  #add(from: string, until: string, sign: '' | '-', where = 'true'): number {
    const part = this.#parts.length;
    this.#parts.push(`
      union all
      select * from (
        select ${part}, ${signedLines(sign)} from journal_entries e join journal_lines l on l.entry_id = e.id
        where e.status = 'posted' and e.date >= ${from} and e.date < ${until} and l.date >= ${from} and l.date < ${until}
      ) p where ${where}`);
    return part;
  }

  #bind(day: string): string {
    const name = `day${Object.keys(this.#bindings).length}`;
    this.#bindings[name] = day;
    return `:${name}::date`;
  }
}
