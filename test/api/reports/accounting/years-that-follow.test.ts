import assert from 'node:assert/strict';
import { dayBefore } from '../../../../domain/days.ts';
import { yearStart } from '../../../../domain/ledger/periods/fiscal-year.ts';
import { decimal, toNumber } from '../../../../domain/money.ts';
import { COMPANY } from '../../../helpers/app.ts';
import { download, readCsv, readWorkbook, rowCells } from '../../../helpers/download.ts';
import { Random } from '../../../helpers/fuzz/random.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openBooks } from '../../ledger/accounting/books.ts';

const NOW = new Date('2026-06-30T10:00:00Z');
const ACCOUNTS = ['100', '430', '572', '600', '629', '705', '769'];
/** Accounts that begin each fiscal year at zero. */
const OF_RESULT = /^[67]/;
const PAIRS = ['opening', 'period', 'total', 'balance'] as const;

interface Entry {
  readonly date: string;
  readonly debit: string;
  readonly credit: string;
  readonly amount: number;
}

type Figures = Record<string, number>;
type Row = Figures & { readonly code: never; readonly open_years: never; readonly drilldown: never };

const lineBalance = ({ balance }: Figures) => balance;

/** The figures that reports must have, added up entry by entry. */
class Model {
  readonly entries: Entry[] = [];
  /** Last days of closed years. */
  closed: readonly string[] = [];
  readonly #start: string;

  constructor(start: string) {
    this.#start = start;
  }

