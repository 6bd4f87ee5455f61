/** Whatever a role may not read of a record, no channel shows it: every route that reads, for every role. */
import assert from 'node:assert/strict';
import { pino } from 'pino';
import type { Route } from '../../api/route.ts';
import { ROUTES } from '../../api/routes.ts';
import { ENTITIES } from '../../db/models/entities.ts';
import { PRIVATE, ROLES, type Role } from '../../domain/permissions.ts';
import { canRead } from '../../services/platform/visibility/reading.ts';
import type { TestApp } from '../helpers/app.ts';
import { type Canary, findCanaries, type Place, plantCanaries } from '../helpers/canaries.ts';
import { existingIds } from '../helpers/fuzz/world.ts';
import { useApp } from '../helpers/hooks.ts';

/** Types whose names many others show, and whose own routes the table of access covers. */
const SHOWN_BY_OTHERS = ['User', 'Membership', 'Tenant', 'Setting'];

/** Types without texts, and those that take several steps to make: the suite of the audit log has records of all types. */
const NOT_PLANTED: readonly string[] = [
  'AssetRun',
  'BadDebt',
  'BankLinePayment',
  'BudgetLine',
  'CommissionSettlement',
  'CustomerLink',
  'Dunning',
  'EmployeeCostShare',
  'EmployeeTaxData',
  'ExchangeRate',
  'ExchangeRevaluation',
  'FiscalYear',
  'FullInvoice',
  'GoodRegularisation',
  'GroupAccountMapping',
  'ItemBarcode',
  'ItemComponent',
  'LandedCost',
  'Notification',
  'NotificationSettings',
  'OpenItem',
  'Payroll',
  'Price',
  'ProRataAdjustment',
  'PushSubscription',
  'ReorderRule',
  'Role',
  'SepaOrder',
  'SepaOrderItem',
  'StandardCost',
  'StockAssembly',
  'Task',
  'TaxReturn',
  'VerifactuRecord',
];

/** Members that an employee's record shows of the newest contract to everybody who reads it. */
const SHOWN_WITH_EMPLOYEE = ['position'];

type Get = (path: string) => Promise<string>;

/** Answers as texts, by role; files as their text. */
async function readers(app: TestApp): Promise<Map<Role, Get>> {
  const password = 'a password of twenty letters';
  const by = new Map<Role, Get>();
  for (const role of Object.keys(ROLES) as Role[]) {
    const email = `${role}@example.test`;
    if (role !== 'owner') await app.client.post('/api/users', { email, name: role, password, role });
    const login = await app.anonymous.post('/api/auth/login', { email, password });
    const token = role === 'owner' ? app.token : login.body.token;
    by.set(role, async (path) => {
      const answer = await fetch(app.address + path, { headers: { Authorization: `Bearer ${token}` } });
      // PDFs need Temporal, which this suite does without.
      assert.ok(answer.status < 500 || /\/(pdf|proforma)$/.test(path), `${path} for ${role}: ${answer.status}`);
      const headers = [...answer.headers].map((header) => header.join(': '));
      return `${headers.join('\n')}\n${await answer.text()}`;
    });
  }
  return by;
}

/** Whether a role may see one of the members that have a value. Records of their own were all made by the owner. */
function maySee(role: Role, { places }: Canary): boolean {
  return places.some((place) => maySeePlace(role, place));
}

function maySeePlace(role: Role, { entityType, member, about }: Place): boolean {
  const { permissions } = ROLES[role];
  const access = ENTITIES.get(entityType)?.access;
  // Sales and purchasing read the payments of their side; the audit log has one type for both.
  if (entityType === 'EmployeeContract' && SHOWN_WITH_EMPLOYEE.includes(member))
    return canRead(permissions, 'Employee');
  if (entityType === 'Payment') return permissions.has('payments_in:read');
  if (access === 'own') return role === 'owner' || role === 'admin';
  if (about === undefined) return canRead(permissions, entityType, member);
  return canRead(permissions, about, access === 'subject.attachments' ? 'attachments' : undefined);
}

