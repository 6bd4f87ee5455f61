import assert from 'node:assert/strict';
import fc from 'fast-check';
import { daysAfter } from '../../../../../domain/days.ts';
import { readBalances, readTaxBalances, type Span } from '../../../../../services/ledger/accounting/balances/read.ts';
import { sumEntries } from '../../../../../services/ledger/accounting/balances/sum-entries.ts';
import { closeYear } from '../../../../../services/ledger/accounting/fiscal-years.ts';
import { numberEntries } from '../../../../../services/ledger/accounting/numbers.ts';
import { createDocument } from '../../../../../services/trade/lifecycle/create.ts';
import { postInvoice } from '../../../../../services/trade/lifecycle/post.ts';
import { use, useCompany, useOtherCompany } from '../../../../helpers/hooks.ts';
import { openLedger } from '../../../../helpers/ledger.ts';

describe('balances over spans of days', () => {
  const company = useCompany();
  const other = useOtherCompany(company);
  const ledger = use(() => openLedger(company));
  const reader = () => company.database.reader(company.ctx);
  const read = async (span: Span) => {
    const rows = await readBalances(reader(), { ...company.ctx, spans: { span } });
    return rows.map(({ code, sums }) => `${code} ${Number(sums.span.debit)}/${Number(sums.span.credit)}`);
  };

  /** Each day of three years whose number says so has an entry; a third of them is summed, a third only numbered. */
  before(async () => {
    const others = await openLedger(other);
    await others.enter('2026-03-03', { 430: '1000', 700: '-1000' });
    const [projectId, costCenterId] = [await ledger.project(), await ledger.costCenter()];
    const dims = [{}, { projectId }, { costCenterId }, { projectId, costCenterId }];
    for (let n = 0; n < 90; n++) {
      const date = daysAfter('2025-01-01', (n * 167) % 1095);
      const [amount, less] = [`${n + 1}`, `${-n - 1}`] as const;
      const line = dims[n % dims.length] ?? {};
      await ledger.enter(date, n % 3 === 0 ? { 629: amount, 410: less } : { 430: amount, 700: less }, {
        line,
      });
      if (n === 30 || n === 60) await ledger.number();
      if (n === 30) await sumEntries(company.database, company.ctx);
    }
  });

  it("equal the ledger's for any days, summed or not", async () => {
    const day = fc.integer({ min: -5, max: 1100 }).map((days) => daysAfter('2025-01-01', days));
    const maybe = fc.option(day, { nil: undefined });
    const span = fc.tuple(maybe, maybe);
    await fc.assert(
      fc.asyncProperty(fc.array(span, { minLength: 1, maxLength: 3 }), async (drawn) => {
        const spans = Object.fromEntries(
          drawn.map(([one, two], n) => {
            const [from, to] = one !== undefined && two !== undefined && one > two ? [two, one] : [one, two];
            return [`s${n}`, { ...(from && { from }), ...(to && { to }) }];
          }),
        );
        const by = ['projectId', 'costCenterId', 'month', 'kind', 'fiscalYear'] as const;
        const rows = await readBalances(reader(), { ...company.ctx, spans, by });
        for (const [name, { from = '0001-01-01', to = '9999-12-31' }] of Object.entries<Span>(spans)) {
          const found = rows
            .filter(({ sums }) => Number(sums[name]?.debit) !== 0 || Number(sums[name]?.credit) !== 0)
            .map(({ sums, name: _, type: __, accountId: ___, ...row }) => ({
              ...row,
              debit: Number(sums[name]?.debit),
              credit: Number(sums[name]?.credit),
              balance: Number(sums[name]?.balance),
            }));
          assert.deepEqual(new Set(found.map(fixed)), new Set((await ofLedger(from, to)).map(fixed)));
        }
      }),
      { numRuns: 15 },
    );
  });

  const fixed = (row: object) => JSON.stringify(Object.entries(row).sort());
  const ofLedger = (from: string, to: string) =>
    company.rows(
      `select a.code, l.project_id as "projectId", l.cost_center_id as "costCenterId", l.kind, e.fiscal_year as "fiscalYear",
         to_char(l.date, 'YYYY-MM-01') as month, sum(l.debit)::float8 as debit, sum(l.credit)::float8 as credit,
         sum(l.debit - l.credit)::float8 as balance
       from journal_lines l join accounts a on a.id = l.account_id join journal_entries e on e.id = l.entry_id
       where l.date between ?::date and ?::date group by 1, 2, 3, 4, 5, 6`,
      [from, to],
    );

  it('can be limited to accounts, projects and cost centers', async () => {
    const span = { from: '2025-01-01', to: '2027-12-31' };
    const all = await readBalances(reader(), { ...company.ctx, spans: { span } });
    assert.deepEqual(
      all.map(({ code, type }) => `${code} ${type}`),
      ['410 liability', '430 asset', '629 expense', '700 income'],
    );
    const ids = [ledger.account('430')];
    const one = await readBalances(reader(), { ...company.ctx, spans: { span }, accountIds: ids });
    assert.deepEqual(one, [all[1]]);
    const expense = await readBalances(reader(), { ...company.ctx, spans: { span }, types: ['expense'] });
    assert.deepEqual(expense, [all[2]]);
    const projects = await readBalances(reader(), {
      ...company.ctx,
      spans: { span },
      by: ['projectId'],
      types: ['income'],
    });
    const [first, second] = projects;
    const projectId = (first?.projectId ?? second?.projectId) as string;
    const ofProject = await readBalances(reader(), { ...company.ctx, spans: { span }, projectId, types: ['income'] });
    assert.deepEqual(
      ofProject.map(({ sums }) => sums),
      projects.filter((row) => row.projectId === projectId).map(({ sums }) => sums),
    );
  });

  it('are empty without entries', async () => {
    assert.deepEqual(await read({ from: '2031-01-01', to: '2031-12-31' }), []);
    assert.deepEqual(await read({ before: '0001-01-01' }), []);
    assert.deepEqual(await read({ from: '9999-12-31', to: '9999-12-31' }), []);
  });
});

