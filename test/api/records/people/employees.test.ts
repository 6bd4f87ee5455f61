/** Employees and their contracts over HTTP. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TestApp } from '../../../helpers/app.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

const ANA = {
  name: 'Ana Ruiz',
  hireDate: '2024-03-01',
  grossAnnualSalary: 23800,
  contributionGroup: 5,
  irpfRate: 12,
  position: 'Clerk',
};
/** Members visible only with permission to see salaries. */
const PAY = [
  'contractType',
  'workingHours',
  'grossAnnualSalary',
  'payments',
  'contributionGroup',
  'accidentRate',
  'irpfRate',
];

async function member(app: TestApp, role: string) {
  const login = { email: `${role}@example.test`, password: 'a password of twenty letters' };
  await app.client.post('/api/users', { ...login, name: role, role });
  const { body } = await app.anonymous.post('/api/auth/login', login);
  return app.as(body.token);
}

const NOBODY = '018f0000-0000-7000-8000-000000000000';

/** Refused requests: path, method, body, pointer and code. */
const REFUSED: readonly [string, 'POST' | 'PATCH', object, string, string][] = [
  ['/api/employees', 'POST', { ...ANA, endDate: '2024-02-29' }, '/endDate', 'out_of_range'],
  ['/api/employees', 'POST', { ...ANA, nif: '12345678A' }, '/nif', 'invalid_format'],
  ['/api/employees', 'POST', { ...ANA, iban: 'ES00' }, '/iban', 'invalid_format'],
  [
    '/api/employees',
    'POST',
    { ...ANA, socialSecurityNumber: '281234567899' },
    '/socialSecurityNumber',
    'invalid_format',
  ],
  ['/api/employees', 'POST', { ...ANA, payments: 13 }, '/payments', 'invalid_choice'],
  ['/api/employees', 'POST', { ...ANA, contributionGroup: 12 }, '/contributionGroup', 'out_of_range'],
  ['/api/employees', 'POST', { ...ANA, grossAnnualSalary: 100.001 }, '/grossAnnualSalary', 'too_many_decimals'],
  ['/api/employees', 'POST', { ...ANA, departmentId: NOBODY }, '/departmentId', 'invalid_reference'],
  ['one', 'PATCH', { endDate: '2025-12-31' }, '/endDate', 'out_of_range'],
  ['one', 'PATCH', { hireDate: '2026-01-01' }, '/hireDate', 'out_of_range'],
  ['one/contracts', 'POST', { from: '2024-02-29' }, '/from', 'out_of_range'],
  ['one/contracts', 'POST', { from: '2026-03-01', to: '2026-02-01' }, '/to', 'out_of_range'],
  [
    'one/pay-items',
    'POST',
    { description: 'Bonus', kind: 'gift', amount: 10, from: '2026-01-01' },
    '/kind',
    'invalid_choice',
  ],
  [
    'one/pay-items',
    'POST',
    { description: 'Bonus', kind: 'earning', amount: 0, from: '2026-01-01' },
    '/amount',
    'out_of_range',
  ],
];

type Employee = { readonly id: string; readonly version: number; readonly [member: string]: unknown };

