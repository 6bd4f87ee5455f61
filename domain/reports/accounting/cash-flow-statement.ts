/**
 * The cash flow statement by the indirect method: what all accounts but those of money are credited with, less what they are debited with,
 * is what came into cash, so that the statement adds up to the change of cash whatever is entered (decision 0362).
 */
import { isOfResult } from '../../ledger/accounting/results.ts';
import type { Language } from '../../locale/formats.ts';
import { type Decimal, decimal, type Exact, sum } from '../../money.ts';
import { byCode, type CashFlowForm, type Flow, FlowIndex } from './forms/cash-flow-form.ts';
import { type AccountBalance, type FilledHeading, type Heading, Standings, total } from './headings.ts';

/** Debits and credits of normal entries in a period. */
interface Moves {
  readonly debit: Decimal;
  readonly credit: Decimal;
}

/** An account with what its normal entries have moved in each period. */
export interface AccountMoves extends Omit<AccountBalance, 'amounts'> {
  readonly moves: readonly Moves[];
  /** The part of it that is tax on investment goods; undefined for none. */
  readonly investmentTax?: readonly Moves[] | undefined;
}

/**
 * Builds the statement.
 * @param accounts with all their moves; those of money are left out
 * @param periods number of periods, for which each account has its moves
 */
export function cashFlowStatement(
  accounts: readonly AccountMoves[],
  periods: number,
  form: CashFlowForm,
  language: Language,
): readonly FilledHeading[] {
  const standings = new Standings(periods);
  const headings = byCode(form.sections);
  const index = new FlowIndex(form.flows);
  const moved = accounts.filter(({ code }) => !form.cash.some((prefix) => code.startsWith(prefix)));
  const signs = signSums(moved, periods, index);
  const put = (account: AccountMoves, code: string, amounts: readonly Decimal[]) => {
    const at = headings.get(code) as Heading;
    standings.add({ ...account, amounts }, () => ({ at, sign: 1 }));
  };
  for (const account of moved) {
    const tax = netFlows(account.investmentTax ?? []);
    if (tax.length > 0) put(account, form.investmentTax, tax);
    const net = netFlows(account.moves).map((amount, period) =>
      decimal(amount)
        .minus(tax[period] ?? '0')
        .toFixed(),
    );
    const flow = index.find(account.code);
    if (flow === undefined) put(account, isOfResult(account) ? form.result : form.others, net);
    else if (flow.kind === 'net') put(account, flow.at, net);
    else if (flow.kind === 'sides') {
      put(
        account,
        flow.debits,
        account.moves.map(({ debit }) => decimal(debit).neg().toFixed()),
      );
      put(
        account,
        flow.credits,
        account.moves.map(({ credit }) => credit),
      );
    } else if (flow.kind === 'sign') {
      const isAbove = (period: number) => !signs.get(flow)?.[period]?.lt(0);
      put(
        account,
        flow.above,
        net.map((amount, period) => (isAbove(period) ? amount : '0')),
      );
      put(
        account,
        flow.below,
        net.map((amount, period) => (isAbove(period) ? '0' : amount)),
      );
    } else {
      put(account, form.result, net);
      put(
        account,
        flow.adjustment,
        net.map((amount) => decimal(amount).neg().toFixed()),
      );
      put(account, flow.at, net);
    }
  }
  const filled: FilledHeading[] = [];
  for (const section of form.sections) {
    const own = standings.fill(section, language);
    const added = filled.filter(({ code }) => section.adds?.includes(code));
    filled.push(section.adds === undefined ? own : { ...own, amounts: total(added, periods) });
  }
  return filled;
}

function netFlows(moves: readonly Moves[]): Decimal[] {
  return moves.map(({ debit, credit }) => decimal(credit).minus(debit).toFixed());
}

/** Sums the accounts of each flow that is placed by its sign, period by period. */
function signSums(
  accounts: readonly AccountMoves[],
  periods: number,
  index: FlowIndex,
): ReadonlyMap<Flow, readonly Exact[]> {
  const sums = new Map<Flow, Exact[]>();
  for (const account of accounts) {
    const flow = index.find(account.code);
    if (flow?.kind !== 'sign') continue;
    const before = sums.get(flow) ?? Array.from({ length: periods }, () => decimal(0));
    sums.set(
      flow,
      netFlows(account.moves).map((amount, period) => sum([before[period] as Exact, amount])),
    );
  }
  return sums;
}
