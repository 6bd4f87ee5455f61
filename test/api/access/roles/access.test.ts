import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { ROUTES } from '../../../../api/routes.ts';
import type { Role } from '../../../../domain/permissions.ts';
import type { TestClient } from '../../../helpers/client.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { ACCESS_TABLE } from './access-table.ts';

const LETTERS: Readonly<Record<Role, string>> = {
  owner: 'O',
  admin: 'A',
  accountant: 'C',
  sales: 'S',
  purchasing: 'P',
  warehouse: 'W',
  hr: 'H',
  viewer: 'V',
};
const NOBODY = '-'.repeat(Object.keys(LETTERS).length);

interface Row {
  readonly method: string;
  readonly path: string;
  /** The roles allowed, as letters in the order of the roles; or `public`, or `plugin`. */
  readonly who: string;
}

const ROWS: readonly Row[] = ACCESS_TABLE.trim()
  .split('\n')
  .flatMap((line) => {
    const [path = '', ...cells] = line.split(/\s+/);
    return Array.from({ length: cells.length / 2 }, (_, index) => ({
      method: cells[2 * index] ?? '',
      path,
      who: cells[2 * index + 1] ?? '',
    }));
  });

/** Values of path parameters that do not take any UUID. */
const PARAMETERS: Readonly<Record<string, string>> = { ':year': '1999', ':table': 'Item', ':hook': 'scanned' };

/** Invalid JSON: every route that changes something answers 400 to an allowed caller, and changes nothing. */
const MALFORMED = { body: '{', type: 'application/json' };

/** Routes that check the caller only after reading the request. They change nothing either. */
const WELL_FORMED: readonly { readonly of: RegExp; readonly body: string; readonly type: string }[] = [
  { of: /^POST \/api\/import\//, body: 'nothing\n1\n', type: 'text/csv' },
  { of: /^POST \/api\/plugins\/.*\/hooks\//, body: '{}', type: 'application/json' },
  { of: /^PATCH \/api\/users\//, body: '{}', type: 'application/json' },
];

describe('api: access by role', () => {
  /** A member who makes none of the requests. */
  let somebody: string;
  /** A plugin whose hooks nobody else fires. */
  let plugin: { readonly id: string; readonly client: TestClient };
  const clients = new Map<Role, TestClient>();

  const app = useApp();
  before(async () => {
    clients.set('owner', app.client);
    const password = 'correct horse battery';
    const added = await app.client.post('/api/users', { email: 'some@example.test', name: 'Some', password });
    somebody = added.body.data.id;
    const { body } = await app.client.post('/api/plugins', { name: 'Some', version: '1.0.0' });
    plugin = { id: body.data.id, client: app.as(body.data.token) };
    for (const role of Object.keys(LETTERS).filter((name) => name !== 'owner') as Role[]) {
      const email = `${role}@example.test`;
      assert.equal((await app.client.post('/api/users', { email, name: role, password, role })).status, 201);
      const { body } = await app.anonymous.post('/api/auth/login', { email, password });
      clients.set(role, app.as(body.token));
    }
  });

  async function call(client: TestClient, { method, path }: Row): Promise<number> {
    const own: Record<string, string> = { '/api/users/:id': somebody, '/api/plugins/:id/hooks/:hook': plugin.id };
    const id = own[path] ?? randomUUID();
    const address = path.replaceAll(/:\w+/g, (name) => PARAMETERS[name] ?? id);
    const { body, type } = WELL_FORMED.find(({ of }) => of.test(`${method} ${path}`)) ?? MALFORMED;
    const sent = method === 'GET' ? undefined : body;
    const answer = await client.request(method, address, sent, { 'Content-Type': type });
    assert.ok(answer.status < 500, `${method} ${address} → ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.status;
  }

  /** Describes the allowed callers in the terms of the table. */
  async function admitted(row: Row): Promise<string> {
    if ((await call(app.anonymous, row)) !== 401) return 'public';
    const letters = await Promise.all(
      Object.entries(LETTERS).map(async ([role, letter]) =>
        (await call(clients.get(role as Role) as TestClient, row)) === 403 ? '-' : letter,
      ),
    );
    const who = letters.join('');
    return who === NOBODY && (await call(plugin.client, row)) !== 403 ? 'plugin' : who;
  }

  it('has each route in the table', () => {
    const routes = new Set(ROUTES.map(({ method, path }) => `${method} ${path}`));
    const matching = ({ method, path }: Row) =>
      ROUTES.filter((route) => route.method === method && pathPattern(route.path).test(path)).sort(
        // Fixed paths come before those with a parameter in the same place.
        (one, other) => Number(other.path === path) - Number(one.path === path),
      )[0];
    const rows = new Set(
      ROWS.map((row) => {
        const route = matching(row);
        return route === undefined ? `no route: ${row.method} ${row.path}` : `${route.method} ${route.path}`;
      }),
    );
    assert.deepEqual([...rows].sort(), [...routes].sort());
  });

  it('allows exactly the callers in the table', async function () {
    this.timeout(180_000);
    const expected = ROWS.map(({ method, path, who }) => `${method} ${path} ${who}`);
    const found: string[] = [];
    for (const row of ROWS) found.push(`${row.method} ${row.path} ${await admitted(row)}`);
    assert.deepEqual(found, expected);
    assert.ok(ROWS.every(({ who }) => who !== NOBODY));
  });

  it('has changed nothing by these requests', async () => {
    const { rows } = await app.database.withSystem((trx) =>
      trx.raw(`select distinct event from outbox where event not in ('user.created', 'plugin.installed')`),
    );
    assert.deepEqual(rows, []);
  });
});

/** Matches addresses of a path, in which a parameter stands for an address or a word. */
function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:\w+/g, '(?::\\w+|[\\w-]+)')}$`);
}
