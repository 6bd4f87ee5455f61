/** Schedules on the real Temporal server: what operators do with them while they are being made equal to their rows. */
import assert from 'node:assert/strict';
import type { ScheduleOptionsAction, ScheduleUpdateOptions } from '@temporalio/client';
import { before, describe, it } from 'mocha';
import { newId } from '../../../db/ids.ts';
import type { ServiceClient } from '../../../services/platform/temporal/client.ts';
import { registerSearchAttributes } from '../../../worker/connect.ts';
import { put } from '../../../worker/schedules/keep.ts';
import { SCHEDULE_KINDS } from '../../../worker/schedules/kinds.ts';
import { useTemporal } from '../../helpers/hooks.ts';

type Updated = ScheduleUpdateOptions<ScheduleOptionsAction>;

for (const kind of SCHEDULE_KINDS) {
  describe(`a schedule of ${kind.entityType}`, function () {
    this.timeout(30_000);
    const temporal = useTemporal();
    before(() => registerSearchAttributes(temporal.client.connection, temporal.namespace));
    const ROW = { tenantId: newId(), id: newId(), version: 1, active: true, title: 'Rule', cron: '30 2 * * *' };
    const row = { ...ROW, timezone: 'Europe/Madrid' };
    const NOW = new Date('2026-11-22T10:00:00Z');
    const handle = () => temporal.client.schedule.getHandle(kind.toScheduleId(row));
    const state = async () => {
      const { paused, note } = (await handle().describe()).state;
      return [paused, note];
    };

    /** A client whose updates begin after an operator has paused the schedule. */
    const pausing = () =>
      ({
        names: temporal.client.names,
        schedule: {
          create: temporal.client.schedule.create.bind(temporal.client.schedule),
          getHandle: () => ({
            ...handle(),
            update: async (change: (found: never) => Updated) => {
              await handle().pause('too many mails');
              await handle().update(change as Parameters<ReturnType<typeof handle>['update']>[0]);
            },
          }),
        },
      }) as unknown as ServiceClient;

    it('stays paused when a comparison that had not seen the pause reaches it, or its row changes', async () => {
      await put(temporal.client, kind, row, NOW);
      assert.deepEqual(await state(), [false, '']);
      await put(pausing(), kind, row, NOW);
      assert.deepEqual(await state(), [true, 'too many mails']);
      await handle().unpause('again');
      await put(pausing(), kind, { ...row, version: 2, title: 'Another' }, NOW);
      assert.deepEqual(await state(), [true, 'too many mails']);
    });

    it('is paused and resumed with its row, and ignores older changes', async () => {
      await put(temporal.client, kind, { ...row, version: 3, active: false }, NOW);
      assert.deepEqual(await state(), [true, 'too many mails']);
      await put(temporal.client, kind, { ...row, version: 4, active: true }, NOW);
      assert.deepEqual(await state(), [false, '']);
      await put(temporal.client, kind, { ...row, version: 3, active: false }, NOW);
      assert.deepEqual(await state(), [false, '']);
    });
  });
}
