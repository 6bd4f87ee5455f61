/** Time sheets: May 2026 of two employees, with a night, a correction and a cancelled record. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { download, readCsv } from '../../../helpers/download.ts';
import { use, useApp, useTemporal, useWorker } from '../../../helpers/hooks.ts';
import { pdfPages } from '../../../helpers/pdf-text.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { ENCRYPTION_KEY, testConfig } from '../../../helpers/worker.ts';

const MAY = '/api/reports/time-sheet?year=2026&month=5';

describe('the report time-sheet', function () {
  this.timeout(60_000);
  const temporal = useTemporal();
  const app = useApp(() => {
    const { address, namespace } = temporal;
    const env = { ENCRYPTION_KEY, TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace };
    return { clock: { now: new Date('2026-06-15T10:00:00Z') }, env };
  });
  useWorker(() => testConfig({ url: app.databaseUrl, ...temporal }));

  const post = async (path: string, body: object) => {
    const answer = await app.client.post(path, body);
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body.data.id as string;
  };
  const people = use(async () => {
    const hireDate = '2026-05-01';
    const office = await post('/api/departments', { code: 'OFF', name: 'Office' });
    const ana = await post('/api/employees', { name: 'Ana Ruiz', hireDate, nif: '12345678Z', departmentId: office });
    const leo = await post('/api/employees', { name: 'Leo Paz', hireDate });
    const entered: [string, string, string, object?][] = [
      [ana, '2026-05-04T07:00:00Z', '2026-05-04T11:00:00Z'],
      [ana, '2026-05-04T12:00:00Z', '2026-05-04T16:05:00Z', { breakMinutes: 10 }],
      [ana, '2026-05-31T20:00:00Z', '2026-06-01T04:30:00Z', { reason: 'The clock was off' }],
      [leo, '2026-05-05T07:00:00Z', '2026-05-05T15:00:00Z'],
      [leo, '2026-06-01T07:00:00Z', '2026-06-01T15:00:00Z'],
    ];
    for (const [employeeId, startedAt, endedAt, more] of entered) {
      await post('/api/time-records', { employeeId, startedAt, endedAt, ...more });
    }
    const twice = { employeeId: leo, startedAt: '2026-05-06T07:00:00Z', endedAt: '2026-05-06T15:00:00Z' };
    await post(`/api/time-records/${await post('/api/time-records', twice)}/cancel`, { reason: 'Twice' });
    return { ana, leo, office };
  });

  it('has the records that begin in the month, on the clock of the company', async () => {
    const { status, body } = await app.client.get(MAY);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([body.from, body.to, body.summary.worked_minutes], ['2026-05-01', '2026-05-31', 1465]);
    const rows = body.data.rows.map((row: Record<string, unknown>) => [
      ...[row.name, row.day, row.started, row.ended, row.break_minutes, row.worked_minutes, row.corrected],
    ]);
    assert.deepEqual(rows, [
      ['Ana Ruiz', '2026-05-04', '09:00', '13:00', 0, 240, false],
      ['Ana Ruiz', '2026-05-04', '14:00', '18:05', 10, 235, false],
      ['Ana Ruiz', '2026-05-31', '22:00', '06:30 (+1)', 0, 510, true],
      ['Leo Paz', '2026-05-05', '09:00', '17:00', 0, 480, false],
    ]);
    const sheets = body.data.sheets.map((sheet: Record<string, unknown>) => [
      sheet.name,
      sheet.days,
      sheet.worked_minutes,
    ]);
    assert.deepEqual(sheets, [
      ['Ana Ruiz', 2, 985],
      ['Leo Paz', 1, 480],
    ]);
    const records = await app.client.get(body.data.sheets[0].drilldown);
    assert.equal(records.body.pagination.total, 3);
  });

  it('is of one employee or department if asked, and of an employee who did not work too', async () => {
    const names = async (query: string) =>
      (await app.client.get(MAY + query)).body.data.sheets.map(({ name }: { name: string }) => name);
    assert.deepEqual(await names(`&employee_id=${people.leo}`), ['Leo Paz']);
    assert.deepEqual(await names(`&department_id=${people.office}`), ['Ana Ruiz']);
    const { body } = await app.client.get(`/api/reports/time-sheet?year=2026&month=4&employee_id=${people.leo}`);
    assert.deepEqual([body.data.sheets[0].days, body.data.rows], [0, []]);
    assertProblem(await app.client.get(`${MAY}&employee_id=${people.office}`), 404, 'not_found');
    assertProblem(await app.client.get('/api/reports/time-sheet?year=2026&month=13'), 400, 'invalid_parameter');
  });

  it('is a table in CSV, and a page to be signed for each employee in PDF', async () => {
    const rows = await readCsv(await download(app, `${MAY}&format=csv&header=names`), ';');
    assert.deepEqual([rows.length, rows[2]?.ended], [4, '06:30 (+1)']);
    const pdf = await download(app, `${MAY}&format=pdf`);
    assert.equal(pdf.status, 200);
    const pages = await pdfPages(new Uint8Array(await pdf.arrayBuffer()));
    assert.equal(pages.length, 2, pages.join('\n'));
    const own = [
      ['Ana Ruiz', '12345678Z', '06:30 (+1)', '16:25', '31/05/2026 dom *', '30/05/2026 sáb', 'Firma de la empresa'],
      ['Leo Paz', '8:00', '31/05/2026 dom', 'Firma del trabajador'],
    ];
    for (const [index, texts] of own.entries()) {
      for (const said of texts) assert.ok(pages[index]?.includes(said), `${said}: ${pages[index]}`);
    }
    assert.ok(!pages[1]?.includes('Ana Ruiz'), pages[1]);
  });

  it('is of those who may read private data of employees', async () => {
    const login = { email: 'carla@example.test', password: 'a password of twenty letters' };
    await app.client.post('/api/users', { ...login, name: 'Carla', role: 'accountant' });
    const { body } = await app.anonymous.post('/api/auth/login', login);
    assertProblem(await app.as(body.token).get(MAY), 403, 'forbidden');
  });

  it('names the holidays of the place where each works', async () => {
    await app.client.patch(`/api/departments/${people.office}`, { place: 'Madrid' });
    await post('/api/holidays', { day: '2026-05-01', name: 'Fiesta del Trabajo' });
    await post('/api/holidays', { day: '2026-05-15', name: 'San Isidro', place: 'Madrid' });
    await post('/api/holidays', { day: '2026-06-24', name: 'San Juan' });
    const { body } = await app.client.get(MAY);
    const [ana, leo] = body.data.sheets.map((sheet: { holidays: { day: string; name: string }[] }) => sheet.holidays);
    const work = { day: '2026-05-01', name: 'Fiesta del Trabajo' };
    assert.deepEqual([ana, leo], [[work, { day: '2026-05-15', name: 'San Isidro' }], [work]]);
    const file = await download(app, `${MAY}&employee_id=${people.ana}&format=pdf`);
    const [page = ''] = await pdfPages(new Uint8Array(await file.arrayBuffer()));
    assert.match(page, /15\/05\/2026 vie · San Isidro/);
  });
});
