/** The plain model: what is done to debts, payments and entries, or why it is refused. It shares no code with the service. */
import { decided, Entries, latest, type Outcome, TODAY } from './entries.ts';
import { type Asked, earliestReturn, planLinks } from './links.ts';
import { type Debt, type Entry, type Link, type Payment, paymentStatus, type Side, total } from './papers.ts';

export class Book extends Entries {
  pay(direction: Side, partner: Side, given: { amount: number; day: string; links: readonly Asked[] }): Outcome {
    const { amount, day } = given;
    if (this.isClosed(day)) return { refused: 'period_closed' };
    const at = this.nextStep();
    const single = given.links.length === 1;
    const about = { direction, partner, day, left: amount, without: [], single, at };
    const links = planLinks(this, given.links, about);
    return decided(links === null ? 'validation_failed' : undefined, (answer) => {
      const days = new Set([day]);
      const nothing = { returns: null, returnedBy: null, fees: null };
      const made = named(links as Link[], answer.parts);
      this.payments.push({
        id: answer.id,
        kind: direction,
        direction,
        partner,
        amount,
        day,
        days,
        ...nothing,
        links: made,
        at,
      });
    });
  }

  /** Applies what a payment has left. */
  apply(payment: Payment, asked: readonly Asked[], on: string | null): Outcome {
    if (this.unappliedAmount(payment) <= 0 || payment.returns !== null) return { refused: 'nothing_open' };
    const first = latest(payment.day, ...asked.map(({ debt }) => debt.date));
    const day = on ?? (this.isClosed(first) ? TODAY : first);
    if (day < payment.day) return { refused: 'validation_failed' };
    if (this.isClosed(day)) return { refused: 'period_closed' };
    const { direction, partner } = payment;
    const left = this.unappliedAmount(payment);
    const about = { direction, partner, day, left, without: [], single: asked.length === 1, at: this.nextStep() };
    const links = planLinks(this, asked, about);
    return decided(links === null ? 'validation_failed' : undefined, ({ parts }) => {
      const known = payment.links.map(({ id }) => id);
      payment.links.push(
        ...named(
          links as Link[],
          parts.filter((id) => !known.includes(id)),
        ),
      );
      payment.days.add(day);
    });
  }

  /** Takes a link away (null), or changes its amount. */
  relink(payment: Payment, link: Link, amount: number | null): Outcome {
    if (payment.returns !== null || payment.returnedBy !== null) return { refused: 'invalid_transition' };
    const same = amount === link.amount;
    const { direction, partner } = payment;
    const left = this.unappliedAmount(payment) + link.amount;
    const asked = amount === null || same ? [] : [{ ...link, amount, replaces: link }];
    const about = {
      direction,
      partner,
      day: link.day,
      left,
      without: [link],
      single: payment.links.length === 1,
      at: link.at,
    };
    const links = planLinks(this, asked, about);
    const refused = links === null ? 'validation_failed' : this.isClosed(link.day) ? 'period_closed' : undefined;
    return decided(same ? undefined : refused, () => {
      if (same) return;
      const index = payment.links.indexOf(link);
      payment.links.splice(index, 1, ...(links as Link[]));
    });
  }

  /** Sets what is credited off against what is owed. */
  offset(one: Debt, other: Debt): Outcome {
    if (one.side !== other.side || one.partner !== other.partner) return { refused: 'validation_failed' };
    const first = latest(one.date, other.date);
    const day = this.isClosed(first) ? TODAY : first;
    if (this.isClosed(day)) return { refused: 'period_closed' };
    const open = [one, other].map((debt) => this.outstandingAmount(debt)) as [number, number];
    const size = Math.min(...open.map((cents) => Math.abs(cents)));
    if (one === other || open[0] > 0 === open[1] > 0 || size === 0) return { refused: 'validation_failed' };
    const asked = [one, other].map((debt, index): Asked => {
      const amount = size * Math.sign(open[index] as number);
      return { debt, amount, withholding: 0, writeOff: 0, instalment: null };
    });
    const { side, partner } = one;
    const at = this.nextStep();
    const about = { direction: side, partner, day, left: 0, without: [], single: false, at };
    const links = planLinks(this, asked, about);
    return decided(links === null ? 'validation_failed' : undefined, ({ id, parts }) => {
      const head = { id, kind: 'offset', direction: side, partner, amount: 0, day, days: new Set([day]) } as const;
      const made = named(links as Link[], parts);
      this.payments.push({ ...head, links: made, returns: null, returnedBy: null, fees: null, at });
    });
  }

