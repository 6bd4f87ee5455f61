/** The annual accounts of small companies in Spain (PGC PYMES, RD 1515/2007, part three). */
import { heading } from '../headings.ts';
import { ASSETS, EARLIER_RESULTS, EQUITY_AND_LIABILITIES, RESULT } from './es-balance-sheet.ts';
import { BEFORE_TAX, FINANCIAL, INCOME_TAX, OPERATING, RESULT_OF_YEAR } from './es-profit-and-loss.ts';
import { form } from './form.ts';

/** Accounts without a heading, such as those outside the PGC: shown because the sheet must balance. */
const other = () => heading('0', 'Cuentas sin epígrafe', 'Accounts without heading');
const [OTHER_ASSETS, OTHER_LIABILITIES, OTHER_RESULTS] = [other(), other(), other()];

export const SPANISH_FORM = form({
  name: { es: 'PGC PYMES', en: 'PGC PYMES' },
  assets: ASSETS,
  equityAndLiabilities: EQUITY_AND_LIABILITIES,
  result: RESULT,
  earlierResults: EARLIER_RESULTS,
  sections: [
    OPERATING,
    FINANCIAL,
    { ...BEFORE_TAX, adds: ['A', 'B'] },
    INCOME_TAX,
    { ...RESULT_OF_YEAR, adds: ['C', '19'] },
  ],
  others: {
    asset: OTHER_ASSETS,
    liability: OTHER_LIABILITIES,
    equity: OTHER_LIABILITIES,
    income: OTHER_RESULTS,
    expense: OTHER_RESULTS,
  },
});
