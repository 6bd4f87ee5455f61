import assert from 'node:assert/strict';
import { Account } from '../../db/models/records/master-data.ts';
import { patchRow } from '../../db/write.ts';
import { createEntry } from '../../services/bank/manual-entries/manual.ts';
import { replaceCompany } from '../../services/platform/settings/company.ts';
import { postInvoice } from '../../services/trade/lifecycle/post.ts';
import { openBooks } from '../api/ledger/accounting/books.ts';
import { COMPANY } from '../helpers/app.ts';
import type { Answer } from '../helpers/client.ts';
import { NOW, YEAR } from '../helpers/clock.ts';
import { use } from '../helpers/hooks.ts';
import { untilBlocked } from '../helpers/locks.ts';
import { atOnce, tally, useMarket } from './market.ts';

const PATH = '/api/journal-entries';
const day = (month: number, year = YEAR) => `${year}-${String(month).padStart(2, '0')}-15`;

describe('the ledger under parallel requests', function () {
  this.timeout(60_000);
  const market = useMarket({ each: true });
  const books = use(() => openBooks(market.app), { each: true });
  beforeEach(async () => {
    await books.make('/api/periods/generate', { year: YEAR + 1 });
  });

  const rent = (date: string, amount = 10, post = true) => ({
    date,
    post,
    lines: [
      { accountId: books.account('621'), debit: amount },
      { accountId: books.account('572'), credit: amount },
    ],
  });
  const enter = (date: string, amount = 10, post = true) => market.app.client.post(PATH, rent(date, amount, post));
  const findPeriod = async (month: number, year = YEAR) => {
    const code = `${year}-${String(month).padStart(2, '0')}`;
    return (await market.app.client.get(`/api/periods?code=${code}`)).body.data[0] as { id: string; status: string };
  };
  const ctx = () => ({
    tenantId: market.app.tenantId,
    userId: market.app.userId,
    actor: 'test',
    requestId: 'test',
    now: NOW,
  });
  /** Runs work in a transaction that stays open until it is let go. */
  const held = (work: (trx: Parameters<typeof createEntry>[0]) => Promise<unknown>) => {
    let letGo = () => {};
    const free = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let begun = () => {};
    const done = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const committed = market.app.database.withTenant({ tenantId: market.app.tenantId }, async (trx) => {
      await work(trx);
      begun();
      await free;
    });
    return { done, committed, release: () => letGo() };
  };
  const itWaits = () => untilBlocked(market.app.database);
  const assertAmong = (answers: readonly Answer[], ...allowed: string[]) => {
    for (const key of Object.keys(tally(answers))) assert.ok(allowed.includes(key), JSON.stringify(tally(answers)));
  };

  it('entries and payments while their period is closed: recorded before the close, or refused', async () => {
    for (let month = 1; month <= 3; month++) {
      const { id } = await findPeriod(month);
      const posting = atOnce(9, (index) =>
        index % 3 === 0
          ? market.app.client.post('/api/payments/in', {
              partner_id: market.customerId,
              amount: 5,
              payment_date: day(month),
              payment_method: 'transfer',
            })
          : enter(day(month)),
      );
      const close = await market.app.client.patch(`/api/periods/${id}`, { status: 'C' });
      const answers = await posting;
      assert.equal(close.status, 200, JSON.stringify(close.body));
      assertAmong(answers, '201', '409 period_closed');
      assert.deepEqual(tally([await enter(day(month))]), { '409 period_closed': 1 });
    }
  });

  it('drafts while their period is closed: a draft keeps it open, or is refused', async () => {
    const { id } = await findPeriod(4);
    const drafting = atOnce(6, () => enter(day(4), 10, false));
    const close = await market.app.client.patch(`/api/periods/${id}`, { status: 'C' });
    const drafts = await drafting;
    assertAmong(drafts, '201', '409 period_closed');
    assertAmong([close], '200', '409 has_drafts');
    const made = drafts.filter(({ status }) => status === 201);
    assert.equal(close.status === 200, made.length === 0);
    // Posting the drafts, all at once and each twice, against the close.
    const posts = made.flatMap(({ body }) => [body.data.id, body.data.id]);
    const posting = Promise.all(posts.map((draft) => market.app.client.post(`${PATH}/${draft}/post`)));
    const again = await market.app.client.patch(`/api/periods/${id}`, { status: 'C' });
    assertAmong([again], '200', '409 has_drafts');
    assert.equal((await posting).filter(({ status }) => status === 200).length, made.length);
  });

  it('a reversal requested many times is made once', async () => {
    const { id } = (await enter(day(5))).body.data;
    const answers = await atOnce(10, () => market.app.client.post(`${PATH}/${id}/reverse`, { date: day(5) }));
    assert.deepEqual(tally(answers), { '201': 1, '409 invalid_transition': 9 });
    assert.equal(await books.balance('621'), 0);
  });

  it('an entry sent many times with one key is created once, and every success returns it', async () => {
    const key = { 'Idempotency-Key': 'rent' };
    const answers = await atOnce(10, () => market.app.client.post(PATH, rent(day(5), 33), key));
    assertAmong(answers, '201', '409 idempotency_key_in_progress');
    const repeat = await market.app.client.post(PATH, rent(day(5), 33), key);
    for (const { status, body } of answers) if (status === 201) assert.equal(body.data.id, repeat.body.data.id);
    assert.equal(await books.balance('621'), 33);
  });

  for (const [made, post] of [
    ['entry', true],
    ['draft', false],
  ] as const) {
    it(`the start of the fiscal year moves while the first ${made} is made, which gets the new fiscal year`, async () => {
      const moving = held((trx) => replaceCompany(trx, ctx(), { ...COMPANY, fiscalYearStart: '07-01' }, null));
      await moving.done;
      const entering = enter(day(5), 10, post);
      await itWaits();
      moving.release();
      await moving.committed;
      const { status, body } = await entering;
      assert.deepEqual([status, body.data.fiscalYear], [201, YEAR - 1]);
    });
  }

  it('the start of the fiscal year cannot move while the first entry is being made', async () => {
    const entering = held((trx) => createEntry(trx, ctx(), rent(day(5))));
    await entering.done;
    const moving = market.app.client.put('/api/company', { ...COMPANY, fiscalYearStart: '07-01' });
    await itWaits();
    entering.release();
    await entering.committed;
    assert.deepEqual(tally([await moving]), { '409 in_use': 1 });
  });

  const drafted = async () => {
    const { itemId, customerId: partnerId } = market;
    return await market.make('/api/sales/invoices', { partnerId, lines: [{ itemId, quantity: 1, price: 10 }] });
  };
  const heading = async (trx: Parameters<typeof createEntry>[0]) => {
    const account = await Account.query(trx).findOne({ code: '700' }).forUpdate().throwIfNotFound();
    await patchRow(trx, ctx(), Account, account, { isHeading: true });
  };

  it('an account becomes a heading while an invoice is posted: the invoice is refused until the account is none', async () => {
    const { id } = await drafted();
    const changing = held(heading);
    await changing.done;
    const posting = market.app.client.post(`/api/sales/invoices/${id}/post`);
    await itWaits();
    changing.release();
    await changing.committed;
    const { status, body } = await posting;
    assert.deepEqual([status, body.errors?.[0]?.code], [422, 'heading_account']);
    await market.app.client.patch(`/api/accounts/${books.account('700')}`, { isHeading: false });
    assert.equal((await market.app.client.post(`/api/sales/invoices/${id}/post`)).status, 200);
  });

  it('an account cannot become a heading while an invoice is posted to it', async () => {
    const { id } = await drafted();
    const posting = held((trx) => postInvoice(trx, ctx(), id, { ifMatch: null }));
    await posting.done;
    const changing = market.app.client.patch(`/api/accounts/${books.account('700')}`, { isHeading: true });
    await itWaits();
    posting.release();
    await posting.committed;
    assert.deepEqual(tally([await changing]), { '409 in_use': 1 });
  });

  it('the close of a year is undone while the next year is closed: one of them goes first', async () => {
    await enter(day(3), 100);
    const year = `/api/fiscal-years/${YEAR}`;
    for (let round = 0; round < 3; round++) {
      const closed = await market.app.client.post(`${year}/close`);
      assert.equal(closed.status, 200, JSON.stringify(closed.body));
      const entering = atOnce(4, () => enter(day(6, YEAR + 1), 7));
      const undone = await market.app.client.post(`${year}/reopen`);
      assert.deepEqual(tally(await entering), { '201': 4 });
      assertAmong([undone], '200', '409 in_use');
      if (undone.status !== 200) break;
    }
  });

  it('an unfinished entry of the next year keeps a close from being undone', async () => {
    await enter(day(3), 100);
    const year = `/api/fiscal-years/${YEAR}`;
    await books.make(`${year}/close`);
    const entering = held((trx) => createEntry(trx, ctx(), rent(day(9, YEAR + 1))));
    await entering.done;
    const undoing = market.app.client.post(`${year}/reopen`);
    await itWaits();
    entering.release();
    await entering.committed;
    assert.deepEqual(tally([await undoing]), { '409 in_use': 1 });
  });

  it('invoices, entries and payments while the year is closed: each is part of it, or refused', async () => {
    const posting = atOnce(12, async (index) => {
      if (index % 2 === 0) return enter(day(1 + index));
      return market.app.client.post('/api/payments/in', {
        partner_id: market.customerId,
        amount: 5,
        payment_date: day(1 + index),
        payment_method: 'cash',
      });
    });
    const closes = await atOnce(2, () => market.app.client.post(`/api/fiscal-years/${YEAR}/close`));
    assertAmong(await posting, '201', '409 period_closed');
    assert.deepEqual(tally(closes), { '200': 1, '409 invalid_transition': 1 });
  });
});