describe('balances of a closed year', () => {
  const company = useCompany();
  const ledger = use(() => openLedger(company));

  it("exclude the year's closing entries, and include those of earlier years", async () => {
    await ledger.enter('2025-05-05', { 572: '100', 700: '-100' });
    await ledger.enter('2026-01-31', { 572: '7', 700: '-7' });
    await company.run((trx) => closeYear(trx, company.ctx, 2025, { ifMatch: null }));
    const spans = {
      closed: { to: '2025-12-31' },
      unclosed: { to: '2025-12-31', kinds: 'unclosed' },
      next: { to: '2026-06-30', kinds: 'unclosed' },
      result: { from: '2025-01-01', to: '2025-12-31', kinds: 'normal' },
      opening: { from: '2026-01-01', to: '2026-01-01', kinds: 'opening' },
    } as const;
    const rows = await readBalances(company.database.reader(company.ctx), { ...company.ctx, spans });
    const balances = rows.map(({ code, sums }) => [code, ...Object.values(sums).map(({ balance }) => Number(balance))]);
    // 129 takes the result of 2025, is closed and opened again; 572 goes on with 100 + 7; 700 has what is of the year.
    assert.deepEqual(balances, [
      ['129', 0, 0, -100, 0, -100],
      ['572', 0, 100, 107, 100, 100],
      ['700', 0, -100, -7, -100, 0],
    ]);
  });
});

describe('taxes over spans of days', () => {
  const company = useCompany();

  it("sum bases and amounts by the lines' taxes, summed or not", async () => {
    const { ctx, customerId: partnerId, taxId: taxGroupId } = company;
    await openLedger(company);
    const invoice = async (date: string, price: number) => {
      const lines = [{ description: 'Portes', quantity: 1, price, taxGroupId }];
      await company.run(async (trx) => {
        const { id } = await createDocument(trx, ctx, 'SINV', { partnerId, date, lines });
        await postInvoice(trx, ctx, String(id), { ifMatch: null });
      });
    };
    await invoice('2026-03-31', 100);
    await company.run((trx) => numberEntries(trx, ctx));
    await sumEntries(company.database, ctx);
    await invoice('2026-03-31', 50);
    await invoice('2026-04-01', 10);
    const spans = { first: { from: '2026-01-01', to: '2026-03-31' }, second: { from: '2026-04-01', to: '2026-06-30' } };
    const rows = await readTaxBalances(company.database.reader(ctx), { ...ctx, spans });
    const [{ taxKind, taxRate, taxRectifying, sums } = assert.fail('there is none')] = rows;
    assert.deepEqual([rows.length, taxKind, Number(taxRate), taxRectifying], [1, 'output', 21, false]);
    const [first, second] = [sums.first, sums.second].map(({ base, amount, credit }) =>
      [base, amount, credit].map(Number),
    );
    // 21 % of 150, and of 10.
    assert.deepEqual(
      [first, second],
      [
        [150, 31.5, 31.5],
        [10, 2.1, 2.1],
      ],
    );
  });
});
