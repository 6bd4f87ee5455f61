import assert from 'node:assert/strict';
import { newId } from '../../../../db/ids.ts';
import { connect } from '../../../../runtime/postgres-client.ts';
import { readBacklogs } from '../../../../services/platform/outbox/backlog.ts';
import { useCompany, useOtherCompany } from '../../../helpers/hooks.ts';

describe('the backlogs of companies', () => {
  const company = useCompany({ sound: false });
  const asOwner = (sql: string) => connect(company.url, (one) => one.query(sql));
  const other = useOtherCompany(company);
  beforeEach(() => asOwner('update outbox set processed_at = now()'));

  /** Events that have waited for so many seconds, in order, all changed alike. */
  const write = async (
    tenantId: string,
    seconds: number,
    { entityId = newId(), change = 'event = event', count = 10 } = {},
  ) => {
    await asOwner(
      `insert into outbox (id, tenant_id, event, entity_type, entity_id, payload, created_at)
       select gen_random_uuid(), '${tenantId}', 'document.updated', 'SalesOrder', '${entityId}', '{}',
         now() - interval '${seconds} seconds' from generate_series(1, ${count})`,
    );
    await asOwner(`update outbox set ${change} where entity_id = '${entityId}' and last_error is null`);
  };
  const found = () => company.database.withSystem((trx) => readBacklogs(trx));

  it('are as old as their oldest events, the oldest first', async () => {
    await write(company.ctx.tenantId, 9, { count: 1 });
    await write(company.ctx.tenantId, 7);
    await write(other.ctx.tenantId, 20);
    const backlogs = await found();
    assert.deepEqual(
      backlogs.map(({ tenantId, seconds }) => [tenantId, Math.floor(seconds)]),
      [
        [other.ctx.tenantId, 20],
        [company.ctx.tenantId, 9],
      ],
    );
  });

  it('say where they begin, and which event is the newest of all', async () => {
    await write(company.ctx.tenantId, 9);
    await write(other.ctx.tenantId, 1, { count: 3 });
    await write(company.ctx.tenantId, 8, { count: 2 });
    const [backlog] = await found();
    assert.equal(Number(backlog?.newest) - Number(backlog?.oldest), 14);
  });

  it('have nothing that is young, handed over, set aside, under way or failing', async () => {
    const failing = newId();
    await write(company.ctx.tenantId, 1);
    await write(company.ctx.tenantId, 60, { change: 'processed_at = now()' });
    await write(company.ctx.tenantId, 60, { change: 'dead_at = now()' });
    await write(company.ctx.tenantId, 60, { change: `locked_until = now() + interval '1 minute'` });
    await write(company.ctx.tenantId, 60, { entityId: failing, change: `last_error = 'refused'` });
    await write(company.ctx.tenantId, 50, { entityId: failing });
    assert.deepEqual(await found(), []);
  });

  it('are none where a company has only a few events', async () => {
    await write(company.ctx.tenantId, 60, { count: 9 });
    assert.deepEqual(await found(), []);
    await write(company.ctx.tenantId, 60, { count: 1 });
    assert.equal((await found()).length, 1);
  });
});
