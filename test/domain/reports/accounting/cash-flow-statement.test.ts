/** The cash flow statement: where flows are, and that it comes to the change of cash whatever is entered. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ES_PGC } from '../../../../domain/ledger/accounting/charts/es-pgc.ts';
import { type Decimal, decimal, sum } from '../../../../domain/money.ts';
import { type AccountMoves, cashFlowStatement } from '../../../../domain/reports/accounting/cash-flow-statement.ts';
import { byCode } from '../../../../domain/reports/accounting/forms/cash-flow-form.ts';
import { SPANISH_CASH_FLOW } from '../../../../domain/reports/accounting/forms/es-cash-flow.ts';
import { descendants } from '../../../../domain/reports/accounting/headings.ts';
import { amounts } from '../../../helpers/headings.ts';

const CODES = ES_PGC.accounts.filter(({ isHeading }) => !isHeading);
const TYPES = new Map(CODES.map(({ code, type }) => [code, type]));

/** The moves of entries, each by amounts of codes, debit − credit. */
function moves(entries: readonly Readonly<Record<string, number>>[]): AccountMoves[] {
  const sums = new Map<string, { debit: Decimal; credit: Decimal }>();
  for (const entry of entries)
    for (const [code, amount] of Object.entries(entry)) {
      const { debit, credit } = sums.get(code) ?? { debit: '0', credit: '0' };
      const [more, less] = amount > 0 ? [amount, 0] : [0, -amount];
      sums.set(code, { debit: sum([debit, more]).toFixed(), credit: sum([credit, less]).toFixed() });
    }
  return [...sums].map(([code, moved]) => {
    return { id: code, code, name: code, type: TYPES.get(code) ?? 'asset', moves: [moved] };
  });
}

const statement = (entries: readonly Readonly<Record<string, number>>[]) =>
  cashFlowStatement(moves(entries), 1, SPANISH_CASH_FLOW, 'es');
const shown = (...entries: readonly Readonly<Record<string, number>>[]) => amounts(statement(entries));

describe('the cash flow statement', () => {
  it('goes from the result before tax to what customers and suppliers have paid', () => {
    assert.deepEqual(
      shown(
        { '430': 1210, '700': -1000, '477': -210 },
        { '572': 800, '430': -800 },
        { '600': 300, '400': -300 },
        { '300': 100, '610': -100 },
      ),
      { A: 800, '1': 800, '3.a': -100, '3.b': -410, '3.d': 510, E: 800 },
    );
  });

  it('takes depreciation out of the result, and shows investments and disposals apart', () => {
    const bought = { '213': 1000, '523': -1000 };
    const paid = { '523': 600, '572': -600 };
    const depreciated = { '681': 100, '281': -100 };
    const sold = { '572': 350, '281': 100, '213': -400, '771': -50 };
    assert.deepEqual(shown(bought, paid, depreciated, sold), {
      ...{ '1': -50, '2': 50, '2.a': 100, '2.e': -50 },
      ...{ B: -250, '6': -600, '6.c': -600, '7': 350, '7.c': 350, E: -250 },
    });
  });

  it('nets loans that become short-term, and shows interest, tax and dividends as paid', () => {
    const lent = { '572': 5000, '170': -5000 };
    const current = { '170': 1000, '520': -1000 };
    const repaid = { '520': 200, '662': 30, '572': -230 };
    assert.deepEqual(shown(lent, current, repaid), {
      ...{ A: -30, '1': -30, '2': 30, '2.h': 30, '4': -30, '4.a': -30 },
      ...{ C: 4800, '10': 4800, '10.a': 4800, '10.a.2': 4800, E: 4770 },
    });
    const taxed = { '6300': 25, '473': -5, '4752': -20 };
    const distributed = { '129': 100, '112': -10, '526': -90 };
    assert.deepEqual(
      shown({ '473': 5, '572': -5 }, taxed, { '4752': 20, '572': -20 }, distributed, { '526': 90, '572': -90 }),
      {
        ...{ A: -25, '4': -25, '4.d': -25, C: -90, '11': -90, E: -115 },
      },
    );
  });

  it('comes to the change of cash, with each account of the chart', () => {
    const code = fc.constantFrom(...CODES.map((account) => account.code), '999');
    const line = fc.tuple(code, fc.integer({ min: -9999, max: 9999 }));
    const entries = fc.array(fc.array(line, { minLength: 1, maxLength: 4 }), { maxLength: 20 });
    fc.assert(
      fc.property(entries, (made) => {
        const balanced = made.flatMap((lines) =>
          lines.map(([one, amount]) => ({ [one]: amount, '572': one === '572' ? 0 : -amount })),
        );
        const cash = moves(balanced).filter((account) => account.code.startsWith('57'));
        const change = sum(
          cash.flatMap(({ moves: [moved] }) => [decimal(moved?.debit ?? '0').minus(moved?.credit ?? '0')]),
        );
        const unbalanced = sum(balanced.flatMap((entry) => Object.values(entry)));
        const sections = statement(balanced);
        assert.equal(sections.at(-1)?.amounts[0], change.minus(unbalanced).toFixed());
        for (const section of sections.flatMap(descendants)) {
          if (section.children.length === 0) continue;
          assert.equal(section.amounts[0], sum(section.children.map((child) => child.amounts[0] ?? '0')).toFixed());
        }
      }),
    );
  });

  it('names headings that there are', () => {
    const known = byCode(SPANISH_CASH_FLOW.sections);
    for (const flow of SPANISH_CASH_FLOW.flows) {
      const { kind, accounts, ...codes } = flow;
      for (const code of Object.values(codes)) assert.ok(known.has(code), `${kind} ${accounts}: ${code}`);
    }
  });
});