describe('what a role may not read', function () {
  this.timeout(600_000);

  const lines: string[] = [];
  const stream = { write: (line: string) => lines.push(line) };
  const app = useApp(() => {
    const logger = pino({ level: 'debug' }, stream);
    return { deps: { logger, accessLog: logger } };
  });
  let canaries: readonly Canary[];
  let addresses: readonly string[];
  let by: Map<Role, Get>;

  before(async () => {
    await plantCanaries(app);
    canaries = (await findCanaries(app)).filter(
      ({ places }) => !places.some(({ entityType }) => SHOWN_BY_OTHERS.includes(entityType)),
    );
    by = await readers(app);
    addresses = await readAddresses(app);
  });

  it('is planted in every type of record with routes, and in each private member', () => {
    const places = canaries.flatMap((one) => one.places);
    const planted = new Set(places.map(({ entityType, member }) => `${entityType}.${member}`));
    for (const member of ['Employee.nif', 'Employee.iban', 'Employee.socialSecurityNumber', 'Absence.notes'])
      assert.ok(planted.has(member), member);
    assert.ok(places.some(({ entityType, about }) => entityType === 'Attachment' && about === 'Employee'));
    const types = new Set(places.map(({ entityType }) => entityType));
    const missing = [...ENTITIES.keys()].filter((type) => !types.has(type) && !SHOWN_BY_OTHERS.includes(type));
    assert.deepEqual(missing.sort(), [...NOT_PLANTED].sort());
  });

  it('is shown by no route, export, file, log or header', async () => {
    const shown: string[] = [];
    for (const [role, get] of by) {
      const hidden = canaries.filter((one) => !maySee(role, one));
      for (const address of addresses) {
        const told = await get(address);
        for (const { text, places } of hidden)
          if (told.includes(text)) shown.push(`${role}: ${JSON.stringify(places[0])} by GET ${address}`);
      }
    }
    assert.deepEqual(shown, []);
  });

  it('is shown to those who may read it', async () => {
    const owner = by.get('owner') as Get;
    const told = (await Promise.all(addresses.map(owner))).join('\n');
    const unseen = canaries.filter(({ text }) => !told.includes(text));
    assert.deepEqual(unseen, []);
  });

  it('is not in the log', () => {
    const logged = lines.join('');
    assert.match(logged, /"route":"\/api\/audit-logs"/);
    const told = canaries.filter(({ text }) => logged.includes(text));
    assert.deepEqual(told, []);
  });

  it('cannot be found by filters, sorts or searches', async () => {
    const own = canaries.flatMap(({ text, places }) =>
      places
        .filter(({ entityType }) => ['Employee', 'Absence'].includes(entityType))
        .map((place) => ({ text, ...place })),
    );
    for (const [role, get] of by) {
      if (ROLES[role].permissions.has(PRIVATE) || !ROLES[role].permissions.has('people:read')) continue;
      for (const { entityType, member, text } of own.filter((one) => !maySeePlace(role, one))) {
        const path = entityType === 'Employee' ? '/api/employees' : '/api/absences';
        for (const query of [`${member}=${text}`, `${member}[gte]=0`, `sort=${member}`, `fields=${member}&format=csv`])
          assert.doesNotMatch(await get(`${path}?${query}`), /"total":[1-9]/, query);
        assert.match(await get(`${path}?q=${text}`), /"total":0|invalid_parameter/, member);
      }
    }
  });
});

/** The address of every route that reads, for two records of each kind; lists as files too. */
async function readAddresses(app: TestApp): Promise<string[]> {
  const ids = await existingIds(app);
  const addresses: string[] = [];
  for (const route of ROUTES) {
    if (route.method !== 'GET' || route.access === 'public') continue;
    for (const path of await findPaths(app, route, ids)) {
      addresses.push(path);
      const formats = Object.keys(route.formats ?? {});
      if (formats.includes('csv')) addresses.push(`${path}?format=csv`);
    }
  }
  return addresses;
}

async function findPaths(
  app: TestApp,
  { path }: Route,
  ids: ReadonlyMap<string, readonly string[]>,
): Promise<string[]> {
  const [list = '', ...rest] = path.split(/\/:\w+/);
  if (rest.length === 0) return [path];
  const parents = (ids.get(list) ?? []).slice(0, 2).map((id) => `${list}/${id}`);
  if (rest.length === 1) return parents.map((parent) => `${parent}${rest[0]}`);
  const below: string[] = [];
  for (const parent of parents) {
    const { body } = await app.client.get(`${parent}${rest[0]}`);
    for (const { id } of (Array.isArray(body?.data) ? body.data : []) as { id?: string }[])
      if (id !== undefined) below.push(`${parent}${rest[0]}/${id}${rest[1]}`);
  }
  return below;
}
