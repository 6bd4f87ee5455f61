/** How bringing a chart into a company changes its accounts. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ServiceError } from '../../../../../domain/errors.ts';
import { CHARTS } from '../../../../../domain/ledger/accounting/charts/index.ts';
import { type ChartRow, type KnownAccount, planChart } from '../../../../../domain/ledger/accounting/charts/plan.ts';

const row = (code: string, more: Partial<ChartRow> = {}): ChartRow => ({ code, name: code, type: 'asset', ...more });
const known = (code: string, more: Partial<KnownAccount> = {}): KnownAccount => ({
  ...{ code, name: code, type: 'asset', isHeading: false, parent: null, used: false },
  ...more,
});
const outcomes = (rows: readonly ChartRow[], accounts: readonly KnownAccount[]) =>
  planChart(rows, accounts).map(({ code, parent, outcome }) => `${code} ${outcome} ${parent}`);

function pointers(rows: readonly ChartRow[], accounts: readonly KnownAccount[] = []) {
  try {
    planChart(rows, accounts);
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    return error.errors.map(({ pointer, code }) => `${pointer} ${code}`);
  }
  return [];
}

describe('a chart planned for a company', () => {
  it('adds what is missing below the nearest heading, whatever the order', () => {
    const rows = [
      row('5720'),
      row('57', { isHeading: true }),
      row('5', { isHeading: true }),
      row('572', { parent: '5' }),
    ];
    assert.deepEqual(outcomes(rows, []), ['5 created null', '57 created 5', '572 created 5', '5720 created 57']);
  });

  it('finds parents with longer codes, and headings that the company has', () => {
    const rows = [row('1', { parent: 'GROUP' }), row('2', { parent: 'OWN' }), row('GROUP', { isHeading: true })];
    const own = known('OWN', { isHeading: true });
    assert.deepEqual(outcomes(rows, [own]), ['1 created GROUP', '2 created OWN', 'GROUP created null']);
  });

  it('changes accounts without entries, and keeps the others', () => {
    const accounts = [known('1', { name: 'Old' }), known('2', { name: 'Old', used: true }), known('3')];
    assert.deepEqual(outcomes([row('1'), row('2'), row('3')], accounts), [
      '1 changed null',
      '2 kept null',
      '3 unchanged null',
    ]);
  });

  it('keeps headings that others need, and puts nothing below an account that stays one', () => {
    const accounts = [known('4', { isHeading: true }), known('43', { parent: '4' }), known('6', { used: true })];
    assert.deepEqual(outcomes([row('4')], accounts), ['4 kept null']);
    assert.deepEqual(pointers([row('6', { isHeading: true }), row('60', { parent: '6' })], accounts), [
      '/accounts/1/parent invalid_reference',
    ]);
  });

  it('refuses codes twice, parents that are no headings, and cycles', () => {
    assert.deepEqual(pointers([row('1'), row('1')]), ['/accounts/1/code duplicate']);
    assert.deepEqual(pointers([row('1', { parent: '9' })]), ['/accounts/0/parent invalid_reference']);
    const heading = { isHeading: true };
    const rows = [row('1', { ...heading, parent: '2' }), row('2', { ...heading, parent: '1' }), row('3')];
    assert.deepEqual(pointers(rows), ['/accounts/0/parent cycle', '/accounts/1/parent cycle']);
  });

  it('brings any chart into a company with any other, and then changes nothing more', () => {
    fc.assert(
      fc.property(fc.constantFrom(...CHARTS), fc.constantFrom(...CHARTS), (first, second) => {
        const rows = second.accounts.map(({ parent: _, ...account }) => account);
        const planned = planChart(
          rows,
          first.accounts.map((account) => ({ ...account, used: false })),
        );
        const codes = new Set(planned.map(({ code }) => code));
        const others = first.accounts.filter(({ code }) => !codes.has(code));
        const after = [...planned, ...others].map((account) => ({ ...account, used: false }));
        const again = planChart(rows, after);
        assert.ok(again.every(({ outcome }) => outcome === 'unchanged' || outcome === 'kept'));
      }),
      { numRuns: 36 },
    );
  });
});
