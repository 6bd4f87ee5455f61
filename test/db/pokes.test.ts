import assert from 'node:assert/strict';
import { Database } from '../../db/database.ts';
import { Listener } from '../../db/listener.ts';
import { OUTBOX_CHANNEL } from '../../db/pokes.ts';
import { startTask } from '../../services/platform/tasks/tasks.ts';
import { createDocument } from '../../services/trade/lifecycle/create.ts';
import type { Company } from '../helpers/company.ts';
import { useCompany, useOtherCompany } from '../helpers/hooks.ts';
import { eventually } from '../helpers/worker.ts';

describe('the message to relays after a commit', () => {
  let heard: string[];
  let listener: Listener;
  let database: Database;

  const company = useCompany({ sound: false });
  const other = useOtherCompany(company);
  before(async () => {
    listener = new Listener(
      { url: company.url, channel: OUTBOX_CHANNEL, applicationName: 'test-relay' },
      { notified: (payload) => heard.push(payload) },
    );
    await listener.listen();
    database = new Database({ url: company.url, poolSize: 20, applicationName: 'test-api', servesPeople: true });
  });
  after(async () => {
    await database?.close();
    await listener?.close();
  });
  beforeEach(() => {
    heard = [];
  });
  const order = (through: Database, { ctx, customerId, itemId }: Company = company) =>
    through.withTenant(ctx, (trx) =>
      createDocument(trx, ctx, 'SO', { partnerId: customerId, lines: [{ itemId, quantity: 1 }] }),
    );
  const task = (through: Database) =>
    through.withTenant(company.ctx, (trx) =>
      startTask(trx, company.ctx, { kind: 'import', permission: null, input: {}, message: 'waiting', title: 'Import' }),
    );
  /** Runs `work` while so many others have a transaction open, of each company. */
  async function beside(
    others: number,
    through: Database,
    work: () => Promise<unknown>,
    companies: readonly Company[] = [company],
    way: 'withTenant' | 'readTenant' | 'readConsistently' | 'snapshot' = 'withTenant',
  ): Promise<void> {
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const open = companies.flatMap(({ ctx }) => Array.from({ length: others }, () => through[way](ctx, () => ended)));
    try {
      await work();
      await eventually(async () => assert.notDeepEqual(heard, []));
    } finally {
      end();
      await Promise.all(open);
    }
  }

  it('says that there are events, while there is room', async () => {
    await beside(2, database, () => order(database));
    assert.deepEqual(heard, ['']);
  });

  it('says that people of a company are kept waiting, while many of them are', async () => {
    await beside(4, database, () => order(database));
    assert.deepEqual(heard, [`busy ${company.ctx.tenantId}`]);
  });

  it('says nothing of the kind to others, whose events need not wait', async () => {
    await beside(4, database, () => order(database, other));
    assert.deepEqual(heard, ['']);
  });

  for (const way of ['readTenant', 'readConsistently', 'snapshot'] as const) {
    it(`says nothing of the kind to others while a company has much to read: ${way}`, async () => {
      await beside(4, database, () => order(database, other), [company], way);
      assert.deepEqual(heard, ['']);
    });
  }

  it('says that people of all companies wait, when none has many', async () => {
    await beside(2, database, () => order(database), [company, other]);
    assert.deepEqual(heard, ['busy']);
  });

  it('says that somebody waits for the events, however many are at work', async () => {
    await beside(4, database, () => task(database));
    assert.deepEqual(heard, ['urgent']);
  });

  it('never says that people wait when nobody waits for the transactions', async () => {
    const background = new Database({ url: company.url, poolSize: 20, applicationName: 'test-worker' });
    try {
      await beside(6, background, () => order(background));
      assert.deepEqual(heard, ['']);
    } finally {
      await background.close();
    }
  });
});
