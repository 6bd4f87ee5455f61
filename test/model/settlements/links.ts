/** How much of which debt a payment settles: the rules for accepting or refusing links. */
import { type Debt, type Link, type Payment, paymentStatus, type Settlement, type Side, total } from './papers.ts';
import { ALWAYS, type Sheet } from './sheet.ts';

/** A link that is asked for. */
export interface Asked {
  readonly debt: Debt;
  /** Without it, what is outstanding, as far as the payment reaches. */
  readonly amount: number | null;
  readonly withholding: number;
  readonly writeOff: number;
  readonly instalment: number | null;
  /** The link that it replaces. */
  readonly replaces?: Link;
}

/** The most that may be written off. */
const WRITE_OFF = 100;

export interface Circumstances {
  readonly direction: Side;
  readonly partner: Side;
  readonly day: string;
  /** Unapplied amount of the payment. */
  readonly left: number;
  /** Links that are replaced, or go. */
  readonly without: readonly Link[];
  /** Whether it is the only link of the payment, which alone may overpay. */
  readonly single: boolean;
  readonly at: number;
}

/** @returns null where one of them is refused, and so all are */
export function planLinks(sheet: Sheet, asked: readonly Asked[], about: Circumstances): Link[] | null {
  const links: Link[] = [];
  let { left } = about;
  for (const one of asked) {
    const twice = links.some(({ debt, instalment }) => debt === one.debt && instalment === one.instalment);
    const link = twice && one.replaces === undefined ? null : planLink(sheet, one, { ...about, left }, links);
    if (link === null) return null;
    left -= link.amount;
    links.push(link);
  }
  return left < 0 ? null : links;
}

function planLink(sheet: Sheet, asked: Asked, about: Circumstances, before: readonly Link[]): Link | null {
  const { debt, withholding, writeOff, instalment, replaces } = asked;
  const { without } = about;
  const refund = debt.side !== about.direction && debt.total < 0;
  if (debt.partner !== about.partner || debt.cancelled !== null || (debt.side !== about.direction && !refund))
    return null;
  const here = (links: readonly Link[]) => links.filter((link) => link.debt === debt);
  const settledAmount = (links: readonly Link[]) => total(here(links).map(({ settled }) => settled));
  const paid = sheet.paidAmount(debt) - settledAmount(without) + settledAmount(before);
  const outstanding = (debt.total - paid) * (refund ? -1 : 1);
  const [extras, credit] = [withholding + writeOff, debt.total < 0];
  if (credit && (withholding !== 0 || writeOff !== 0)) return null;
  if (Math.abs(writeOff) > WRITE_OFF) return null;
  const open = openAmount(sheet, debt, instalment, { without, before });
  if (open === undefined) return null;
  const due = (open ?? outstanding) - extras;
  const amount = asked.amount ?? Math.min(due, about.left);
  const settles = amount + extras;
  if (open !== null && settles > open) return null;
  // A credit takes from the payment, unless it is refunded.
  const sign = credit && !refund ? -1 : 1;
  if (amount * sign <= 0 || settles * sign <= 0) return null;
  const beyond = settles * sign > outstanding * sign;
  if (beyond && (!about.single || credit || withholding !== 0 || writeOff !== 0)) return null;
  const settled = settles * (refund ? -1 : 1);
  const overpays = paymentStatus(debt.total, paid + settled) === 'overpaid';
  const made = { debt, amount, withholding, writeOff, settled, overpays };
  const number = open === null ? null : instalment;
  if (replaces !== undefined) return { ...replaces, ...made, instalment: number };
  return { ...made, id: '', day: about.day, instalment: number, at: about.at };
}

/** Returns the instalment's open amount; null if none is named or the debt is due at once; undefined if it does not exist. */
function openAmount(
  sheet: Sheet,
  debt: Debt,
  instalment: number | null,
  others: { readonly without: readonly Link[]; readonly before: readonly Link[] },
): number | null | undefined {
  if (instalment === null) return null;
  if (instalment > debt.parts.length) return undefined;
  if (debt.parts.length === 1) return null;
  const changes = (links: readonly Link[], sign: 1 | -1): Settlement[] =>
    links
      .filter((link) => link.debt === debt)
      .map(({ day, settled, instalment: number }) => ({ day, cents: sign * settled, instalment: number }));
  const settlements = [...sheet.debtSettlements(debt), ...changes(others.without, -1), ...changes(others.before, 1)];
  return sheet.openParts(debt, ALWAYS, settlements)[instalment - 1] as number;
}

/** Days from which something can come back: that of the payment, or of the last that it settled. */
export function earliestReturn({ day, links }: Payment): string {
  return [day, ...links.map((link) => link.day)].sort().at(-1) as string;
}
