/** What models 111 and 190 say besides their boxes: how they come from the account of income tax withheld (decision 0207). */
import { Type } from 'typebox';
import { formatsFor } from '../../domain/locale/formats.ts';
import { type Decimal, decimal } from '../../domain/money.ts';
import type { Texts } from '../../domain/reports/texts.ts';
import { paidTo, type WithheldFrom } from '../../domain/tax-models/withheld.ts';
import type { Days } from '../tax-returns/taxes.ts';
import type { WithheldTotals } from '../tax-returns/withheld.ts';
import { amount, nullable, text } from '../validation/schemas.ts';
import { percent, type ReportRequest } from './declaration.ts';

export const WITHHELD_DATA = {
  elsewhere: Type.Array(Type.Object({ rate: percent(), base: amount(), amount: amount() }), {
    description:
      'Withheld at percentages that other models declare, such as 19 % of rents (115); 0: by payments, of unknown income',
  }),
  undeclared: amount({ description: 'Entered on 4751 by lines that do not say from whom or of what; in no box' }),
  entered: amount({
    description:
      'All that is entered on 4751, without what was paid to the agency: box 28 or 03, `elsewhere` and `undeclared`',
  }),
  drilldown: nullable(text({ max: 500, description: 'The ledger of the account' })),
};

/** What recipients were paid, and what was withheld of it. */
export const PAID = {
  amount: amount({ description: 'Paid in money' }),
  withheld: amount({ description: 'Income tax withheld of what was paid in money' }),
  in_kind: amount({ description: 'Paid in kind' }),
  in_kind_withheld: amount({ description: 'Income tax withheld of what was paid in kind' }),
  contributions: amount({ description: 'What the recipient contributed to social security' }),
};

/** The amounts of recipients as they are shown. */
export function amountsOf(recipients: readonly WithheldFrom[], money: (value: Decimal) => number) {
  const { amount: paid, withheld, in_kind, in_kind_withheld, contributions } = paidTo(recipients);
  return {
    amount: money(paid),
    withheld: money(withheld),
    in_kind: money(in_kind),
    in_kind_withheld: money(in_kind_withheld),
    contributions: money(contributions),
  };
}

/** What is on the account, as it is shown. */
export function withheldData(found: WithheldTotals, { from, to }: Days, money: (value: Decimal) => number) {
  const { elsewhere, undeclared, entered, accountId } = found;
  return {
    elsewhere: elsewhere.map(({ rate, base, amount: withheld }) => ({
      rate: Number(rate),
      base: money(base),
      amount: money(withheld),
    })),
    undeclared: money(undeclared),
    entered: money(entered),
    drilldown: accountId === null ? null : `/api/reports/ledger?account_id=${accountId}&from=${from}&to=${to}`,
  };
}

const ELSEWHERE: Texts = {
  es: 'En otros modelos o sin tipo conocido (4751)',
  en: 'In other models, or at no known rate (4751)',
};
const UNDECLARED: Texts = {
  es: 'En la cuenta 4751 sin decir de quién: en ninguna casilla',
  en: 'On account 4751 without saying from whom: in no box',
};

type View = Pick<ReportRequest, 'language' | 'settings'> & {
  readonly data: {
    readonly elsewhere: readonly { readonly rate: number; readonly amount: number }[];
    readonly undeclared: number;
  };
};

/** What is on the account, and in no box. */
export function withheldNotes({ data: { elsewhere, undeclared }, language, settings }: View): string[] {
  const { amount: shown, percent: rateOf } = formatsFor(settings.format, null);
  const rates = elsewhere.map(
    ({ rate, amount: withheld }) => `${rateOf(decimal(rate).toFixed())}: ${shown(decimal(withheld).toFixed())}`,
  );
  const others = rates.length === 0 ? [] : [`${ELSEWHERE[language]}: ${rates.join(' · ')}`];
  return undeclared === 0 ? others : [...others, `${UNDECLARED[language]}: ${shown(decimal(undeclared).toFixed())}`];
}
