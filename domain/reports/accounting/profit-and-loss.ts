/** The profit and loss account by the headings of the annual accounts: income is positive, expense negative. */
import type { Language } from '../../locale/formats.ts';
import { decimal } from '../../money.ts';
import { type AccountBalance, type FilledHeading, HeadingIndex, isEmpty, Standings, total } from './headings.ts';
import { BEFORE_TAX, FINANCIAL, INCOME_TAX, OPERATING, RESULT_OF_YEAR, UNMAPPED } from './profit-and-loss-headings.ts';

const INDEX = new HeadingIndex([OPERATING, FINANCIAL, INCOME_TAX]);

/**
 * Builds the account.
 * @param accounts income and expense only
 * @param columns number of amounts of each account
 * @returns A) operating result, B) financial result, C) both, 19. income tax, D) the result
 */
export function profitAndLoss(
  accounts: readonly AccountBalance[],
  columns: number,
  language: Language,
): readonly FilledHeading[] {
  const standings = new Standings(columns);
  for (const account of accounts) {
    standings.add(account, (balance) => ({ at: INDEX.find(account.code, balance) ?? UNMAPPED, sign: -1 }));
  }
  const unmapped = isEmpty(standings.fill(UNMAPPED, language)) ? [] : [UNMAPPED];
  const operating = standings.fill({ ...OPERATING, children: [...(OPERATING.children ?? []), ...unmapped] }, language);
  const financial = standings.fill(FINANCIAL, language);
  const tax = standings.fill(INCOME_TAX, language);
  const sumHeading = (declared: typeof BEFORE_TAX, of: readonly FilledHeading[]): FilledHeading => ({
    code: declared.code,
    name: declared.name[language],
    amounts: total(of, columns),
    children: [],
    accounts: [],
  });
  const before = sumHeading(BEFORE_TAX, [operating, financial]);
  return [operating, financial, before, tax, sumHeading(RESULT_OF_YEAR, [before, tax])];
}

/** Expenses by account, largest of the first column first; negative where refunds exceed expenses. */
export function expenseCategories(accounts: readonly AccountBalance[]): AccountBalance[] {
  const first = ({ amounts: [amount = '0'] }: AccountBalance) => decimal(amount);
  return accounts
    .filter(({ type, amounts }) => type === 'expense' && amounts.some((amount) => !decimal(amount).eq(0)))
    .toSorted((a, b) => first(b).cmp(first(a)) || (a.code < b.code ? -1 : 1));
}
