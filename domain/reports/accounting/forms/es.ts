/** The annual accounts of small companies in Spain (PGC PYMES, RD 1515/2007, part three). */
import { ASSETS, EARLIER_RESULTS, EQUITY_AND_LIABILITIES, RESULT } from './es-balance-sheet.ts';
import { BEFORE_TAX, FINANCIAL, INCOME_TAX, OPERATING, RESULT_OF_YEAR } from './es-profit-and-loss.ts';
import { form, unnamed } from './form.ts';

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
  others: unnamed('Cuentas sin epígrafe', 'Accounts without heading'),
});