describe('employees', () => {
  const app = useApp();
  const hire = async (members: object = {}): Promise<Employee> => {
    const { status, body } = await app.client.post('/api/employees', { ...ANA, ...members });
    assert.equal(status, 201, JSON.stringify(body));
    return body.data as Employee;
  };
  const read = async (id: string) => (await app.client.get(`/api/employees/${id}`)).body.data as Employee;
  const listContracts = async (id: string) =>
    (await app.client.get(`/api/employees/${id}/contracts?sort=from`)).body.data as Employee[];

  it('have a code, the usual terms, and a contract for the whole employment', async () => {
    const made = await hire({ endDate: '2026-12-31' });
    assert.match(String(made.code), /^EMP\d{4}$/);
    const { contractType, workingHours, payments, accidentRate, vacationDays } = made;
    assert.deepEqual(
      [contractType, workingHours, payments, accidentRate, vacationDays],
      ['indefinite', 40, 14, 1.5, 30],
    );
    const [contract, ...others] = await listContracts(made.id);
    assert.deepEqual([contract?.from, contract?.to, contract?.grossAnnualSalary], ['2024-03-01', '2026-12-31', 23800]);
    assert.equal(others.length, 0);
  });

  it('show the newest contract; a raise ends the one before', async () => {
    const { id, version } = await hire();
    const raise = await app.client.post(`/api/employees/${id}/contracts`, {
      from: '2026-01-01',
      grossAnnualSalary: 26000,
    });
    assert.equal(raise.status, 201, JSON.stringify(raise.body));
    const { position, contributionGroup, irpfRate } = raise.body.data;
    assert.deepEqual([position, contributionGroup, irpfRate], ['Clerk', 5, 12]);
    const history = (await listContracts(id)).map(({ from, to, grossAnnualSalary }) => [from, to, grossAnnualSalary]);
    assert.deepEqual(history, [
      ['2024-03-01', '2025-12-31', 23800],
      ['2026-01-01', null, 26000],
    ]);
    const now = await read(id);
    assert.equal(now.grossAnnualSalary, 26000);
    assert.ok(now.version > version, 'the record has no new version');
    const corrected = await app.client.patch(`/api/employees/${id}`, { grossAnnualSalary: 27000, position: 'Head' });
    assert.deepEqual([corrected.body.data.grossAnnualSalary, corrected.body.data.position], [27000, 'Head']);
    assert.deepEqual(
      (await listContracts(id)).map((each) => [each.grossAnnualSalary, each.position]),
      [
        [23800, 'Clerk'],
        [27000, 'Head'],
      ],
    );
  });

  it('have contracts that move together, and one at least', async () => {
    const { id } = await hire();
    const path = `/api/employees/${id}/contracts`;
    const { body } = await app.client.post(path, { from: '2026-01-01', grossAnnualSalary: 26000 });
    const one = `${path}/${body.data.id}`;
    const spans = async () => (await listContracts(id)).map(({ from, to }) => [from, to]);
    await app.client.patch(one, { from: '2026-02-01' });
    assert.deepEqual(await spans(), [
      ['2024-03-01', '2026-01-31'],
      ['2026-02-01', null],
    ]);
    assertProblem(await app.client.patch(one, { from: '2024-03-01' }), 409, 'overlap');
    const { version } = await read(id);
    assert.equal((await app.client.del(one)).status, 204);
    // The record shows the newest contract, which is another one now.
    const now = await read(id);
    assert.deepEqual([now.version, now.grossAnnualSalary], [version + 1, 23800]);
    const stale = await app.client.patch(`/api/employees/${id}`, { position: 'Head' }, { 'If-Match': `"${version}"` });
    assertProblem(stale, 412, 'stale_version');
    assert.deepEqual(await spans(), [['2024-03-01', null]]);
    const [last] = await listContracts(id);
    assertProblem(await app.client.del(`${path}/${last?.id}`), 409, 'invalid_transition');
  });

  it('end with their last contract, and begin with the first', async () => {
    const { id } = await hire();
    await app.client.patch(`/api/employees/${id}`, { hireDate: '2024-04-01', endDate: '2026-06-30' });
    const spans = async () => (await listContracts(id)).map(({ from, to }) => [from, to]);
    assert.deepEqual(await spans(), [['2024-04-01', '2026-06-30']]);
    await app.client.patch(`/api/employees/${id}`, { endDate: null });
    assert.deepEqual(await spans(), [['2024-04-01', null]]);
  });

  it('are refused where days or ids cannot be', async () => {
    const made = await hire({ nif: '12345678Z' });
    const one = `/api/employees/${made.id}`;
    await app.client.post(`${one}/contracts`, { from: '2026-01-01' });
    for (const [where, method, body, pointer, code] of REFUSED) {
      const path = where.replace('one', one);
      const answer = method === 'POST' ? await app.client.post(path, body) : await app.client.patch(path, body);
      const [found] = (answer.body as { errors?: { pointer: string; code: string }[] }).errors ?? [];
      assert.deepEqual(
        [answer.status, found?.pointer, found?.code],
        [422, pointer, code],
        JSON.stringify([body, answer.body]),
      );
    }
    assertProblem(await app.client.post(`${one}/contracts`, { from: '2025-06-01', to: '2026-06-01' }), 409, 'overlap');
    assertProblem(await app.client.post('/api/employees', { ...ANA, nif: '12345678Z' }), 409, 'duplicate');
    assert.equal((await listContracts(made.id)).length, 2);
  });

  it('go with their contracts and pay items, unless absences need them', async () => {
    const { id } = await hire();
    const item = { description: 'Meals', kind: 'in_kind', amount: 50, from: '2026-01-01' };
    assert.equal((await app.client.post(`/api/employees/${id}/pay-items`, item)).status, 201);
    const absence = { employeeId: id, type: 'sick', from: '2026-02-02', to: '2026-02-03' };
    const { body } = await app.client.post('/api/absences', absence);
    assertProblem(await app.client.del(`/api/employees/${id}`), 409, 'in_use');
    await app.client.del(`/api/absences/${body.data.id}`);
    assert.equal((await app.client.del(`/api/employees/${id}`)).status, 204);
  });

  it('have custom fields, also to be filtered by', async () => {
    const field = { table_name: 'Employee', field_name: 'shirt', label: 'Shirt', type: 'TEXT', filterable: true };
    assert.equal((await app.client.post('/api/custom-fields', field)).status, 201);
    const { id } = await hire({ custom_shirt: 'XL' });
    const { body } = await app.client.get('/api/employees?custom_shirt=XL');
    assert.deepEqual(
      (body.data as Employee[]).map((each) => [each.id, each.custom_shirt]),
      [[id, 'XL']],
    );
    const made = await app.client.post('/api/custom-fields', {
      ...field,
      field_name: 'size',
      label: 'Size',
      filterable: false,
    });
    await app.client.patch(`/api/employees/${id}`, { custom_size: '44' });
    await app.client.patch(`/api/custom-fields/${made.body.data.id}`, { filterable: true });
    assert.equal((await app.client.get('/api/employees?custom_size=44')).body.pagination.total, 1);
  });
});

