/** The sheet on which all debts, payments and entries stand, and what follows from them on each day. */
import { type Debt, type Entry, type Payment, type Settled, type Settlement, type Side, total } from './papers.ts';

/** A day later than all others. */
export const ALWAYS = '9999-12-31';

/** Debts of a partner by age, and its credit. */
export interface Aged {
  current: number;
  d30: number;
  d60: number;
  d90: number;
  credit: number;
}

/** Accounts of what is paid and not applied. */
const CREDIT = { in: '438', out: '407' } as const;

export class Sheet {
  readonly debts: Debt[] = [];
  readonly payments: Payment[] = [];
  readonly entries: Entry[] = [];

  /** Returns everything that settled a debt or undid a settlement. */
  debtSettlements(debt: Debt): Settlement[] {
    const paid = this.payments.flatMap(({ links, returnedBy }) =>
      links
        .filter((link) => link.debt === debt)
        .flatMap(({ day, settled: cents, instalment }): Settlement[] => [
          { day, cents, instalment },
          ...(returnedBy === null ? [] : [{ day: returnedBy.day, cents: -cents, instalment }]),
        ]),
    );
    const entered = this.entries.flatMap(({ day, settles, items, reversed }) => {
      const settled = total(settles.filter((one) => one.debt === debt).map((one) => one.settled));
      const closed = items.includes(debt) ? debt.total : 0;
      const back = reversed === null ? [] : [{ day: reversed, cents: closed - settled, instalment: null }];
      return [{ day, cents: settled, instalment: null }, ...back];
    });
    return [...paid, ...entered].filter(({ cents }) => cents !== 0);
  }

  paidAmount(debt: Debt, day = ALWAYS): number {
    return total(
      this.debtSettlements(debt)
        .filter((one) => one.day <= day)
        .map(({ cents }) => cents),
    );
  }

  outstandingAmount(debt: Debt): number {
    return debt.total - this.paidAmount(debt);
  }

  /** Returns the settlements of a debt that were not undone, in the order in which they were made. */
  standing(debt: Debt): (Settled & { readonly overpays: boolean; readonly by: Payment | Entry })[] {
    const paid = this.payments
      .filter(({ returnedBy }) => returnedBy === null)
      .flatMap((by) => by.links.map((link) => ({ ...link, by })));
    const entered = this.entries
      .filter(({ reversed }) => reversed === null)
      .flatMap((by) => by.settles.map((one) => ({ ...one, overpays: false, by })));
    return [...paid, ...entered].filter((one) => one.debt === debt).sort((one, other) => one.at - other.at);
  }

  /** Returns the open amount of each part. Named parts are settled first, then the earliest; the last takes any overpayment. */
  openParts(debt: Debt, day = ALWAYS, all = this.debtSettlements(debt)): number[] {
    const settlements = all.filter((one) => one.day <= day);
    const named = debt.parts.map((_, index) =>
      total(settlements.filter(({ instalment }) => instalment === index + 1).map(({ cents }) => cents)),
    );
    let left = total(settlements.map(({ cents }) => cents)) - total(named);
    return debt.parts.map(({ amount }, index) => {
      const open = amount - (named[index] ?? 0);
      const part = index === debt.parts.length - 1 ? left : Math.min(left, open);
      left -= part;
      return open - part;
    });
  }

  /** Returns the unapplied amount of a payment on a day. */
  unappliedAmount({ amount, links, returnedBy, returns, day: paidOn }: Payment, day = ALWAYS): number {
    if (returns !== null || paidOn > day || (returnedBy !== null && returnedBy.day <= day)) return 0;
    return amount - total(links.filter((link) => link.day <= day).map((link) => link.amount));
  }

  /** Before its day a debt is only what is paid of it in advance; once cancelled it is nothing. */
  aging(side: Side, partner: Side, day: string): Aged {
    const aged: Aged = { current: 0, d30: 0, d60: 0, d90: 0, credit: 0 };
    const add = (rest: number, due: string) => {
      const days = (Date.parse(day) - Date.parse(due)) / 86_400_000;
      if (rest < 0) aged.credit -= rest;
      else aged[days <= 0 ? 'current' : days <= 30 ? 'd30' : days <= 60 ? 'd60' : 'd90'] += rest;
    };
    for (const debt of this.debts) {
      if (debt.side !== side || debt.partner !== partner || (debt.cancelled ?? ALWAYS) <= day) continue;
      const last = debt.parts.at(-1)?.due ?? day;
      if (debt.date > day) add(-this.paidAmount(debt, day), last);
      else for (const [index, rest] of this.openParts(debt, day).entries()) add(rest, debt.parts[index]?.due ?? last);
    }
    const own = this.payments.filter((one) => one.direction === side && one.partner === partner);
    for (const payment of own) aged.credit += this.unappliedAmount(payment, day);
    return aged;
  }

  /** Debit − credit of each day on the accounts of partners, by `account partner day`. */
  ledger(): Map<string, number> {
    const days = new Map<string, number>();
    const add = (account: string, partner: Side, side: Side, day: string, owed: number) => {
      const key = `${account} ${partner} ${day}`;
      const sum = (days.get(key) ?? 0) + (side === 'in' ? owed : -owed);
      if (sum === 0) days.delete(key);
      else days.set(key, sum);
    };
    for (const debt of this.debts) {
      const { account, partner, side, date, cancelled } = debt;
      add(account, partner, side, date, debt.total);
      if (cancelled !== null) add(account, partner, side, cancelled, -debt.total);
      for (const { day, cents } of this.debtSettlements(debt)) add(account, partner, side, day, -cents);
    }
    for (const payment of this.payments) {
      const { direction, partner, day, amount, links, returnedBy, returns } = payment;
      if (returns !== null) continue;
      add(CREDIT[direction], partner, direction, day, -amount);
      for (const link of links) add(CREDIT[direction], partner, direction, link.day, link.amount);
      if (returnedBy !== null) add(CREDIT[direction], partner, direction, returnedBy.day, this.unapplied(payment));
    }
    return days;
  }

  /** Returns the amount of a payment not applied to any debt, even if the payment was returned. */
  unapplied({ amount, links }: Payment): number {
    return amount - total(links.map((link) => link.amount));
  }
}
