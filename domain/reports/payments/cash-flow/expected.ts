/** Expected payments from and to partners, with their dates. */
import { daysAfter } from '../../../days.ts';
import { groupBy } from '../../../group-by.ts';
import { type Decimal, decimal } from '../../../money.ts';
import type { PaymentDirection } from '../../../trade/payments/types.ts';

/** Debt of a partner, or to a partner. */
export interface Debt {
  readonly direction: PaymentDirection;
  readonly partnerId: string;
  readonly partnerName: string;
  /** The invoice, open item or payment. */
  readonly id: string;
  readonly source: 'invoice' | 'open_item' | 'credit';
  readonly dueDate: string;
  /** Below zero for a credit. */
  readonly amount: Decimal;
  /** By how many days partners of the kind have usually paid after the due date; before it, below zero. */
  readonly habitDays: number;
}

/** Money that is expected to come (above zero) or go on a day. */
export interface Flow {
  readonly date: string;
  readonly amount: Decimal;
  readonly source: 'invoice' | 'open_item' | 'credit' | 'recurring' | 'vat';
  readonly id: string | null;
  readonly direction: PaymentDirection;
  readonly partnerName: string | null;
  /** Nobody owes it yet; it only looks like it. */
  readonly guess: boolean;
}

/**
 * When debts will be paid: on their due date moved by the partner's habit, not before today. Credits lower what is paid first of the same
 * partner; what is left of them is paid back today.
 */
export function expectedFlows(debts: readonly Debt[], today: string): Flow[] {
  const dated = debts.map((debt) => {
    const expected = daysAfter(debt.dueDate, debt.habitDays);
    return { ...debt, date: expected < today ? today : expected };
  });
  dated.sort((a, b) => (a.date === b.date ? 0 : a.date < b.date ? -1 : 1));
  const ofPartner = groupBy(dated, ({ partnerId, direction }) => `${direction} ${partnerId}`);
  return [...ofPartner.values()].flatMap((all) => {
    const owed = all.filter(({ amount }) => decimal(amount).gt(0));
    const credits = all.filter(({ amount }) => decimal(amount).lt(0));
    return [...owed.map((debt) => buildFlow(debt, debt.date, debt.amount)), ...spread(credits, owed, today)];
  });
}

type Dated = Debt & { readonly date: string };

/** Parts of the credits, on the days of the debts that they lower. */
function spread(credits: readonly Dated[], owed: readonly Dated[], today: string): Flow[] {
  const flows: Flow[] = [];
  let next = 0;
  let left = decimal(owed[0]?.amount ?? 0);
  for (const credit of credits) {
    let rest = decimal(credit.amount).abs();
    while (rest.gt(0) && next < owed.length) {
      const part = rest.lt(left) ? rest : left;
      flows.push(buildFlow(credit, (owed[next] as Dated).date, part.neg().toFixed()));
      rest = rest.minus(part);
      left = left.minus(part);
      if (left.eq(0)) left = decimal(owed[++next]?.amount ?? 0);
    }
    if (rest.gt(0)) flows.push(buildFlow(credit, today, rest.neg().toFixed()));
  }
  return flows;
}

function buildFlow({ id, source, partnerName, direction }: Debt, date: string, amount: Decimal): Flow {
  const signed = direction === 'in' ? amount : decimal(amount).neg().toFixed();
  return { date, amount: signed, source, id, direction, partnerName, guess: false };
}