  first(day: string): string {
    return yearStart(this.#start, day);
  }

  /** Debit less credit of an account at the end of a day, without the closing of the day's own year. */
  balance(code: string, day: string): number {
    if (OF_RESULT.test(code)) return this.#sum(code, this.first(day), day);
    const closed = code === '129' ? this.results(day, true) : 0;
    return toNumber(decimal(this.#sum(code, '', day)).plus(closed));
  }

  /** Results of the years before a day's, of those that are closed or of those that are not; as a credit, below zero. */
  results(day: string, closed: boolean): number {
    const before = this.entries.filter(({ date }) => date < this.first(day));
    const ofYears = before.filter(({ date }) => this.closed.some((last) => date <= last) === closed);
    const parts = ofYears.flatMap(({ debit, credit, amount }) => [
      ...(OF_RESULT.test(debit) ? [amount] : []),
      ...(OF_RESULT.test(credit) ? [-amount] : []),
    ]);
    return toNumber(parts.reduce((total, part) => total.plus(part), decimal(0)));
  }

  /** Sums a side of an account. */
  side(side: 'debit' | 'credit', code: string, from: string, to: string): number {
    const found = this.entries.filter((entry) => entry[side] === code && entry.date >= from && entry.date <= to);
    return toNumber(found.reduce((total, { amount }) => total.plus(amount), decimal(0)));
  }

  #sum(code: string, from: string, to: string): number {
    return toNumber(decimal(this.side('debit', code, from, to)).minus(this.side('credit', code, from, to)));
  }
}

for (const start of ['01-01', '06-15']) {
  describe(`the books of fiscal years that begin on ${start}, whichever of them are closed`, () => {
    const app = useApp({ clock: { now: NOW } });
    const books = use(() => openBooks(app));
    const model = new Model(start);
    const random = new Random(20_240_615);
    const day = () =>
      `202${3 + random.below(3)}-${`${1 + random.below(12)}`.padStart(2, '0')}-${`${1 + random.below(28)}`.padStart(2, '0')}`;
    const read = async (path: string) => {
      const { status, body } = await app.client.get(path);
      assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
      return body;
    };

    let partnerId: string;
    before(async () => {
      const [group] = (await app.client.get('/api/partnerGroups?isCustomer=true')).body.data;
      partnerId = (await books.make('/api/partners', { name: 'Café Central', groupId: group.id })).id;
      assert.equal((await app.client.put('/api/company', { ...COMPANY, fiscalYearStart: start })).status, 200);
      for (const year of [2022, 2023, 2024, 2025, 2026]) await app.client.post('/api/periods/generate', { year });
      const edges = [2023, 2024, 2025].flatMap((year) => [dayBefore(`${year + 1}-${start}`), `${year}-${start}`]);
      for (const date of [...edges, ...Array.from({ length: 24 }, day)]) {
        const [debit, credit] = [random.pick(ACCOUNTS), random.pick(ACCOUNTS)];
        const amount = (1 + random.below(99_999)) / 100;
        if (debit === credit) continue;
        model.entries.push({ date, debit, credit, amount });
        const lines = [
          { accountId: books.account(debit), debit: amount, ...(OF_RESULT.test(debit) ? { partnerId } : {}) },
          { accountId: books.account(credit), credit: amount, ...(OF_RESULT.test(credit) ? { partnerId } : {}) },
        ];
        await books.make('/api/journal-entries', { date, post: true, lines });
      }
    });

    /** Ranges within a fiscal year, and across years. */
    const ranges = () =>
      Array.from({ length: 8 }, () => {
        const [from = '', to = ''] = [day(), day()].sort();
        const [, latest = from] = [from, model.first(to)].sort();
        return { from: random.below(2) === 0 ? from : latest, to };
      });

    async function checkTrialBalance({ from, to }: { from: string; to: string }) {
      const query = `from=${from}&to=${to}`;
      const { data, summary } = await read(`/api/reports/trial-balance?${query}&type=8col`);
      const rows = data.rows as Row[];
      for (const pair of PAIRS) assert.equal(summary[`${pair}_debit`], summary[`${pair}_credit`], `${pair} ${query}`);
      const within = from >= model.first(to);
      for (const code of [...ACCOUNTS, '129']) {
        const row = rows.find((each) => each.code === code && !each.open_years);
        const net = (pair: string) =>
          toNumber(decimal(row?.[`${pair}_debit`] ?? 0).minus(row?.[`${pair}_credit`] ?? 0));
        const opening = from === model.first(from) ? carried(code, from) : model.balance(code, dayBefore(from));
        assert.equal(net('opening'), opening, `the opening of ${code}, ${query}`);
        assert.equal(net('balance'), model.balance(code, to), `the balance of ${code}, ${query}`);
        if (!within) continue;
        for (const side of ['debit', 'credit'] as const) {
          const start = carried(code, model.first(to)) * (side === 'debit' ? 1 : -1);
          const total = decimal(model.side(side, code, model.first(to), to)).plus(Math.max(0, start));
          assert.equal(row?.[`period_${side}`] ?? 0, model.side(side, code, from, to), `${side} of ${code}, ${query}`);
          assert.equal(row?.[`total_${side}`] ?? 0, toNumber(total), `the year's ${side} of ${code}, ${query}`);
        }
      }
      const open = rows.find((each) => each.open_years);
      const left = toNumber(decimal(open?.balance_debit ?? 0).minus(open?.balance_credit ?? 0));
      assert.equal(left, model.results(to, false), `the results of years not closed, ${query}`);
      if (open !== undefined) assert.equal((await read(open.drilldown)).summary.result, -left, open.drilldown);
    }

    /** The balance of an account on the first day of a fiscal year. */
    const carried = (code: string, first: string): number => {
      if (OF_RESULT.test(code)) return 0;
      const before = model.balance(code, dayBefore(first));
      return code === '129' ? model.results(first, true) : before;
    };

    /** The ledger has the same sums as the trial balance, and the balance after each line follows from the one before. */
    async function checkLedgers({ from, to }: { from: string; to: string }) {
      const { data } = await read(`/api/reports/trial-balance?from=${from}&to=${to}`);
      for (const { drilldown, open_years, debit, credit, balance, code } of data.rows as Row[]) {
        if (open_years) continue;
        const { data, summary } = await read(`${drilldown}&limit=500`);
        assert.deepEqual(summary, { debit, credit, balance }, drilldown);
        const pages = [];
        for (let page = 1; page <= Math.ceil(data.rows.length / 2); page++) {
          pages.push(...(await read(`${drilldown}&limit=2&page=${page}`)).data.rows);
        }
        assert.deepEqual(pages, data.rows, `the pages of ${drilldown}`);
        if (OF_RESULT.test(code)) {
          // The closing of a year names no partner.
          const ofPartner = await read(`${drilldown}&limit=500&partner_id=${partnerId}`);
          const own = data.rows.filter(({ description }: { description: string | null }) => description === null);
          assert.deepEqual(ofPartner.data.rows.map(lineBalance), own.map(lineBalance), `the partner's ${drilldown}`);
          assert.deepEqual(
            [ofPartner.data.opening_balance, ofPartner.summary.balance],
            [data.opening_balance, balance],
          );
          const second = await read(`${drilldown}&limit=2&page=2&partner_id=${partnerId}`);
          assert.deepEqual(second.data.rows, ofPartner.data.rows.slice(2, 4));
        }
        let [after, year] = [decimal(data.opening_balance), model.first(from)];
        for (const line of data.rows) {
          if (OF_RESULT.test(code) && model.first(line.date) > year) after = decimal(0);
          year = model.first(line.date);
          after = after.plus(line.debit).minus(line.credit);
          assert.equal(line.balance, toNumber(after), `${code} after ${line.date}, ${drilldown}`);
        }
        const response = await download(app, `${drilldown}&format=csv&header=names`);
        const file = (await readCsv(response, ';')).slice(1).map((line) => line.balance?.replace(',', '.'));
        assert.deepEqual(
          file.map(Number),
          data.rows.map((line: Row) => line.balance),
          `the file of ${drilldown}`,
        );
      }
    }

    async function checkBalanceSheet({ from, to }: { from: string; to: string }) {
      const { data, summary } = await read(`/api/reports/balance-sheet?from=${from}&to=${to}`);
      assert.equal(summary.assets, summary.equity_and_liabilities);
      assert.equal(data.open_years.amount, 0 - model.results(to, false));
      const { summary: year } = await read(`/api/reports/pl?from=${model.first(to)}&to=${to}`);
      assert.equal(data.result.amount, year.result);
    }

    const check = async () => {
      for (const range of ranges()) {
        await checkTrialBalance(range);
        await checkBalanceSheet(range);
      }
      for (const range of ranges().slice(0, 2)) await checkLedgers(range);
      const first = model.first(NOW.toISOString().slice(0, 10));
      for (const from of [first, model.first(dayBefore(first))]) await checkTrialBalance({ from, to: '2026-06-30' });
    };
    const act = async (path: string) => {
      const { status, body } = await app.client.post(path, {});
      assert.equal(status, 200, JSON.stringify(body));
    };
    const firstYear = start === '01-01' ? 2023 : 2022;

    it('begin income and expense at zero while several years are open', check);

    it('say the same once the first years are closed', async () => {
      for (const year of [firstYear, firstYear + 1]) {
        await act(`/api/fiscal-years/${year}/close`);
        model.closed = [...model.closed, dayBefore(`${year + 1}-${start}`)];
      }
      await check();
    });

    it('and once one of them is open again', async () => {
      await act(`/api/fiscal-years/${firstYear + 1}/reopen`);
      model.closed = model.closed.slice(0, 1);
      await check();
    });

    it('print the line of years not closed in files', async () => {
      const path = '/api/reports/trial-balance?from=2026-06-20&to=2026-06-30';
      const { data } = await read(path);
      const { name, balance } = data.rows.find((row: Row) => row.open_years);
      const lines = await readCsv(await download(app, `${path}&format=csv&header=names`), ';');
      const line = lines.find((each) => each.name === name);
      assert.deepEqual([line?.code, Number(line?.balance?.replace(',', '.'))], ['129', balance]);
      const [sheet] = (await readWorkbook(await download(app, `${path}&format=excel`))).worksheets;
      const texts = Array.from({ length: sheet?.rowCount ?? 0 }, (_, index) => rowCells(sheet, index + 1)[1]);
      assert.ok(texts.includes(name), texts.join());
    });
  });
}
