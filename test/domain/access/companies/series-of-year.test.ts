import assert from 'node:assert/strict';
import { defaultSeries } from '../../../../domain/access/companies/defaults.ts';
import { type ExistingSeries, missingSeries } from '../../../../domain/access/companies/series-of-year.ts';

const seeded: ExistingSeries[] = defaultSeries(2026).map((series) => ({ ...series, suffix: '', isDefault: true }));

/** The default series of 2026, with other sales invoices. */
const withInvoices = (...own: Partial<ExistingSeries>[]): ExistingSeries[] => [
  ...seeded.filter(({ docType, rectifying }) => docType !== 'SINV' || rectifying),
  ...own.map((values) => ({
    docType: 'SINV',
    rectifying: false,
    isDefault: true,
    name: null,
    prefix: '',
    suffix: '',
    padding: 0,
    year: 2026,
    ...values,
  })),
];
const yearInvoices = (year: number, known: readonly ExistingSeries[]) =>
  missingSeries(year, known)
    .find(([first]) => first?.docType === 'SINV' && !first.rectifying)
    ?.map(({ prefix, suffix, padding, name }) => `${prefix}|${suffix}|${padding}|${name}`);

describe('missingSeries', () => {
  const seed = (year: number) => `SINV${year}-||5|Facturas de venta ${year}`;

  it('proposes the series of a new company if the previous ones are the defaults', () => {
    assert.deepEqual(missingSeries(2026, seeded), []);
    const next = missingSeries(2027, seeded).map(([first]) => first);
    assert.deepEqual(
      next.map((series) => series?.prefix),
      defaultSeries(2027).map(({ prefix }) => prefix),
    );
    assert.deepEqual(new Set(next.map((series) => series?.year)), new Set([2027]));
    assert.deepEqual(yearInvoices(2025, seeded)?.[0], seed(2025), 'also of a year before');
  });

  it("keeps the company's own form, with the year replaced where it stands alone", () => {
    for (const [own, expected] of [
      [{ prefix: 'FV-2026/', padding: 4, name: 'Facturas 2026' }, 'FV-2027/||4|Facturas 2027'],
      [{ prefix: 'F', suffix: '/26', name: 'Tienda' }, 'F|/27|0|Tienda'],
      [{ prefix: '26F2026-' }, '26F2027-||0|null'],
      [{ prefix: 'F26-' }, 'F27-||0|null'],
    ] as const) {
      assert.deepEqual(yearInvoices(2027, withInvoices(own)), [expected, seed(2027)]);
    }
    for (const prefix of ['F-', 'F126-', 'F20261']) {
      assert.deepEqual(yearInvoices(2027, withInvoices({ prefix })), [seed(2027)], `${prefix} holds no year`);
    }
  });

  it('follows the nearest year, an earlier one before a later one', () => {
    const years = [2024, 2026].map((year) => ({ prefix: `Y${year}-`, year }));
    assert.deepEqual(yearInvoices(2027, withInvoices(...years))?.[0], 'Y2027-||0|null');
    const around = [
      { prefix: 'A2024-', year: 2024 },
      { prefix: 'B2026-', year: 2026 },
    ];
    assert.deepEqual(yearInvoices(2025, withInvoices(...around))?.[0], 'A2025-||0|null');
    assert.deepEqual(yearInvoices(2023, withInvoices(...around))?.[0], 'A2023-||0|null');
    const further = [{ prefix: 'C2028-', year: 2028 }, ...around];
    assert.deepEqual(yearInvoices(2027, withInvoices(...further))?.[0], 'B2027-||0|null');
    assert.deepEqual(
      yearInvoices(2025, withInvoices({ prefix: 'A2020-', year: 2020 }, ...around.slice(1)))?.[0],
      'A2025-||0|null',
    );
  });

  it('proposes nothing for a kind whose default applies to all years, and ignores other series', () => {
    assert.equal(yearInvoices(2027, withInvoices({ prefix: 'F', year: null })), undefined);
    assert.deepEqual(yearInvoices(2027, withInvoices({ prefix: 'F2026', isDefault: false })), [seed(2027)]);
    assert.deepEqual(yearInvoices(2027, withInvoices({ prefix: 'F27', year: 2027, isDefault: false })), [seed(2027)]);
  });
});
