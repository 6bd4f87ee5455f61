/** The steps of random histories, taken by the model and by the service. */
import fc from 'fast-check';
import type { Book } from './book.ts';
import {
  applyOne,
  cancelOne,
  type Desk,
  enterOne,
  offsetOne,
  payOne,
  postOne,
  relinkOne,
  removeOne,
  returnOne,
  reverseOne,
} from './desk.ts';
import { type Answer, dueParts, type Outcome, TODAY, type WantedLine } from './entries.ts';
import type { Asked } from './links.ts';
import { type Debt, later, type Side } from './papers.ts';

export const KINDS = [
  ...['sell', 'buy', 'credit', 'cancel', 'pay', 'refund', 'apply', 'unlink', 'change', 'offset', 'return', 'remove'],
  ...['undo return', 'item', 'lose', 'doubt', 'net', 'clear', 'reverse', 'close', 'open'],
] as const;
export type Kind = string;

/** Numbers choose among the existing candidates, or a variant. */
export interface Wish {
  readonly kind: Kind;
  readonly which: number;
  readonly other: number;
  readonly cents: number;
  readonly day: number;
  readonly way: number;
}

/** Days of everything: today is the last but one. */
export const DAYS = [
  '2026-03-10',
  '2026-03-28',
  '2026-04-05',
  '2026-04-25',
  '2026-05-15',
  '2026-06-02',
  TODAY,
  '2026-06-28',
];

export const wish: fc.Arbitrary<Wish> = fc.record({
  kind: fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom('sell', 'sell', 'buy', 'credit', 'pay', 'pay', 'return', 'undo return') },
    { weight: 1, arbitrary: fc.constantFrom(...KINDS) },
  ),
  which: fc.nat(30),
  other: fc.nat(30),
  cents: fc.integer({ min: 100, max: 9999 }),
  day: fc.nat(DAYS.length - 1),
  way: fc.nat(11),
});

/** A step: the outcome in the model, and how the service takes it. */
export interface Action {
  readonly what: Kind;
  readonly outcome: Outcome;
  readonly act: () => Promise<Answer>;
}

const pick = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)];

/** @returns undefined where there is nothing to do it to */
export function plannedAction(book: Book, desk: Desk, one: Wish): Action | undefined {
  const day = DAYS[one.day] as string;
  const side: Side = one.way % 3 === 0 ? 'out' : 'in';
  switch (one.kind) {
    case 'sell':
    case 'buy':
    case 'credit':
      return invoiced(book, desk, one, day);
    case 'pay':
    case 'refund':
      return paid(book, desk, one, { side, day });
    case 'item':
    case 'lose':
    case 'doubt':
    case 'net':
    case 'clear':
      return entered(book, desk, one, { side, day });
    default:
      return changed(book, desk, one, { side, day });
  }
}

interface Where {
  readonly side: Side;
  readonly day: string;
}

function invoiced(book: Book, desk: Desk, { kind, cents, way, other }: Wish, day: string): Action {
  const side: Side = kind === 'buy' || (kind === 'credit' && way % 3 === 0) ? 'out' : 'in';
  const whole = kind === 'credit' ? -cents : cents;
  const terms = kind !== 'credit' && other % 3 === 0 ? 'halves' : other;
  const parts = dueParts(day, whole, terms);
  const due = terms === 'halves' ? terms : later(day, terms);
  const outcome = book.invoice(side, day, whole, parts);
  return { what: kind, outcome, act: () => postOne(desk, side, day, whole, due) };
}

/** Debts that fit, mostly those of which something is open. */
function someDebt(book: Book, index: number, fits: (debt: Debt) => boolean): Debt | undefined {
  const fitting = book.debts.filter(fits);
  const open = fitting.filter((debt) => debt.cancelled === null && book.outstandingAmount(debt) !== 0);
  return index % 5 > 0 && open.length > 0 ? pick(open, index) : pick(fitting, index);
}

/** Links to a debt or two, with an amount or without, withholding, a write-off or an instalment. */
function asked(book: Book, { which, other, cents, way }: Wish, fits: (debt: Debt) => boolean): Asked[] {
  const debts = [someDebt(book, which, fits), way % 4 === 3 ? someDebt(book, other, fits) : undefined];
  return debts.flatMap((debt, index): Asked[] => {
    if (debt === undefined) return [];
    const instalment = debt.parts.length > 1 && other % 2 === 0 ? 1 + (which % 2) : null;
    const open = book.outstandingAmount(debt);
    const bounded = [1, 7, 9].includes(way) && open !== 0 ? Math.min(Math.abs(open), cents) : cents;
    const amount = way % 2 === 0 ? null : debt.total < 0 ? -bounded : bounded;
    const [withholding, writeOff] = [way === 8 && index === 0 ? 70 : 0, way === 10 && index === 0 ? 50 : 0];
    return [{ debt, amount, withholding, writeOff, instalment }];
  });
}

