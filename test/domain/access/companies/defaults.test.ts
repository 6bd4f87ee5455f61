import assert from 'node:assert/strict';
import { DEFAULT_PARTNER_GROUPS, DEFAULT_UNITS, defaultSeries } from '../../../../domain/access/companies/defaults.ts';
import { ES_PGC_PYMES, SPANISH_TAXES } from '../../../../domain/ledger/accounting/charts/es-pgc-pymes.ts';
import { DOC_TYPES } from '../../../../domain/trade/documents/types.ts';

const byCode = new Map(ES_PGC_PYMES.accounts.map((account) => [account.code, account]));

describe('initial data of a company', () => {
  it('has the Spanish rates, each with its equivalence surcharge', () => {
    assert.deepEqual(
      SPANISH_TAXES.map(({ code, rate, surchargeRate, kind }) => ({ code, rate, surchargeRate, kind })),
      [
        { code: 'IVA0', rate: '0', surchargeRate: '0', kind: 'exempt' },
        { code: 'IVA4', rate: '4', surchargeRate: '0.5', kind: 'vat' },
        { code: 'IVA10', rate: '10', surchargeRate: '1.4', kind: 'vat' },
        { code: 'IVA21', rate: '21', surchargeRate: '5.2', kind: 'vat' },
      ],
    );
  });

  it('has the accounts for postings of sales, purchases, payments, stock and payroll, none of them a heading', () => {
    const posted: Readonly<Record<string, string>> = {
      asset: '300 407 430 4309 431 440 460 4700 472 47200004 47200010 47200021 47220021 47230021 473 570 572',
      liability:
        '400 4009 401 410 438 465 4750 4751 476 477 47700004 47700010 47700021 47710050 47710140 47710520 47720021 523',
      expense: '600 606 607 608 609 610 621 623 628 629 640 641 642 650 694',
      income: '700 701 705 706 708 709 752 794',
      equity: '100 112 129',
    };
    for (const [type, codes] of Object.entries(posted)) {
      for (const code of codes.split(' ')) {
        const account = byCode.get(code);
        assert.deepEqual(
          { code, type: account?.type, isHeading: account?.isHeading },
          { code, type, isHeading: false },
        );
      }
    }
  });

  it('has units, groups with posting accounts, and one default series of each kind', () => {
    assert.deepEqual(
      DEFAULT_UNITS.map(({ code }) => code),
      ['UD', 'KG', 'L', 'M', 'CJ', 'BL', 'H'],
    );
    for (const { receivable, payable, isCustomer, isVendor } of DEFAULT_PARTNER_GROUPS) {
      assert.deepEqual([receivable !== null, payable !== null], [isCustomer, isVendor]);
      for (const role of [receivable, payable]) {
        assert.ok(role === null || byCode.has(ES_PGC_PYMES.roles[role]), String(role));
      }
    }
    const series = defaultSeries(2026);
    const kinds = series.map(({ docType, rectifying }) => `${docType}${rectifying ? ' rectifying' : ''}`);
    assert.deepEqual(new Set(kinds), new Set([...DOC_TYPES, 'SINV rectifying', 'PINV rectifying']));
    assert.equal(new Set(series.map(({ prefix }) => prefix)).size, series.length);
    for (const { prefix, rectifying } of series) assert.equal(prefix.startsWith('R'), rectifying);
  });
});
