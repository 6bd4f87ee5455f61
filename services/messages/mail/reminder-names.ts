/** Names in the templates of reminders of overdue invoices (decision 0316). */

import { dayData, decimalData } from '../../../domain/messages/mail/values.ts';
import type { Decimal } from '../../../domain/money.ts';

export interface ReminderFacts {
  readonly partner: { readonly name: string; readonly email: string | null };
  readonly company: object;
  readonly level: { readonly number: number; readonly name: string };
  readonly invoices: readonly {
    readonly code: string;
    readonly dueDate: string;
    readonly days: number;
    readonly outstanding: Decimal;
    readonly interest: Decimal;
  }[];
  readonly outstanding: Decimal;
  readonly interest: Decimal;
  readonly fee: Decimal;
  readonly total: Decimal;
}

/** @param currency of the amounts */
export function reminderNames(facts: ReminderFacts, currency: string): object {
  const money = (value: Decimal) => decimalData(value, currency);
  return {
    ...facts,
    invoices: facts.invoices.map(({ code, dueDate, days, outstanding, interest }) => ({
      ...{ code, dueDate: dayData(dueDate), days },
      ...{ outstanding: money(outstanding), interest: money(interest) },
    })),
    outstanding: money(facts.outstanding),
    interest: money(facts.interest),
    fee: money(facts.fee),
    total: money(facts.total),
  };
}