function paid(book: Book, desk: Desk, one: Wish, { side, day }: Where): Action {
  const { kind, way, cents } = one;
  const refund = kind === 'refund';
  const partner: Side = refund ? (side === 'in' ? 'out' : 'in') : side;
  const own = way === 11 ? [] : asked(book, one, (debt) => debt.side === partner && (!refund || debt.total < 0));
  const links = refund
    ? own.map((link) => ({ ...link, amount: link.amount === null ? null : Math.abs(link.amount) }))
    : own;
  const open = links[0] === undefined ? 0 : Math.abs(book.outstandingAmount(links[0].debt));
  const amount = way % 3 === 1 && open > 0 ? open : cents;
  const given = { amount, day, links };
  return { what: kind, outcome: book.pay(side, partner, given), act: () => payOne(desk, side, partner, given) };
}

const ACCOUNTS = { in: ['430', '430', '431', '436', '438'], out: ['400', '400', '410', '407'] } as const;

function entered(book: Book, desk: Desk, one: Wish, { side, day }: Where): Action | undefined {
  const { kind, which, other, cents, way } = one;
  const settling = (debt: Debt): WantedLine => {
    const open = book.outstandingAmount(debt);
    const size = way === 7 ? cents : Math.min(Math.abs(open), cents);
    const sign = open < 0 || (open === 0 && debt.total < 0) ? -1 : 1;
    return { debt, side: debt.side, account: debt.account, cents: sign * Math.max(1, size), due: null };
  };
  const first = someDebt(book, which, (debt) => (kind === 'doubt' ? debt.side === 'in' : debt.side === side));
  const lines: WantedLine[] = [];
  if (kind === 'item') {
    const due = way % 2 === 0 ? later(day, other) : null;
    const account = pick(ACCOUNTS[side], which) as string;
    lines.push({ debt: null, side, account, cents: way % 4 === 1 ? -cents : cents, due });
    if (way > 8) lines.push({ debt: null, side: 'in', account: '430', cents: -cents - 1, due: null });
  } else {
    const fits = (debt: Debt) =>
      kind === 'net' ? debt.side !== side : debt.account === first?.account && debt !== first;
    const second = kind === 'lose' || kind === 'doubt' ? undefined : someDebt(book, other, fits);
    lines.push(...[first, second].flatMap((debt) => (debt === undefined ? [] : [settling(debt)])));
    const [taken] = lines;
    if (kind === 'doubt' && taken !== undefined) lines.push({ ...taken, debt: null, account: '436' });
  }
  if (lines.length === 0 || (kind === 'net' && lines.length < 2)) return undefined;
  return { what: kind, outcome: book.enter(day, lines), act: () => enterOne(desk, day, lines) };
}

function changed(book: Book, desk: Desk, one: Wish, { side, day }: Where): Action | undefined {
  const { kind, which, other, cents, way } = one;
  const on = way % 2 === 0 ? day : null;
  const fitting = book.payments.filter((found) => {
    if (kind === 'undo return') return found.returns !== null;
    if (kind === 'apply') return book.unappliedAmount(found) > 0 || way === 0;
    return way === 0 || (found.returns === null && found.returnedBy === null);
  });
  const payment = pick(fitting, which);
  const linked = pick(
    book.payments.filter(({ links }) => links.length > 0),
    which,
  );
  const link = linked && pick(linked.links, other);
  if (kind === 'cancel') {
    const debt = someDebt(book, which, (found) => found.kind === 'invoice');
    return debt && { what: kind, outcome: book.cancel(debt, on), act: () => cancelOne(desk, debt, on) };
  }
  if (kind === 'offset') {
    const debt = someDebt(book, which, (found) => found.side === side && book.outstandingAmount(found) > 0);
    const credit = someDebt(book, other, (found) => found.side === side && book.outstandingAmount(found) < 0);
    if (debt === undefined || credit === undefined) return undefined;
    return { what: kind, outcome: book.offset(debt, credit), act: () => offsetOne(desk, [debt, credit]) };
  }
  if (kind === 'reverse') {
    const entry = pick(
      book.entries.filter(({ id }) => id !== ''),
      which,
    );
    return entry && { what: kind, outcome: book.reverse(entry, on), act: () => reverseOne(desk, entry, on) };
  }
  if ((kind === 'unlink' || kind === 'change') && linked !== undefined && link !== undefined) {
    if (linked.kind === 'offset') return undefined;
    const amount = kind === 'unlink' ? null : Math.sign(link.amount) * cents;
    return { what: kind, outcome: book.relink(linked, link, amount), act: () => relinkOne(desk, linked, link, amount) };
  }
  if (payment === undefined) return undefined;
  if (kind === 'apply' && payment.kind !== 'offset') {
    const links = asked(book, one, (debt) => debt.side === payment.partner && debt.side === payment.direction);
    if (links.length === 0) return undefined;
    const act = () => applyOne(desk, payment, links, on);
    return { what: kind, outcome: book.apply(payment, links, on), act };
  }
  if (kind === 'return' && payment.kind !== 'offset') {
    const fees = way % 4 === 1 ? 350 : 0;
    return { what: kind, outcome: book.return(payment, day, fees), act: () => returnOne(desk, payment, day, fees) };
  }
  if (kind === 'remove' || kind === 'undo return') {
    return { what: kind, outcome: book.remove(payment), act: () => removeOne(desk, payment) };
  }
  return undefined;
}
