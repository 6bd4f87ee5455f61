import assert from 'node:assert/strict';
import { newId } from '../../../../db/ids.ts';
import { WEBHOOK_EVENTS } from '../../../../domain/integrations/webhooks/events.ts';
import { pollEvents } from '../../../../services/integrations/webhooks/poll.ts';
import { useCompany, useOtherCompany } from '../../../helpers/hooks.ts';

describe('events that are polled', () => {
  const company = useCompany({ sound: false });
  const other = useOtherCompany(company);
  let start: string;
  beforeEach(async () => {
    start = (await poll({ after: 'now' })).cursor;
  });

  const poll = ({ after = start, names = WEBHOOK_EVENTS as readonly string[], limit = 100 } = {}) => {
    const { tenantId } = company.ctx;
    return pollEvents(company.database.reader(company.ctx), tenantId, { after, names, limit });
  };
  const codes = (events: readonly string[]) => events.map((event) => JSON.parse(event).data.code as string);
  type Trx = Parameters<Parameters<typeof company.run>[0]>[0];
  const write = (trx: Trx, code: string, { tenantId = company.ctx.tenantId, event = 'document.updated' } = {}) =>
    trx.raw(
      `insert into outbox (id, tenant_id, event, entity_type, entity_id, payload, created_at)
       values (?, ?, ?, 'SalesOrder', ?, ?, now())`,
      [newId(), tenantId, event, newId(), JSON.stringify({ code })],
    );
  /** A transaction that has written an event, and ends when it is told to. */
  async function open(code: string) {
    let end: () => void = () => undefined;
    const told = new Promise<void>((resolve) => {
      end = resolve;
    });
    let wrote: () => void = () => undefined;
    const written = new Promise<void>((resolve) => {
      wrote = resolve;
    });
    const ended = company.run(async (trx) => {
      await write(trx, code);
      wrote();
      await told;
    });
    await written;
    return () => {
      end();
      return ended;
    };
  }

  it('go on behind the cursor, in order, a page at a time', async () => {
    for (const code of ['a', 'b', 'c']) await company.run((trx) => write(trx, code));
    const first = await poll({ limit: 2 });
    assert.deepEqual([codes(first.events), first.hasMore], [['a', 'b'], true]);
    const second = await poll({ after: first.cursor, limit: 2 });
    assert.deepEqual([codes(second.events), second.hasMore], [['c'], false]);
    const third = await poll({ after: second.cursor });
    assert.deepEqual([third.events, third.cursor, third.hasMore], [[], second.cursor, false]);
  });

  it('wait for those that were begun before, so that none appears behind the cursor', async () => {
    const end = await open('slow');
    await company.run((trx) => write(trx, 'quick'));
    const meanwhile = await poll();
    assert.deepEqual(meanwhile.events, []);
    await end();
    assert.deepEqual(codes((await poll({ after: meanwhile.cursor })).events), ['slow', 'quick']);
  });

  it('include the first one after a cursor of now, even of a transaction that was open then', async () => {
    const end = await open('open');
    const { cursor } = await poll({ after: 'now' });
    await end();
    assert.deepEqual(codes((await poll({ after: cursor })).events), ['open']);
  });

  it('are those that are wanted, of the company, without work and tests', async () => {
    await company.run(async (trx) => {
      await write(trx, 'internal', { event: 'internal.task_started' });
      await write(trx, 'created', { event: 'document.created' });
      await write(trx, 'updated');
    });
    await other.run((trx) => write(trx, 'other', { tenantId: other.ctx.tenantId }));
    const { events, cursor } = await poll({ names: ['document.created'] });
    assert.deepEqual(codes(events), ['created']);
    const [event] = events.map((one) => JSON.parse(one));
    assert.deepEqual(Object.keys(event), ['id', 'event', 'timestamp', 'tenant_id', 'data']);
    assert.deepEqual((await poll({ after: cursor })).events, [], 'what was passed over is behind the cursor too');
  });

  it('are asked for by cursors of earlier answers only', async () => {
    for (const after of [
      '',
      'yesterday',
      Buffer.from('1').toString('base64url'),
      Buffer.from('9'.repeat(25)).toString('base64url'),
    ])
      await assert.rejects(poll({ after }), /after must be the cursor/);
  });
});
