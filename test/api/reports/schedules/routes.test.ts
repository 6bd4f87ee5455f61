/** Scheduled reports over HTTP, and their schedules in Temporal (decision 0178). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ScheduledReportInput } from '../../../../workflows/reports/schedules/contract.ts';
import { reportScheduleId } from '../../../../workflows/reports/schedules/contract.ts';
import { REAL_CLOCK } from '../../../helpers/app.ts';
import { useApp, useTemporal, useWorker } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { eventually, startWorker, testConfig } from '../../../helpers/worker.ts';

const PATH = '/api/report-schedules';
const MONTHLY = {
  name: 'Trial balance of the month before',
  report_name: 'trial_balance',
  params: { from: 'month-1', to: 'month-1', type: '8col' },
  cron: '0 8 1 * *',
};

interface Schedule {
  readonly id: string;
  readonly active: boolean;
  readonly pause_reason: string | null;
  readonly next_runs: readonly string[];
  readonly last_outcome: string | null;
  readonly last_task_id: string | null;
  readonly version: number;
}

describe('scheduled reports', () => {
  const app = useApp({ clock: { now: new Date('2026-11-22T10:00:00Z') } });
  const make = async (body: object): Promise<Schedule> => {
    const { status, body: answer } = await app.client.post(PATH, body);
    assert.equal(status, 201, JSON.stringify(answer));
    return answer.data as Schedule;
  };

  it('have defaults, and say when they run next', async () => {
    const made = await make(MONTHLY);
    const { id, version, created_at: _, updated_at: __, ...shown } = made as Schedule & Record<string, unknown>;
    assert.deepEqual(shown, {
      ...MONTHLY,
      timezone: 'Europe/Madrid',
      recipients: [],
      format: 'pdf',
      skip_when_empty: false,
      active: true,
      pause_reason: null,
      // Eight in Madrid: an hour behind in winter, two in summer.
      next_runs: ['2026-12-01T07', '2027-01-01T07', '2027-02-01T07', '2027-03-01T07', '2027-04-01T06'].map(
        (time) => `${time}:00:00.000Z`,
      ),
      last_run_at: null,
      last_outcome: null,
      last_task_id: null,
      created_by: app.userId,
    });
    const read = await app.client.get(`${PATH}/${id}`);
    assert.deepEqual(read.body.data, made);
    const { body } = await app.client.get(`${PATH}?report_name=trial_balance`);
    const { next_runs: ___, ...listed } = made;
    assert.deepEqual(body.data, [listed]);
    assert.equal(version, 1);
  });

  it('are changed, paused, resumed and deleted', async () => {
    const { id } = await make({ ...MONTHLY, recipients: ['ana@example.test'], format: 'excel', skip_when_empty: true });
    const changed = await app.client.patch(`${PATH}/${id}`, { cron: '@daily', timezone: 'UTC', recipients: null });
    assert.deepEqual(
      [changed.body.data.cron, changed.body.data.recipients, changed.body.data.next_runs[0]],
      ['@daily', [], '2026-11-23T00:00:00.000Z'],
    );
    const paused = await app.client.post(`${PATH}/${id}/pause`);
    assert.deepEqual([paused.body.data.active, paused.body.data.next_runs], [false, []]);
    const resumed = await app.client.post(`${PATH}/${id}/resume`);
    assert.deepEqual([resumed.body.data.active, resumed.body.data.next_runs.length], [true, 5]);
    const again = await app.client.patch(`${PATH}/${id}`, { timezone: null, active: false });
    assert.deepEqual([again.body.data.timezone, again.body.data.active], ['Europe/Madrid', false]);
    assert.equal((await app.client.del(`${PATH}/${id}`)).status, 204);
    assertProblem(await app.client.get(`${PATH}/${id}`), 404, 'not_found');
  });

  it('are refused where they could not run', async () => {
    const bad: [object, string, string][] = [
      [{ report_name: 'nothing' }, '/report_name', 'invalid_choice'],
      [{ cron: '* * * *' }, '/cron', 'invalid_format'],
      [{ cron: '0 0 30 2 *' }, '/cron', 'never_fires'],
      [{ cron: '* * * * *' }, '/cron', 'too_often'],
      [{ cron: '0,50 * * * *' }, '/cron', 'too_often'],
      [{ timezone: 'Mars/Base' }, '/timezone', 'invalid_format'],
      [{ format: 'aeat' }, '/format', 'not_allowed'],
      [{ params: { frm: 'month' } }, '/params/frm', 'unknown_field'],
      [{ params: { from: 'month-1000' } }, '/params/from', 'invalid_format'],
      [{ params: { type: '9col' } }, '/params/type', 'invalid_choice'],
      [{ params: { from: 'month', to: 'month-1' } }, '/params/to', 'invalid_parameter'],
      [{ report_name: 'ledger', params: {} }, '/params/account_id', 'required'],
      [{ report_name: 'ledger', params: { account_id: app.userId } }, '/params/account_id', 'invalid_reference'],
      [{ recipients: ['nobody'] }, '/recipients/0', 'invalid_format'],
    ];
    for (const [members, pointer, code] of bad) {
      const { status, body } = await app.client.post(PATH, { ...MONTHLY, ...members });
      const found = (body as { errors?: { pointer: string; code: string }[] }).errors?.[0];
      assert.deepEqual([status, found?.pointer, found?.code], [422, pointer, code], JSON.stringify([members, body]));
    }
  });

  it('are told of relative days where a day cannot be read', async () => {
    const { body } = await app.client.post(PATH, { ...MONTHLY, params: { from: 'last month' } });
    assert.match((body as { errors: { message: string }[] }).errors[0]?.message ?? '', /or relative, such as .*month/);
  });
});

describe('whose scheduled reports they are', () => {
  const app = useApp();
  const member = async (email: string, role: string) => {
    const login = { email, password: 'a password of twenty letters' };
    await app.client.post('/api/users', { ...login, name: email, role });
    const { body } = await app.anonymous.post('/api/auth/login', login);
    return app.as(body.token);
  };

  it('is seen by them, owners and administrators, and by nobody else', async () => {
    const [carla, bea] = [
      await member('carla@example.test', 'accountant'),
      await member('bea@example.test', 'accountant'),
    ];
    const { body } = await carla.post(PATH, MONTHLY);
    const one = `${PATH}/${body.data.id}`;
    for (const [client, total] of [
      [carla, 1],
      [app.client, 1],
      [bea, 0],
    ] as const) {
      assert.equal((await client.get(PATH)).body.pagination.total, total);
    }
    assertProblem(await bea.get(one), 404, 'not_found');
    assertProblem(await bea.patch(one, { name: 'Mine' }), 404, 'not_found');
    assertProblem(await bea.post(`${one}/pause`), 404, 'not_found');
    assertProblem(await bea.del(one), 404, 'not_found');
    const { body: changed } = await app.client.patch(one, { name: 'Ours' });
    assert.deepEqual([changed.data.name, changed.data.created_by], ['Ours', body.data.created_by]);
  });

  it('needs the right to see the report', async () => {
    const wim = await member('wim@example.test', 'warehouse');
    assertProblem(await wim.post(PATH, MONTHLY), 403, 'forbidden');
    const stock = { ...MONTHLY, report_name: 'stock_valuation', params: { to: 'today' } };
    const { status, body } = await wim.post(PATH, stock);
    assert.equal(status, 201, JSON.stringify(body));
    assertProblem(await wim.patch(`${PATH}/${body.data.id}`, MONTHLY), 403, 'forbidden');
    // An administrator cannot have it show its owner more either.
    assertProblem(await app.client.patch(`${PATH}/${body.data.id}`, MONTHLY), 409, 'invalid_transition');
  });

  it('may be a hundred at most', async () => {
    const count = (await app.client.get(PATH)).body.pagination.total as number;
    const answers = await Promise.all(
      Array.from({ length: 102 - count }, () => app.client.post(PATH, { ...MONTHLY, active: false })),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    assert.equal(refused.length, 2);
    for (const { body } of refused) assert.equal(body.errors[0].code, 'too_many');
    assert.equal((await app.client.get(PATH)).body.pagination.total, 100);
  });
});

describe('the schedules of reports in Temporal', function () {
  this.timeout(120_000);
  const temporal = useTemporal();
  const app = useApp(() => ({ clock: REAL_CLOCK }));
  useWorker(() => testConfig({ url: app.databaseUrl, ...temporal }));

  const make = async (body: object): Promise<Schedule> => {
    const { status, body: answer } = await app.client.post(PATH, body);
    assert.equal(status, 201, JSON.stringify(answer));
    return answer.data as Schedule;
  };
  const read = async (id: string) => (await app.client.get(`${PATH}/${id}`)).body.data as Schedule;
  const handle = (id: string) =>
    temporal.client.schedule.getHandle(reportScheduleId({ tenantId: app.tenantId, reportScheduleId: id }));
  const upTo = (id: string, version: number) =>
    eventually(async () => {
      const found = await handle(id).describe();
      assert.equal((found.action.args as [ScheduledReportInput])[0].version, version);
      return found;
    });

  it('are equal to the rows', async () => {
    const { id, next_runs } = await make(MONTHLY);
    const { info, state } = await upTo(id, 1);
    assert.deepEqual(
      [state.paused, info.nextActionTimes.slice(0, 5).map((time) => time.toISOString())],
      [false, next_runs],
    );
    await app.client.post(`${PATH}/${id}/pause`);
    assert.equal((await upTo(id, 2)).state.paused, true);
    await app.client.patch(`${PATH}/${id}`, { cron: '30 6 * * mon', active: true });
    const changed = await upTo(id, 3);
    assert.equal(changed.state.paused, false);
    const times = changed.info.nextActionTimes.slice(0, 5).map((time) => time.toISOString());
    assert.deepEqual(times, (await read(id)).next_runs);
    await app.client.del(`${PATH}/${id}`);
    await eventually(() => assert.rejects(handle(id).describe()));
  });

  it('start a task whose result is the file', async () => {
    const { id } = await make({ ...MONTHLY, format: 'csv' });
    await upTo(id, 1);
    await handle(id).trigger();
    const ran = await eventually(async () => {
      const found = await read(id);
      assert.equal(found.last_outcome, 'started');
      return found;
    }, 60_000);
    const task = await eventually(async () => {
      const { body } = await app.client.get(`/api/tasks/${ran.last_task_id}`);
      assert.equal(body.data.status, 'completed');
      return body.data as { type: string; created_by: string; result_url: string; message: string };
    }, 60_000);
    assert.deepEqual([task.type, task.created_by], ['report', app.userId]);
    assert.match(task.message, /trial-balance-\d{4}-\d{2}-01-\d{4}-\d{2}-\d{2}\.csv/);
    assert.equal(ran.version, 1);
  });

  it('make no file of a report without figures, if asked to skip it', async () => {
    const { id } = await make({ ...MONTHLY, skip_when_empty: true });
    await upTo(id, 1);
    await handle(id).trigger();
    await eventually(async () => assert.equal((await read(id)).last_outcome, 'empty'), 60_000);
    assert.equal((await read(id)).last_task_id, null);
  });

  it('are paused when their owner may no longer see the report, who is told as administrators are', async () => {
    const login = { email: 'carla@example.test', password: 'a password of twenty letters' };
    const { body: made } = await app.client.post('/api/users', { ...login, name: 'Carla', role: 'accountant' });
    const { body: session } = await app.anonymous.post('/api/auth/login', login);
    const carla = app.as(session.token);
    const { body } = await carla.post(PATH, MONTHLY);
    const { id } = body.data as Schedule;
    await upTo(id, 1);
    await app.client.patch(`/api/memberships/${made.data.membershipId}`, { role: 'warehouse' });
    assertProblem(await carla.post(PATH, MONTHLY), 403, 'forbidden');
    await handle(id).trigger();
    await eventually(async () => assert.equal((await read(id)).active, false), 60_000);
    assert.equal((await upTo(id, 2)).state.paused, true);
    const found = await read(id);
    assert.match(String(found.pause_reason), /may no longer see/);
    assert.equal(found.last_task_id, null);
    assertProblem(await app.client.post(`${PATH}/${id}/resume`), 409, 'invalid_transition');
    const told = await app.database.readTenant({ tenantId: app.tenantId }, (db) =>
      db('notifications').where({ type: 'system_alert' }).select('user_id', 'title'),
    );
    const title = `El informe programado ${MONTHLY.name} está en pausa`;
    assert.deepEqual(
      told.map((row) => JSON.stringify(row)).sort(),
      [app.userId, made.data.id].map((user_id) => JSON.stringify({ user_id, title })).sort(),
    );
  });

  it('show what an operator pauses and resumes', async () => {
    const { id } = await make(MONTHLY);
    await upTo(id, 1);
    const compare = async () => {
      await temporal.client.schedule.getHandle('maintenance/schedules').trigger();
    };
    await handle(id).pause('the printer burns');
    await eventually(async () => {
      await compare();
      const { active, pause_reason } = await read(id);
      assert.deepEqual([active, pause_reason], [false, 'Paused in Temporal: the printer burns']);
    }, 60_000);
    // Another change leaves it so.
    await app.client.patch(`${PATH}/${id}`, { name: 'Renamed' });
    assert.equal((await upTo(id, 3)).state.paused, true);
    await handle(id).unpause();
    await eventually(async () => {
      await compare();
      const { active, pause_reason } = await read(id);
      assert.deepEqual([active, pause_reason], [true, null]);
    }, 60_000);
  });

  it('are made again where Temporal has lost them', async () => {
    const { id } = await make(MONTHLY);
    await upTo(id, 1);
    await handle(id).delete();
    await eventually(async () => {
      await temporal.client.schedule.getHandle('maintenance/schedules').trigger();
      await handle(id).describe();
    }, 60_000);
  });
});

describe('schedules of reports written while Temporal is away', function () {
  this.timeout(120_000);
  const temporal = useTemporal();
  const app = useApp(() => ({ clock: REAL_CLOCK }));

  it('are made when it is there again, as the row is then', async () => {
    const { body } = await app.client.post(PATH, MONTHLY);
    const { id } = body.data as Schedule;
    const paused = await app.client.post(`${PATH}/${id}/pause`);
    assert.deepEqual([paused.status, paused.body.data.version], [200, 2]);
    const worker = startWorker(testConfig({ url: app.databaseUrl, ...temporal }));
    try {
      const schedule = { tenantId: app.tenantId, reportScheduleId: id };
      const handle = temporal.client.schedule.getHandle(reportScheduleId(schedule));
      await eventually(async () => {
        const { action, state } = await handle.describe();
        assert.deepEqual([(action.args as [ScheduledReportInput])[0].version, state.paused], [2, true]);
      });
    } finally {
      await worker.stop();
    }
  });
});
