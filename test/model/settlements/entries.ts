/** Invoices and entries by hand: what is done to them, or why it is refused. */
import { type Debt, type Entry, later, type Part, type Side } from './papers.ts';
import { Sheet } from './sheet.ts';

/** The code of the refusal, or what is done, once the service has done it too. */
export type Outcome = { readonly refused: string } | { readonly apply: (answer: Answer) => void };

/** The ids that the service gave. */
export interface Answer {
  readonly id: string;
  /** Ids of links or of open items, in order. */
  readonly parts: readonly string[];
}

export const TODAY = '2026-06-15';

/** A line of an entry on a partner's account: it settles an item or is itself an open item. */
export interface WantedLine {
  readonly debt: Debt | null;
  readonly side: Side;
  readonly account: string;
  /** Settled amount, or the item's total; signed as the debt sees it. */
  readonly cents: number;
  readonly due: string | null;
}

export class Entries extends Sheet {
  /** The closed months. */
  readonly closed = new Set<string>();
  #steps = 0;

  protected isClosed(...days: readonly string[]): boolean {
    return days.some((day) => this.closed.has(day.slice(0, 7)));
  }

  /** The place of what is done next. */
  protected nextStep(): number {
    return this.#steps++;
  }

  /** An invoice, posted at once. */
  invoice(side: Side, date: string, whole: number, parts: readonly Part[]): Outcome {
    return decided(this.isClosed(date) ? 'period_closed' : undefined, ({ id }) => {
      const account = side === 'in' ? '430' : '410';
      this.debts.push({
        id,
        kind: 'invoice',
        side,
        partner: side,
        account,
        date,
        total: whole,
        parts,
        cancelled: null,
      });
    });
  }

  cancel(debt: Debt, asked: string | null): Outcome {
    const day = asked ?? latest(TODAY, debt.date);
    const refused =
      debt.cancelled !== null
        ? 'invalid_transition'
        : this.standing(debt).length > 0
          ? 'has_payments'
          : this.#refusedDay(day, debt.date);
    return decided(refused, () => {
      debt.cancelled = day;
    });
  }

  /** An entry by hand. */
  enter(day: string, lines: readonly WantedLine[]): Outcome {
    if (this.isClosed(day)) return { refused: 'period_closed' };
    const left = new Map<Debt, number>();
    for (const { debt, cents } of lines) {
      if (debt === null) continue;
      const open = left.get(debt) ?? this.outstandingAmount(debt);
      const fits = debt.cancelled === null && Math.sign(cents) === Math.sign(open) && Math.abs(cents) <= Math.abs(open);
      if (!fits) return { refused: 'validation_failed' };
      left.set(debt, open - cents);
    }
    const at = this.nextStep();
    return decided(undefined, ({ id, parts }) => {
      const ids = [...parts];
      const items = lines.flatMap(({ debt, side, account, cents, due }): Debt[] => {
        if (debt !== null) return [];
        const shares = [{ due: due ?? day, amount: cents }];
        const own = { id: ids.shift() as string, kind: 'item', side, partner: side, account, date: day } as const;
        return [{ ...own, total: cents, parts: shares, cancelled: null }];
      });
      const settles = lines.flatMap(({ debt, cents }) => (debt === null ? [] : [{ debt, settled: cents, at }]));
      this.debts.push(...items);
      this.entries.push({ id, day, items, settles, reversed: null });
    });
  }

  reverse(entry: Entry, asked: string | null): Outcome {
    const day = asked ?? latest(TODAY, entry.day);
    const used = entry.items.some((item) => this.paidAmount(item) !== 0);
    const refused =
      entry.reversed !== null
        ? 'invalid_transition'
        : (this.#refusedDay(day, entry.day) ?? (used ? 'in_use' : undefined));
    return decided(refused, () => {
      entry.reversed = day;
    });
  }

  /** Why nothing can be undone on a day. @param done when it was done */
  #refusedDay(day: string, done: string): string | undefined {
    if (day < done) return 'validation_failed';
    return this.isClosed(day) ? 'period_closed' : undefined;
  }
}

export function decided(refused: string | undefined, apply: (answer: Answer) => void): Outcome {
  return refused === undefined ? { apply } : { refused };
}

export function latest(...days: readonly string[]): string {
  return [...days].sort().at(-1) as string;
}

/** Due at once, some days later, or in two halves. */
export function dueParts(date: string, whole: number, terms: number | 'halves'): Part[] {
  if (terms !== 'halves') return [{ due: later(date, terms), amount: whole }];
  const half = Math.floor((whole + 1) / 2);
  return [
    { due: later(date, 30), amount: half },
    { due: later(date, 60), amount: whole - half },
  ];
}
