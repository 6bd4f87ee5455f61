/** Entries that are due, with a clock of the test's own; the workflow has a test of its own. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Context } from '../../../../db/context.ts';
import { companiesWithDueEntries, enterDue } from '../../../../services/contracts/due-entries/due.ts';
import { openBooks } from '../../../api/ledger/accounting/books.ts';
import { openRegister } from '../../../helpers/assets.ts';
import { YEAR } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem, assertRefused } from '../../../helpers/problem.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Data = any;

describe('entries that are due', () => {
  const app = useApp({}, { each: true });
  const books = use(() => openBooks(app), { each: true });
  const run = async (time = app.clock.now.toISOString()) => {
    const now = new Date(time);
    const ctx: Context = { tenantId: app.tenantId, userId: null, actor: 'temporal', requestId: app.tenantId, now };
    const refused: string[] = [];
    const { companies } = await companiesWithDueEntries(app.database, now, null);
    const watch = { progress: () => {}, refused: (kind: string) => refused.push(kind) };
    const { entered } = companies.length === 0 ? { entered: 0 } : await enterDue(app.database, ctx, watch);
    return { companies: companies.length, entered, refused };
  };
  const read = async (path: string): Promise<Data> => (await app.client.get(path)).body.data;
  const toDos = async () =>
    ((await read('/api/to-dos?sort=created_at')) as Data[]).map(({ title, status }) => `${status}: ${title}`);
  const setPeriod = async (month: string, status: string) => {
    const [{ id }] = await read(`/api/periods?code=${YEAR}-${month}`);
    assert.equal((await app.client.patch(`/api/periods/${id}`, { status })).status, 200);
  };

  describe('as reversals', () => {
    const accrue = (more: object = {}) =>
      books.make<Data>('/api/journal-entries', {
        ...{ date: `${YEAR}-05-31`, reversesOn: `${YEAR}-06-01`, post: true, description: 'Intereses devengados' },
        lines: [
          { accountId: books.account('662'), debit: 50 },
          { accountId: books.account('572'), credit: 50 },
        ],
        ...more,
      });

    it('are entered on their day, once, and shown by their entry', async () => {
      const entry = await accrue();
      assert.equal(entry.reversesOn, `${YEAR}-06-01`);
      assert.deepEqual(await run(`${YEAR}-05-31T10:00:00Z`), { companies: 0, entered: 0, refused: [] });
      assert.deepEqual(await run(`${YEAR}-06-01T10:00:00Z`), { companies: 1, entered: 1, refused: [] });
      const { reversedBy, reversesOn } = await read(`/api/journal-entries/${entry.id}`);
      assert.equal(reversesOn, null);
      const reversal = await read(`/api/journal-entries/${reversedBy}`);
      assert.deepEqual([reversal.date, reversal.reversalOf, reversal.total], [`${YEAR}-06-01`, entry.id, 50]);
      assert.equal(await books.balance('662'), 0);
      assert.deepEqual(await run(), { companies: 0, entered: 0, refused: [] });
    });

    it('are not planned before the entry, or for opening entries', async () => {
      const body = { date: `${YEAR}-05-31`, reversesOn: `${YEAR}-05-30`, lines: (await accrue()).lines };
      const lines = body.lines.map(({ accountId, debit, credit }: Data) => ({ accountId, debit, credit }));
      assertRefused(await app.client.post('/api/journal-entries', { ...body, lines }), '/reversesOn');
      const opening = { date: `${YEAR}-01-01`, kind: 'opening', reversesOn: `${YEAR}-02-01`, lines };
      assertRefused(await app.client.post('/api/journal-entries', opening), '/reversesOn');
    });

    it('can be moved and called off, and end with a reversal by hand', async () => {
      const { id } = await accrue();
      const path = `/api/journal-entries/${id}`;
      const change = async (reversesOn: string | null) => (await app.client.patch(path, { reversesOn })).body.data;
      assert.equal((await change(`${YEAR}-07-01`)).reversesOn, `${YEAR}-07-01`);
      assertRefused(await app.client.patch(path, { reversesOn: `${YEAR}-05-01` }), '/reversesOn');
      assertProblem(await app.client.patch(path, { description: 'Otra', reversesOn: null }), 409, 'invalid_transition');
      assert.equal((await run()).entered, 0);
      assert.equal((await change(null)).reversesOn, null);
      assert.equal((await run(`${YEAR}-07-02T10:00:00Z`)).companies, 0);
      await change(`${YEAR}-06-10`);
      await books.make(`${path}/reverse`, { date: `${YEAR}-06-02` });
      assert.equal((await read(path)).reversesOn, null);
      assert.equal((await run()).companies, 0);
      assertProblem(await app.client.patch(path, { reversesOn: `${YEAR}-07-01` }), 409, 'invalid_transition');
    });

    it('of drafts wait for their posting, and keep their day when the draft changes', async () => {
      const { id } = await accrue({ post: false });
      assert.equal((await run()).entered, 0);
      const path = `/api/journal-entries/${id}`;
      const { data } = (await app.client.patch(path, { description: 'Otra' })).body;
      assert.equal(data.reversesOn, `${YEAR}-06-01`);
      assertRefused(await app.client.patch(path, { date: `${YEAR}-06-05` }), '/reversesOn');
      await app.client.post(`${path}/post`);
      assert.equal((await run()).entered, 1);
      const gone = await accrue({ post: false });
      assert.equal((await app.client.del(`/api/journal-entries/${gone.id}`)).status, 204);
    });

    it('that are refused wait beside the others, with one to-do until it is solved', async () => {
      await accrue();
      await accrue({ reversesOn: `${YEAR}-05-31` });
      await setPeriod('05', 'C');
      assert.equal((await run()).entered, 1);
      const title = `Anule los asientos previstos para ${YEAR}-05-31`;
      assert.deepEqual(await toDos(), [`open: ${title}`]);
      assert.deepEqual(await run(), { companies: 1, entered: 0, refused: [] });
      assert.equal((await toDos()).length, 1);
      await setPeriod('05', 'O');
      assert.deepEqual(await run(), { companies: 1, entered: 1, refused: [] });
      assert.deepEqual(await toDos(), [`done: ${title}`]);
      assert.equal((await run()).companies, 0);
    });
  });

  describe('as reversals of recurring entries', () => {
    it('wait where their period is locked, and are entered once it is not', async () => {
      const lines = [
        { accountId: books.account('662'), debit: 50 },
        { accountId: books.account('572'), credit: 50 },
      ];
      const { id } = await books.make('/api/recurring', {
        ...{ name: 'Interest', document_type: 'journal_entry', mode: 'post', interval: { unit: 'month', day: 31 } },
        template: { description: 'Intereses', lines, reversesAfterMonths: 1 },
      });
      const { entry_id: entryId } = await books.make<Data>(`/api/recurring/${id}/run`);
      const { reversesOn } = await read(`/api/journal-entries/${entryId}`);
      assert.equal(reversesOn, `${YEAR}-07-01`);
      const [period] = await read(`/api/periods?code=${YEAR}-07`);
      const lock = async (lockedAreas: string[]) =>
        assert.equal((await app.client.patch(`/api/periods/${period.id}`, { lockedAreas })).status, 200);
      await lock(['all']);
      assert.equal((await run(`${YEAR}-07-02T10:00:00Z`)).entered, 0);
      assert.deepEqual(await toDos(), [`open: Anule los asientos previstos para ${YEAR}-07-01`]);
      await lock([]);
      assert.equal((await run(`${YEAR}-07-02T10:00:00Z`)).entered, 1);
      assert.equal(await books.balance('662'), 0);
    });
  });

  describe('as depreciation', () => {
    const register = use(() => openRegister(app, YEAR), { each: true });
    const automatic = (automaticDepreciation: boolean) =>
      app.client.put('/api/config/accounting', { automaticDepreciation });

    it('are entered for companies that want it, with a notification', async () => {
      await register.buy();
      assert.equal((await run()).companies, 0);
      await automatic(true);
      assert.deepEqual(await run(), { companies: 1, entered: 1, refused: [] });
      const [{ id, to, automatic: byService, total }] = await register.runs();
      assert.deepEqual([to, byService, total], [`${YEAR}-05-31`, true, 500]);
      const [{ title, action_url }] = await read('/api/notifications');
      assert.match(title, new RegExp(`${YEAR}-05-31`));
      assert.equal(action_url, `/api/asset-runs/${id}`);
      assert.equal((await run()).companies, 0);
      assert.deepEqual(await run(`${YEAR}-06-30T10:00:00Z`), { companies: 0, entered: 0, refused: [] });
      assert.deepEqual(await run(`${YEAR}-07-01T10:00:00Z`), { companies: 1, entered: 1, refused: [] });
    });

    it('that are refused give a to-do with the reason, once, and are entered when it is solved', async () => {
      await register.buy();
      await automatic(true);
      await setPeriod('02', 'C');
      for (let times = 0; times < 2; times++)
        assert.deepEqual(await run(), { companies: 1, entered: 0, refused: ['depreciation'] });
      assert.deepEqual(await toDos(), ['open: No se pudo contabilizar la amortización']);
      const [{ body }] = await read('/api/to-dos');
      assert.match(body, new RegExp(`hasta el ${YEAR}-02-28`));
      await setPeriod('02', 'O');
      assert.deepEqual(await run(), { companies: 1, entered: 1, refused: [] });
      assert.deepEqual(await toDos(), ['done: No se pudo contabilizar la amortización']);
    });

    it('that somebody else enters settle the to-do', async () => {
      await register.buy();
      await automatic(true);
      await setPeriod('02', 'C');
      await run();
      await register.run({ to: `${YEAR}-05-31`, catchUp: true });
      assert.deepEqual(await run(), { companies: 1, entered: 0, refused: [] });
      assert.deepEqual(await toDos(), ['done: No se pudo contabilizar la amortización']);
      assert.equal((await run()).companies, 0);
    });
  });
});
