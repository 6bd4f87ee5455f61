import assert from 'node:assert/strict';
import fc from 'fast-check';
import { slugify } from '../../../../domain/access/companies/slug.ts';
import { fiscalYear, isFiscalYearStart, yearStart } from '../../../../domain/ledger/periods/fiscal-year.ts';

const DAY_MS = 86_400_000;
const toDay = (time: number) => new Date(time).toISOString().slice(0, 10);
const anyDay = fc
  .integer({ min: Date.UTC(1990, 0, 1) / DAY_MS, max: Date.UTC(2100, 0, 1) / DAY_MS })
  .map((days) => toDay(days * DAY_MS));
const anyStart = anyDay.map((day) => day.slice(5)).filter((start) => start !== '02-29');

describe('fiscal year', () => {
  it('has twelve months without gaps that include today', () => {
    fc.assert(
      fc.property(anyStart, anyDay, (start, today) => {
        const { year, months } = fiscalYear(start, today);
        assert.equal(months.length, 12);
        assert.equal(months[0]?.from, `${year}-${start}`);
        assert.ok((months[0]?.from ?? '') <= today && today <= (months[11]?.to ?? ''));
        assert.equal(new Set(months.map(({ code }) => code)).size, 12);
        months.forEach(({ from, to }, index) => {
          assert.ok(from <= to);
          const next = months[index + 1]?.from ?? `${year + 1}-${start}`;
          assert.equal(toDay(Date.parse(to) + DAY_MS), next);
        });
      }),
    );
  });

  it('begins with its first month, also in the first and last possible year', () => {
    fc.assert(
      fc.property(anyStart, anyDay, (start, day) => {
        assert.equal(yearStart(start, day), fiscalYear(start, day).months[0]?.from);
      }),
    );
    assert.equal(yearStart('07-01', '0001-01-03'), '0001-01-01');
    assert.equal(yearStart('01-01', '9999-12-31'), '9999-01-01');
  });

  it('starts on a day that exists in every year', () => {
    for (const start of ['01-01', '02-28', '12-31', '04-30']) assert.ok(isFiscalYearStart(start), start);
    for (const start of ['02-29', '02-30', '04-31', '13-01', '00-10', '01-00', '1-1', '01-01 ']) {
      assert.ok(!isFiscalYearStart(start), start);
    }
  });
});

describe('slug', () => {
  it('keeps the letters and digits of a name', () => {
    assert.equal(slugify('Año Nuevo, S.L.'), 'ano-nuevo-s-l');
    assert.equal(slugify('  --  '), 'company');
    assert.equal(slugify('東京'), 'company');
    fc.assert(fc.property(fc.string(), (name) => assert.match(slugify(name), /^[a-z0-9]+(-[a-z0-9]+)*$/)));
  });
});
