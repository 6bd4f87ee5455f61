/** The profit and loss account by the headings of the annual accounts: income is positive, expense negative. */
import type { AccountChart } from '../../ledger/accounting/charts/chart.ts';
import type { Language } from '../../locale/formats.ts';
import { decimal } from '../../money.ts';
import type { Form } from './forms/form.ts';
import { formFor } from './forms/index.ts';
import { type AccountBalance, contains, type FilledHeading, isEmpty, Standings, total } from './headings.ts';

/**
 * Builds the account by the form of the chart. Accounts without a heading are shown in the first section.
 * @param accounts income and expense only
 * @param columns number of amounts of each account
 * @returns its sections, in Spain A) operating result, B) financial result, C) both, 19. income tax, D) the result
 */
export function profitAndLoss(
  accounts: readonly AccountBalance[],
  columns: number,
  chart: Pick<AccountChart, 'country'>,
  language: Language,
): readonly FilledHeading[] {
  const form = formFor(chart);
  const { inResult, others } = form;
  const standings = new Standings(columns);
  for (const account of accounts) {
    standings.add(account, (balance) => {
      const find = account.isBeginning === true ? 'findBeginning' : 'find';
      return { at: inResult[find](account.code, balance) ?? others[account.type], sign: -1 };
    });
  }
  return fillResult(standings, form, columns, language);
}

/** Builds the sections from what stands under their headings. */
export function fillResult(
  standings: Standings,
  { sections, others }: Form,
  columns: number,
  language: Language,
): readonly FilledHeading[] {
  const apart = [...new Set([others.income, others.expense])].filter(
    (other) => !sections.some((section) => contains(section, other)) && !isEmpty(standings.fill(other, language)),
  );
  const filled: FilledHeading[] = [];
  for (const section of sections) {
    const own = standings.fill(section, language, filled.length === 0 ? apart : []);
    const added = filled.filter(({ code }) => section.adds?.includes(code));
    filled.push(section.adds === undefined ? own : { ...own, amounts: total(added, columns) });
  }
  return filled;
}

/** Expenses by account, largest of the first column first; negative where refunds exceed expenses. */
export function expenseCategories(accounts: readonly AccountBalance[]): AccountBalance[] {
  const first = ({ amounts: [amount = '0'] }: AccountBalance) => decimal(amount);
  return accounts
    .filter(({ type, amounts }) => type === 'expense' && amounts.some((amount) => !decimal(amount).eq(0)))
    .toSorted((a, b) => first(b).cmp(first(a)) || (a.code < b.code ? -1 : 1));
}