describe('what people earn', () => {
  const app = useApp();

  it('is shown to human resources, owners and administrators only', async () => {
    const hr = await member(app, 'hr');
    const viewer = await member(app, 'viewer');
    const { body } = await hr.post('/api/employees', ANA);
    const path = `/api/employees/${body.data.id}`;
    for (const [client, sees] of [
      [hr, true],
      [app.client, true],
      [viewer, false],
    ] as const) {
      const one = (await client.get(path)).body.data as Employee;
      const [listed] = (await client.get('/api/employees')).body.data as Employee[];
      for (const name of PAY) assert.deepEqual([name in one, name in (listed as object)], [sees, sees], name);
      assert.equal(one.position, 'Clerk');
      const filtered = await client.get('/api/employees?grossAnnualSalary[gt]=20000');
      assert.equal(filtered.status, sees ? 200 : 400, JSON.stringify(filtered.body));
      const sorted = await client.get('/api/employees?sort=grossAnnualSalary');
      assert.equal(sorted.status, sees ? 200 : 400, JSON.stringify(sorted.body));
      const csv = await client.get('/api/employees?format=csv&fields=name,grossAnnualSalary');
      assert.equal(String(csv.body).includes('23800'), sees, String(csv.body));
    }
    assertProblem(await viewer.get(`${path}/contracts`), 403, 'forbidden');
  });

  it('is left out of the audit log of others', async () => {
    const accountant = await member(app, 'accountant');
    const { body } = await app.client.post('/api/employees', { ...ANA, grossAnnualSalary: 54321 });
    const { id } = body.data as Employee;
    const [contract] = (await app.client.get(`/api/employees/${id}/contracts`)).body.data as Employee[];
    const logs = `/api/audit-logs?entityId=${contract?.id}`;
    const [own] = (await app.client.get(logs)).body.data as { id: string; newValue: Employee }[];
    assert.equal(own?.newValue.grossAnnualSalary, 54321);
    assert.equal((await accountant.get(logs)).body.pagination.total, 0);
    assertProblem(await accountant.get(`/api/audit-logs/${own?.id}`), 404, 'not_found');
    assert.ok(!String((await accountant.get(`${logs}&format=csv`)).body).includes('54321'));
    const record = await app.client.get(`/api/audit-logs?entityId=${id}`);
    assert.ok(!JSON.stringify(record.body).includes('54321'), 'the record itself names it');
  });

  it('is imported with the records', async () => {
    const response = await fetch(`${app.address}/api/import/employees`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${app.token}`, 'Content-Type': 'text/csv' },
      body: 'name,hireDate,grossAnnualSalary\nEva Mas,2026-01-01,30000\n',
    });
    const { data } = (await response.json()) as { data: { created: number } };
    assert.deepEqual([response.status, data.created], [200, 1]);
    const found = await app.client.get('/api/employees?name=Eva Mas');
    assert.equal((found.body.data as Employee[])[0]?.grossAnnualSalary, 30000);
  });
});

describe('private data of employees', () => {
  const app = useApp();
  const PRIVATE_DATA = { nif: '12345678Z', socialSecurityNumber: '281234567840', iban: 'ES9121000418450200051332' };
  const NAMES = Object.keys(PRIVATE_DATA);
  const NOTES = 'Back in two weeks, says the doctor';
  let viewer: Awaited<ReturnType<typeof member>>;
  let employee: string;
  let absence: string;

  /** A plugin with permissions of its own. */
  async function plugin(permissions: readonly string[]) {
    const { body } = await app.client.post('/api/plugins', { name: permissions.join(), version: '1.0.0', permissions });
    return app.as(body.data.token);
  }

  before(async () => {
    viewer = await member(app, 'viewer');
    const made = await app.client.post('/api/employees', { ...ANA, ...PRIVATE_DATA });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    employee = `/api/employees/${made.body.data.id}`;
    const sick = { employeeId: made.body.data.id, type: 'sick', from: '2026-01-05', to: '2026-01-16', notes: NOTES };
    absence = `/api/absences/${(await app.client.post('/api/absences', sick)).body.data.id}`;
  });

  it('are null for viewers, in lists and files too', async () => {
    const one = (await viewer.get(employee)).body.data;
    const [listed] = (await viewer.get('/api/employees')).body.data;
    for (const name of NAMES) assert.deepEqual([one[name], listed[name]], [null, null], name);
    assert.equal((await viewer.get(absence)).body.data.notes, null);
    assert.equal((await viewer.get('/api/absences')).body.data[0].notes, null);
    const files = await Promise.all(['employees', 'absences'].map((list) => viewer.get(`/api/${list}?format=csv`)));
    for (const text of [...Object.values(PRIVATE_DATA), NOTES])
      assert.ok(!files.some(({ body }) => String(body).includes(text)), text);
    const hr = await member(app, 'hr');
    assert.equal((await hr.get(employee)).body.data.nif, PRIVATE_DATA.nif);
    assert.equal((await hr.get(absence)).body.data.notes, NOTES);
  });

  it('cannot be found by filters, sorts and searches of viewers', async () => {
    for (const name of NAMES) {
      assertProblem(await viewer.get(`/api/employees?${name}[contains]=1`), 400, 'invalid_parameter');
      assertProblem(await viewer.get(`/api/employees?sort=${name}`), 400, 'invalid_parameter');
    }
    assertProblem(await viewer.get('/api/absences?notes[contains]=doctor'), 400, 'invalid_parameter');
    assert.equal((await viewer.get(`/api/employees?q=${PRIVATE_DATA.nif}`)).body.pagination.total, 0);
    assert.equal((await app.client.get(`/api/employees?q=${PRIVATE_DATA.nif}`)).body.pagination.total, 1);
  });

  it('stay as they are when somebody who cannot see them sends back what they read', async () => {
    const planner = await plugin(['people:read', 'people:update', 'people:create']);
    const read = (await planner.get(employee)).body.data;
    assert.equal(read.nif, null);
    const back = await planner.patch(employee, { ...read, email: 'ana@example.test' });
    assert.deepEqual([back.status, back.body.data.nif, back.body.data.email], [200, null, 'ana@example.test']);
    assert.equal((await planner.patch(absence, { notes: null, days: 5 })).status, 200);
    const { nif, socialSecurityNumber, iban } = (await app.client.get(employee)).body.data;
    assert.deepEqual({ nif, socialSecurityNumber, iban }, PRIVATE_DATA);
    assert.equal((await app.client.get(absence)).body.data.notes, NOTES);
    assertProblem(await planner.patch(employee, { nif: '87654321X' }), 403, 'forbidden');
    assertProblem(await planner.patch(absence, { notes: 'Well' }), 403, 'forbidden');
    const body = { name: 'Eva', hireDate: '2026-01-01', nif: '87654321X' };
    assertProblem(await planner.post('/api/employees', body), 403, 'forbidden');
    assert.equal((await planner.post('/api/employees', { ...body, nif: null })).status, 201);
    const told = JSON.stringify((await planner.get('/api/employees')).body);
    for (const text of Object.values(PRIVATE_DATA)) assert.ok(!told.includes(text));
  });

  it('include attached files, of absences too, but not comments', async () => {
    const certificate = async (entityType: string, path: string) => {
      const entityId = path.split('/').at(-1);
      const response = await fetch(
        `${app.address}/api/files?entityType=${entityType}&entityId=${entityId}&name=a.txt`,
        {
          method: 'POST',
          headers: { Authorization: `Bearer ${app.token}`, 'Content-Type': 'text/plain' },
          body: 'Certificate',
        },
      );
      return ((await response.json()) as { data: { id: string } }).data.id;
    };
    const ids = [await certificate('Employee', employee), await certificate('Absence', absence)];
    for (const id of ids) {
      assertProblem(await viewer.get(`/api/files/${id}`), 404, 'not_found');
      assertProblem(await viewer.get(`/api/files/${id}/link`), 404, 'not_found');
      assert.equal((await app.client.get(`/api/files/${id}/details`)).status, 200);
    }
    assert.equal((await viewer.get('/api/files')).body.pagination.total, 0);
    const about = { entityType: 'Employee', entityId: employee.split('/').at(-1), body: 'Prefers mornings' };
    await app.client.post('/api/comments', about);
    assert.equal((await viewer.get('/api/comments')).body.pagination.total, 1);
  });

  it('are imported only by those who may see them', async () => {
    const planner = await plugin(['people:read', 'people:update', 'people:create', 'payroll:create']);
    const file = 'name,hireDate\nEva Mas,2026-01-01\n';
    const type = { 'Content-Type': 'text/csv' };
    assertProblem(await planner.request('POST', '/api/import/employees', file, type), 403, 'forbidden');
  });
});
