/** The annual accounts of small companies in Spain (PGC PYMES, RD 1515/2007, part three). */
import { ASSETS, EARLIER_RESULTS, EQUITY_AND_LIABILITIES, RESULT } from './es-balance-sheet.ts';
import { BEFORE_TAX, FINANCIAL, INCOME_TAX, OPERATING, RESULT_OF_YEAR } from './es-profit-and-loss.ts';
import { form, unnamed } from './form.ts';

export const SPANISH_FORM = form({
  name: { es: 'PGC PYMES', en: 'PGC PYMES' },
  assets: ASSETS,
  intangible: 'A.I',
  equityAndLiabilities: EQUITY_AND_LIABILITIES,
  result: RESULT,
  earlierResults: EARLIER_RESULTS,
  equity: {
    heading: 'A',
    capital: ['A-1.I.1', 'A-1.I.2', 'A-1.II'],
    partners: ['A-1.IV', 'A-1.VI', 'A-1.VIII', 'A-1.IX'],
    recognised: ['A-2', 'A-3'],
    paidTo: ['1034', '1044', '4751', '525', '526', '551', '552', '553', '557', '57'],
  },
  sections: [
    OPERATING,
    FINANCIAL,
    { ...BEFORE_TAX, adds: ['A', 'B'] },
    INCOME_TAX,
    { ...RESULT_OF_YEAR, adds: ['C', '19'] },
  ],
  others: unnamed('Cuentas sin epígrafe', 'Accounts without heading'),
});
