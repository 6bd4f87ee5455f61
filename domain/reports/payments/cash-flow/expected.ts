/** Forecasts payments from and to partners, with their dates. */
import { daysAfter } from '../../../days.ts';
import { groupBy } from '../../../group-by.ts';
import { type Decimal, decimal } from '../../../money.ts';
import type { PaymentDirection } from '../../../trade/payments/types.ts';

/** A debt owed by, or to, a partner. */
export interface Debt {
  readonly direction: PaymentDirection;
  readonly partnerId: string;
  readonly partnerName: string;
  /** Id of the invoice, open item or payment. */
  readonly id: string;
  readonly source: 'invoice' | 'open_item' | 'credit';
  readonly dueDate: string;
  /** Negative for a credit. */
  readonly amount: Decimal;
  /** Days by which such partners usually pay after the due date; negative if they pay earlier. */
  readonly habitDays: number;
}

/** Money expected to come in (positive) or go out on a day. */
export interface Flow {
  readonly date: string;
  readonly amount: Decimal;
  readonly source: 'invoice' | 'open_item' | 'credit' | 'recurring' | 'vat';
  readonly id: string | null;
  readonly direction: PaymentDirection;
  readonly partnerName: string | null;
  /** Whether it is only an estimate that nobody owes yet. */
  readonly guess: boolean;
}

/**
 * Forecasts when debts are paid: on the due date plus the partner's habitual delay, but not before today. Credits reduce the partner's
 * earliest payments; the remainder is refunded today.
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

/** Splits credits over the days of the debts that they reduce. */
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
