import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createNotification } from '../../../../../services/integrations/automations/actions/notification.ts';
import type { Subject } from '../../../../../services/integrations/automations/subject.ts';
import { useDeliveries } from '../../../../helpers/hooks.ts';

describe('a notification of an automation', () => {
  const bench = useDeliveries();

  it('is cut to a readable length, however long its templates become', async () => {
    const { company } = bench;
    const userId = await bench.member('owner');
    const action = {
      type: 'notification.create',
      user_id: userId,
      title: `${'x'.repeat(199)}\u{1F600}`,
      body: 'y'.repeat(200_000),
    } as const;
    const runsAs = { userId: null, actor: null };
    const subject: Subject = { company: {}, event: {} };
    const act = {
      automationId: randomUUID(),
      action,
      subject,
      key: randomUUID(),
      runId: randomUUID(),
      workflowId: 'run',
      runsAs,
    };
    const limits = { recipientsPerHour: 10 };
    const detail = await company.run((trx) => createNotification.write(trx, company.ctx, act, limits));
    assert.deepEqual(detail, { recipients: 1 });
    const [told] = await company.rows('select title, body from notifications where user_id = ?', [userId]);
    assert.deepEqual(told, { title: 'x'.repeat(199), body: 'y'.repeat(2000) });
  });
});