  /** A payment comes back. @param charged what its partner is charged for it */
  return(payment: Payment, day: string, charged: number): Outcome {
    const refused =
      payment.returns !== null || payment.returnedBy !== null
        ? 'invalid_transition'
        : day < earliestReturn(payment)
          ? 'validation_failed'
          : this.isClosed(day)
            ? 'period_closed'
            : undefined;
    return decided(refused, ({ id, parts }) => {
      const { direction, partner, amount } = payment;
      const fees = charged === 0 ? null : this.#fees(payment, day, charged, parts[0] as string);
      const kind = direction === 'in' ? 'out' : 'in';
      const head = { id, kind, direction: kind, partner, amount, day, days: new Set([day]), links: [] } as const;
      const back = { ...head, links: [], returns: payment, returnedBy: null, fees, at: this.nextStep() };
      payment.returnedBy = back;
      this.payments.push(back);
    });
  }

  #fees({ direction, partner }: Payment, day: string, charged: number, id: string): Entry {
    const account = direction === 'in' ? '430' : '400';
    // Whoever was paid, the partner owes the fees: to a supplier the company owes that much less.
    const whole = direction === 'in' ? charged : -charged;
    const parts = [{ due: day, amount: whole }];
    const own = { id, kind: 'item', side: direction, partner, account } as const;
    const item: Debt = { ...own, date: day, total: whole, parts, cancelled: null };
    const entry = { id: '', day, items: [item], settles: [], reversed: null };
    this.debts.push(item);
    this.entries.push(entry);
    return entry;
  }

  remove(payment: Payment): Outcome {
    if (payment.returnedBy !== null) return { refused: 'in_use' };
    const { returns, fees } = payment;
    const refused =
      returns !== null && !this.#restorable(returns, payment)
        ? 'invalid_transition'
        : fees?.items.some((item) => this.paidAmount(item) !== 0)
          ? 'in_use'
          : this.isClosed(...payment.days)
            ? 'period_closed'
            : undefined;
    return decided(refused, () => {
      this.payments.splice(this.payments.indexOf(payment), 1);
      if (returns !== null) returns.returnedBy = null;
      if (fees !== null) fees.reversed = fees.day;
    });
  }

  /** Whether what a return gave back can be settled again: nothing was paid since, and what is too much was so by intention. */
  #restorable(payment: Payment, back: Payment): boolean {
    return [...new Set(payment.links.map(({ debt }) => debt))].every((debt) => {
      if (debt.cancelled !== null) return false;
      const again = payment.links.filter((link) => link.debt === debt);
      const paid = this.paidAmount(debt) + total(again.map(({ settled }) => settled));
      payment.returnedBy = null;
      const standing = this.standing(debt);
      const named = debt.parts.map((_, index) =>
        total(
          this.debtSettlements(debt)
            .filter(({ instalment }) => instalment === index + 1)
            .map(({ cents }) => cents),
        ),
      );
      payment.returnedBy = back;
      if (debt.parts.length > 1 && debt.parts.some(({ amount }, index) => (named[index] as number) > amount))
        return false;
      if (paymentStatus(debt.total, paid) !== 'overpaid') return true;
      const since = total(standing.filter(({ at }) => at > back.at).map(({ settled }) => settled));
      if (since * Math.sign(debt.total) > 0) return false;
      let sum = 0;
      return standing.every(({ settled, overpays }) => {
        sum += settled;
        return paymentStatus(debt.total, sum) !== 'overpaid' || settled * Math.sign(debt.total) < 0 || overpays;
      });
    });
  }
}

function named(links: readonly Link[], ids: readonly string[]): Link[] {
  return links.map((link, index) => ({ ...link, id: ids[index] as string }));
}
