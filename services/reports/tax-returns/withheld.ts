/** Data of models 111 and 190 in addition to their boxes: how the boxes derive from the account of withheld income tax (decision 0207). */
import { Type } from 'typebox';
import { paidTo, type WithheldFrom } from '../../../domain/ledger/tax-returns/withheld.ts';
import { formatsFor } from '../../../domain/locale/formats.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import type { Texts } from '../../../domain/reports/engine/texts.ts';
import type { Days } from '../../ledger/tax-returns/taxes.ts';
import type { WithheldTotals } from '../../ledger/tax-returns/withheld.ts';
import { amount, nullable, text } from '../../platform/validation/schemas.ts';
import { percent, type ReportRequest } from '../engine/declaration.ts';

export const WITHHELD_DATA = {
  elsewhere: Type.Array(Type.Object({ rate: percent(), base: amount(), amount: amount() }), {
    description:
      'Withheld at percentages that other models declare: 19 % of rents (115) and capital (123); 0: by payments, of unknown income',
  }),
  undeclared: amount({ description: 'Entered on 4751 by lines that do not say from whom or of what; in no box' }),
  entered: amount({
    description:
      'All that is entered on 4751, without what was paid to the agency: box 28 or 03, `elsewhere` and `undeclared`',
  }),
  drilldown: nullable(text({ max: 500, description: 'The ledger of the account' })),
};

/** Amounts paid to recipients, and amounts withheld from them. */
export const PAID = {
  amount: amount({ description: 'Paid in money' }),
  withheld: amount({ description: 'Income tax withheld of what was paid in money' }),
  in_kind: amount({ description: 'Paid in kind' }),
  in_kind_withheld: amount({ description: 'Income tax withheld of what was paid in kind' }),
  contributions: amount({ description: 'Contributions of the recipient to social security' }),
};

/** Formats the total amounts of recipients. */
export function totalAmounts(recipients: readonly WithheldFrom[], money: (value: Decimal) => number) {
  const { amount: paid, withheld, in_kind, in_kind_withheld, contributions } = paidTo(recipients);
  return {
    amount: money(paid),
    withheld: money(withheld),
    in_kind: money(in_kind),
    in_kind_withheld: money(in_kind_withheld),
    contributions: money(contributions),
  };
}

/** Converts the amounts on the account of withheld income tax for clients, with the path of its ledger. */
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

/** Lists notes on amounts on the account that no box contains. */
export function withheldNotes({ data: { elsewhere, undeclared }, language, settings }: View): string[] {
  const { amount: shown, percent: shownPercent } = formatsFor(settings.format, null);
  const rates = elsewhere.map(
    ({ rate, amount: withheld }) => `${shownPercent(decimal(rate).toFixed())}: ${shown(decimal(withheld).toFixed())}`,
  );
  const others = rates.length === 0 ? [] : [`${ELSEWHERE[language]}: ${rates.join(' · ')}`];
  return undeclared === 0 ? others : [...others, `${UNDECLARED[language]}: ${shown(decimal(undeclared).toFixed())}`];
}
