/**
 * Builds the entry that settles a period's VAT or IGIC: 477 and 472 against the amount owed to, or by, the tax office (4750,
 * 4700).
 */

import { type Decimal, decimal, type Exact, sum } from '../../money.ts';
import { isUnionScheme } from '../../trade/documents/operations.ts';
import { isPending } from '../accounting/cash-basis.ts';
import { type EntryLine, entryLine } from '../accounting/entries.ts';
import type { BoxValues } from './boxes.ts';
import { hasBox303 } from './model303.ts';
import { hasBox420 } from './model420.ts';
import type { TaxTotal } from './totals.ts';

export interface SettlementAccounts {
  /** 4750 */
  readonly payable: string;
  /** 4700 */
  readonly receivable: string;
  /** 639 and 634: take the difference that manually stated amounts make. */
  readonly gain: string;
  readonly loss: string;
}

interface SettledAmounts {
  /** Earlier credit that leaves 4700. */
  readonly applied: Exact;
  /** Owed to the tax office, or by it if below zero. */
  readonly owed: readonly Exact[];
  /** Amounts that earlier returns of the period had to pay, and got refunded. */
  readonly paid: Exact;
  readonly refunded: Exact;
}

/** How the settlement of a model follows from its form. */
export interface SettledForm {
  /** Whether the form has a box for a tax, or needs none. */
  hasBox(total: TaxTotal): boolean;
  read(box: (number: string) => Exact): SettledAmounts;
}

export const SETTLED_303: SettledForm = {
  hasBox: hasBox303,
  read: (box) => ({
    applied: box('78'),
    // Amounts due to the provinces with their own taxes are paid to them, but are still owed.
    owed: [box('71'), box('64').minus(box('66'))],
    paid: box('70'),
    refunded: box('109'),
  }),
};

export const SETTLED_420: SettledForm = {
  hasBox: hasBox420,
  read(box) {
    const owed = aboveZero(box('45'));
    return {
      // All of an earlier credit is part of the result, so only what changes of it is entered.
      applied: box('43').plus(box('45')).minus(owed),
      owed: [owed],
      // A refund that was too high is stated as paid below zero.
      paid: aboveZero(box('44')),
      refunded: aboveZero(box('44').neg()),
    };
  },
};

/** Debits less credits that the settlements of earlier returns of a period have entered on an account. */
export interface Entered {
  readonly accountId: string;
  readonly balance: Decimal;
}

/**
 * Builds the settlement of a return that rectifies others of its period: what the period's settlement is now, less what is entered.
 * What these had to pay, or got refunded, stands.
 * @returns no lines when nothing has changed
 */
export function rectifyingLines(
  form: SettledForm,
  totals: readonly (TaxTotal & { readonly accountId: string })[],
  boxes: BoxValues,
  accounts: SettlementAccounts,
  entered: readonly Entered[],
): EntryLine[] {
  const balances = new Map(entered.map(({ accountId, balance }) => [accountId, decimal(balance).neg()]));
  for (const { accountId, debit, credit } of settlementLines(form, totals, boxes, accounts, true)) {
    balances.set(accountId, sum([balances.get(accountId) ?? '0', debit]).minus(credit));
  }
  const changed = [...balances].filter(([, balance]) => !balance.eq(0));
  return changed.map(([accountId, balance]) => entryLine('debit', accountId, balance.toFixed()));
}

/**
 * Builds the settlement.
 * @param rectifies whether it includes what earlier returns of the period have settled
 * @returns no lines when there is nothing to settle
 */
export function settlementLines(
  form: SettledForm,
  totals: readonly (TaxTotal & { readonly accountId: string })[],
  boxes: BoxValues,
  accounts: SettlementAccounts,
  rectifies = false,
): EntryLine[] {
  const { applied, owed, paid, refunded } = form.read((box) => decimal(boxes[box] ?? '0'));
  const settled = new Map<string, Decimal>();
  for (const total of totals) {
    const amount = form.hasBox(total) ? settledAmount(total) : '0';
    const known = settled.get(total.accountId) ?? '0';
    if (!decimal(amount).eq(0)) settled.set(total.accountId, sum([known, amount]).toFixed());
  }
  const lines = [...settled].map(([accountId, amount]) => entryLine('debit', accountId, amount));
  lines.push(entryLine('credit', accounts.receivable, applied.toFixed()));
  if (rectifies) {
    lines.push(entryLine('credit', accounts.payable, paid.toFixed()));
    lines.push(entryLine('debit', accounts.receivable, refunded.toFixed()));
  }
  for (const amount of owed) {
    lines.push(entryLine('credit', amount.lt(0) ? accounts.receivable : accounts.payable, amount.toFixed()));
  }
  const rest = sum(lines.map(({ debit, credit }) => decimal(debit).minus(credit)));
  lines.push(entryLine('credit', rest.lt(0) ? accounts.loss : accounts.gain, rest.toFixed()));
  return lines.filter(({ debit, credit }) => debit !== '0' || credit !== '0');
}

/**
 * Builds the settlement of model 369: what is owed to states is paid to the agency (4750), and what states pay back is claimed (4700).
 * @param taxes of the return by account
 */
export function unionSettlementLines(
  taxes: readonly { readonly accountId: string; readonly amount: Decimal }[],
  boxes: BoxValues,
  { payable, receivable }: SettlementAccounts,
): EntryLine[] {
  const lines = taxes.map(({ accountId, amount }) => entryLine('debit', accountId, amount));
  lines.push(entryLine('credit', payable, boxes['8'] ?? '0'), entryLine('credit', receivable, boxes['8N'] ?? '0'));
  return lines.filter(({ debit, credit }) => debit !== '0' || credit !== '0');
}

function aboveZero(amount: Exact): Exact {
  return amount.gt(0) ? amount : decimal(0);
}

/** The remaining credit balance of a tax; tax that no return declares stays on its account. */
function settledAmount(total: TaxTotal): Decimal {
  const { kind, use, amount } = total;
  if (isPending(kind) || isUnionScheme(total.operation)) return '0';
  if (kind === 'input') return use === 'none' ? '0' : decimal(amount).neg().toFixed();
  return kind === 'withholding' ? '0' : amount;
}
