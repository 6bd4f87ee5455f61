/**
 * The chart of accounts of new companies in countries without a chart here: generic accounts in English, with the codes of the
 * Spanish chart; the standard VAT of the country, where it is known, and none.
 */
import type { Decimal } from '../../../money.ts';
import { ACCOUNT_ROLES } from '../roles.ts';
import { type AccountChart, buildChart, type TaxSeed } from './chart.ts';
import { GROUPS } from './es-pgc-pymes.ts';

const HEADINGS = `
1 E Equity and long-term debt
10 E Capital
11 E Reserves
12 E Results carried forward
17 L Long-term debt
2 A Fixed assets
20 A Intangible assets
21 A Tangible assets
28 A Accumulated depreciation
29 A Impairment of fixed assets
3 A Stock
30 A Goods for resale
4 A Receivables and payables
40 L Suppliers
41 L Other creditors
43 A Customers
46 L Staff
47 L Taxes and social security
48 A Prepayments and deferred income
5 A Financial accounts
52 L Short-term debt
55 L Other accounts
57 A Cash and banks
6 X Expenses
60 X Purchases
61 X Changes in stock
62 X Services bought
63 X Taxes
64 X Staff costs
65 X Other operating costs
66 X Financial costs
67 X Exceptional costs
68 X Depreciation
69 X Impairment losses
7 I Income
70 I Sales
75 I Other operating income
76 I Financial income
77 I Exceptional income
79 I Reversal of impairment losses
`;

const ACCOUNTS = `
100 E Share capital
102 E Owner's capital
113 E Reserves
120 E Retained earnings
121 E Losses of earlier years
129 E Result of the year
170 L Bank loans, long term
173 L Suppliers of fixed assets, long term
206 A Software
213 A Machinery
216 A Furniture
217 A Computers
218 A Vehicles
280 A Accumulated amortisation
281 A Accumulated depreciation
290 A Impairment of intangible assets
291 A Impairment of tangible assets
300 A Goods for resale
400 L Suppliers
4009 L Goods received, not invoiced
401 L Bills payable
407 A Advances to suppliers
410 L Creditors for services
430 A Customers
4309 A Deliveries, not invoiced
431 A Bills receivable
436 A Doubtful customers
438 L Advances from customers
460 A Advances to staff
465 L Wages payable
4700 A VAT receivable
472 A VAT on purchases
4728 A VAT on purchases, pending until they are paid
473 A Tax withheld by customers
4750 L VAT payable
4751 L Tax withheld from others
4752 L Corporate tax payable
476 L Social security payable
477 L VAT on sales
4778 L VAT on sales, pending until they are paid
480 A Prepaid expenses
485 L Deferred income
490 A Impairment of receivables
520 L Bank loans, short term
523 L Suppliers of fixed assets
555 L Suspense account
570 A Cash
572 A Bank
600 X Purchases of goods
606 X Prompt payment discounts received
608 X Purchase returns
609 X Volume discounts received
610 X Change in stock
6109 X Variances from standard costs
621 X Rent
622 X Repairs
623 X Professional services
624 X Transport
625 X Insurance
626 X Bank charges
627 X Advertising
628 X Utilities
629 X Other services
630 X Corporate tax
631 X Other taxes
634 X VAT adjustments, losses
639 X VAT adjustments, gains
640 X Wages
641 X Severance pay
642 X Social security of the employer
649 X Other staff costs
650 X Bad debts
659 X Other operating losses
662 X Interest
668 X Exchange losses
669 X Other financial costs
670 X Losses from the disposal of intangible assets
671 X Losses from the disposal of tangible assets
678 X Exceptional costs
680 X Amortisation
681 X Depreciation
690 X Impairment losses on intangible assets
691 X Impairment losses on tangible assets
694 X Impairment losses on receivables
700 I Sales of goods
705 I Sales of services
706 I Prompt payment discounts given
708 I Sales returns
709 I Volume discounts given
759 I Other operating income
762 I Interest received
768 I Exchange gains
769 I Other financial income
770 I Gains from the disposal of intangible assets
771 I Gains from the disposal of tangible assets
778 I Exceptional income
790 I Reversal of impairment losses on intangible assets
791 I Reversal of impairment losses on tangible assets
794 I Reversal of impairment losses on receivables
`;

/** Standard VAT rates in 2026, in percent. */
const STANDARD_RATES: Readonly<Record<string, Decimal>> = {
  ...{ AT: '20', BE: '21', BG: '20', CY: '19', CZ: '21', DE: '19', DK: '25', EE: '24', FI: '25.5', FR: '20' },
  ...{ GB: '20', GR: '24', HR: '25', HU: '27', IE: '23', IT: '22', LT: '21', LU: '17', LV: '21', MT: '18' },
  ...{ NL: '21', PL: '23', PT: '23', RO: '21', SE: '25', SI: '22', SK: '23' },
};

/** The taxes of a country: its standard VAT, if known, and none. */
function neutralTaxes(country: string): TaxSeed[] {
  const rate = STANDARD_RATES[country];
  const none: TaxSeed = {
    code: 'VAT0',
    name: 'No VAT',
    rate: '0',
    surchargeRate: '0',
    kind: 'exempt',
    accounts: {},
  };
  if (rate === undefined) return [none];
  const accounts = { output: '477', input: '472' };
  return [none, { code: 'VAT', name: `VAT ${rate} %`, rate, surchargeRate: '0', kind: 'vat', accounts }];
}

export const NEUTRAL: AccountChart = {
  code: 'neutral',
  name: 'Neutral chart',
  country: null,
  language: 'en',
  accounts: buildChart(HEADINGS, ACCOUNTS),
  roles: ACCOUNT_ROLES,
  groups: GROUPS,
  taxes: neutralTaxes,
};
