/**
 * Every PATCH and PUT takes what its GET answers (declared resources: resources/sent-back.ts), and every route with a body refuses
 * what is no object.
 */
import assert from 'node:assert/strict';
import { ROUTES } from '../../../../api/routes.ts';
import { newId } from '../../../../db/ids.ts';
import { DOCUMENT_TYPES, type DocType } from '../../../../domain/trade/documents/types.ts';
import { TODAY } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openTrade } from '../../trade/documents/trade.ts';

// biome-ignore lint/suspicious/noExplicitAny: records of every kind
type Row = any;

describe('what was read and is sent back', function () {
  this.timeout(60_000);
  const app = useApp();
  const trade = use(() => openTrade(app, 1000));

  const make = async (path: string, body: object): Promise<Row> => {
    const answer = await app.client.post(path, body);
    assert.ok(answer.status < 300, `POST ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
  const account = async (code: string) =>
    (await app.client.get(`/api/accounts?code=${code}`)).body.data[0].id as string;
  const document = async (docType: DocType, values: object = {}) => {
    const { path, side } = DOCUMENT_TYPES[docType];
    const lines = [
      { itemId: trade.itemId, quantity: 2, price: 2.5, discountPercent: 10 },
      { description: 'Carriage', quantity: 1, price: 7, taxGroupId: trade.taxGroupId },
    ];
    const partnerId = side === 'sales' ? trade.customerId : trade.supplierId;
    return `${path}/${(await make(path, { partnerId, lines, ...values })).id}`;
  };
  const inOne = (path: string, { id }: Row) => `${path}/${id}`;

  /** The address of a record of each kind, a change of it, and members of it that cannot be set. */
  const kinds: Readonly<Record<string, { at: () => Promise<string>; change: Row; fixed: Row }>> = {
    users: {
      at: async () => inOne('/api/users', await make('/api/users', { email: 'ana@example.test', name: 'Ana' })),
      change: { name: 'Ana María' },
      fixed: { id: newId(), role: 'owner', createdAt: '2020-01-01T00:00:00Z', version: 7 },
    },
    memberships: {
      at: async () => {
        const user = await make('/api/users', { email: 'eva@example.test', name: 'Eva' });
        return `/api/memberships/${user.membershipId}`;
      },
      change: { role: 'sales' },
      fixed: { userId: newId(), version: 7 },
    },
    'API keys': {
      at: async () => inOne('/api/api-keys', await make('/api/api-keys', { name: 'Shop', role: 'sales' })),
      change: { name: 'Web shop' },
      fixed: { role: 'owner', createdBy: newId() },
    },
    webhooks: {
      at: async () =>
        inOne('/api/webhooks', await make('/api/webhooks', { name: 'W', url: 'https://a.example.com', events: ['*'] })),
      change: { retry_policy: { max_attempts: 3, retry_delay_seconds: [1] } },
      fixed: { secret_set: true, created_at: '2020-01-01T00:00:00Z' },
    },
    'webhooks of one event': {
      at: async () =>
        inOne(
          '/api/webhooks',
          await make('/api/webhooks', { url: 'https://a.example.com', event: 'payment.received' }),
        ),
      change: { max_in_flight: 3 },
      fixed: { version: 9 },
    },
    'journal entries': {
      at: async () => {
        const [rents, bank] = [await account('621'), await account('572')];
        const lines = [
          { accountId: rents, debit: 100.5, description: 'Rent' },
          { accountId: bank, credit: 100.5 },
        ];
        return inOne('/api/journal-entries', await make('/api/journal-entries', { date: TODAY, lines }));
      },
      change: { description: 'Rent of June' },
      fixed: { total: 1, fiscalYear: 1999, status: 'posted' },
    },
    'draft invoices': {
      at: () => document('SINV', { billingAddress: { street: 'Calle Mayor 1', city: 'Madrid' } }),
      change: { reference: 'ABC' },
      fixed: { docType: 'SO', number: 7, code: 'X', total: 1, taxes: [], partner: { id: newId() } },
    },
    'posted invoices': {
      at: async () => {
        const url = await document('SINV');
        await make(`${url}/post`, {});
        return url;
      },
      change: { internalNotes: 'Paid late before' },
      fixed: { paymentStatus: 'paid', outstanding: 0.01, postedAt: '2020-01-01T00:00:00Z' },
    },
    'open orders': {
      at: () => document('PO'),
      change: { notes: 'By the gate' },
      fixed: { subtotal: 0, closedAt: TODAY },
    },
    'delivery notes': {
      at: () => document('SDN'),
      change: { tags: ['north'] },
      fixed: { status: 'C', returns: newId() },
    },
    company: { at: async () => '/api/company', change: { city: 'Soria' }, fixed: {} },
    branding: { at: async () => '/api/config/branding', change: { appName: 'Ours' }, fixed: {} },
    format: { at: async () => '/api/config/format', change: { dateFormat: 'yyyy-MM-dd' }, fixed: {} },
    flags: { at: async () => '/api/config/flags', change: { watermarkDraft: false }, fixed: {} },
    tax: { at: async () => '/api/config/tax', change: { proRata: 80 }, fixed: {} },
    payments: { at: async () => '/api/config/payments', change: {}, fixed: {} },
    accounting: { at: async () => '/api/config/accounting', change: { stockCountEntries: false }, fixed: {} },
  };

  for (const [kind, { at, change, fixed }] of Object.entries(kinds)) {
    it(`changes nothing of ${kind}, or just what differs`, async () => {
      const path = await at();
      const send = path.startsWith('/api/config') || path === '/api/company' ? app.client.put : app.client.patch;
      const get = async () => {
        const { body, headers } = await app.client.get(path);
        return { row: (body.data ?? body) as Row, etag: headers.get('etag') };
      };
      const before = await get();
      const same = await send.call(app.client, path, before.row);
      assert.equal(same.status, 200, JSON.stringify(same.body));
      assert.deepEqual(await get(), before);

      const changed = await send.call(app.client, path, { ...before.row, ...change });
      assert.equal(changed.status, 200, JSON.stringify(changed.body));
      const after = (await get()).row;
      const moving = { version: after.version, updatedAt: after.updatedAt, updated_at: after.updated_at };
      const expected = { ...before.row, ...change, ...moving };
      assert.deepEqual(after, JSON.parse(JSON.stringify(expected)));

      for (const [name, value] of Object.entries(fixed)) {
        const refused = await send.call(app.client, path, { ...after, [name]: value });
        assertProblem(refused, 422, 'validation_failed');
        const faults = refused.body.errors.map(({ pointer, code }: Row) => [pointer, code]);
        assert.deepEqual(faults, [[`/${name}`, 'read_only']], `${name}: ${JSON.stringify(refused.body)}`);
      }
      assert.deepEqual((await get()).row, after);
    });
  }

  it('covers every PATCH and PUT that no declaration makes', () => {
    const covered = [
      '/api/users/:id',
      '/api/memberships/:id',
      '/api/api-keys/:id',
      '/api/webhooks/:id',
      '/api/journal-entries/:id',
    ];
    const changing = ROUTES.filter(
      ({ method, body, isUpload }) =>
        (method === 'PATCH' || method === 'PUT') && body !== undefined && isUpload !== true,
    );
    assert.deepEqual(
      changing.filter(({ readBack }) => readBack === undefined).map(({ path }) => path),
      [],
    );
    for (const path of covered)
      assert.ok(
        changing.some((route) => route.path === path),
        path,
      );
  });

  it('changes one member of one line', async () => {
    for (const docType of ['SINV', 'PINV', 'SO', 'PO'] as const) {
      const url = await document(docType);
      const read: Row = (await app.client.get(url)).body.data;
      const [goods, carriage] = read.lines;
      for (const change of [{ quantity: 3 }, { price: 3.25 }, { discountPercent: 0 }, { description: 'Oranges' }]) {
        const now: Row = (await app.client.get(url)).body.data;
        const lines = [{ ...now.lines[0], ...change }, now.lines[1]];
        const answer = await app.client.patch(url, { ...now, lines });
        assert.equal(answer.status, 200, `${docType} ${JSON.stringify(change)}: ${JSON.stringify(answer.body)}`);
        const follows = { amount: 0, nonDeductibleTax: 0, openQuantity: 0, baseUnit: 0 };
        const [line, other] = answer.body.data.lines;
        assert.deepEqual({ ...line, ...follows }, { ...now.lines[0], ...change, ...follows });
        // Non-deductible tax is distributed over all lines.
        assert.deepEqual({ ...other, nonDeductibleTax: 0 }, { ...carriage, nonDeductibleTax: 0 });
      }
      const { quantity, price } = goods;
      const back = await app.client.patch(url, {
        lines: [{ id: goods.id, quantity, price: null }, { id: carriage.id }],
      });
      assert.equal(
        back.body.data?.lines[0].price,
        docType.startsWith('S') ? 2.5 : 1.2,
        JSON.stringify([price, back.body]),
      );
      for (const [member, value] of Object.entries({ amount: 1, lineNumber: 9, taxRate: 4, deliveredQuantity: 1 })) {
        const lines = [{ ...back.body.data.lines[0], [member]: value }, back.body.data.lines[1]];
        const refused = await app.client.patch(url, { lines });
        assertProblem(refused, 422, 'validation_failed');
        assert.deepEqual(
          [refused.body.errors[0].pointer, refused.body.errors[0].code],
          [`/lines/0/${member}`, 'read_only'],
        );
      }
      const none = await app.client.patch(url, { lines: [{ id: goods.id, quantity: null }] });
      assert.deepEqual([none.status, none.body.errors?.[0].pointer], [422, '/lines/0/quantity']);
      const copied = await app.client.patch(url, { lines: [...back.body.data.lines, { ...carriage, id: undefined }] });
      assert.equal(copied.body.errors?.[0].code, 'read_only');
    }
  });

  it('tells a stale version from what cannot be set', async () => {
    const url = await document('SINV');
    const read: Row = (await app.client.get(url)).body.data;
    assert.equal((await app.client.patch(url, { notes: 'a' })).status, 200);
    const stale = await app.client.patch(url, { ...read, notes: 'b' });
    assertProblem(stale, 422, 'validation_failed');
    assert.ok(stale.body.errors.some(({ pointer }: Row) => pointer === '/version'));
    assertProblem(await app.client.patch(url, { ...read, notes: 'b' }, { 'If-Match': '"1"' }), 412, 'stale_version');
  });

  it('lets one of several win who send back what they all have read', async () => {
    const url = await document('SINV');
    const read: Row = (await app.client.get(url)).body.data;
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((notes) => app.client.patch(url, { ...read, notes })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422, 422, 422]);
  });

  it('takes null for what is left out of orders, lines, counts, transfers, webhooks and users', async () => {
    const made = async (path: string, body: object) => {
      const { status, body: answer } = await app.client.post(path, body);
      assert.equal(status, 201, `${path}: ${JSON.stringify(answer)}`);
    };
    const optional = (schema: Row, given: object) =>
      Object.fromEntries(
        Object.keys(schema.properties)
          .filter((name) => !(name in given))
          .map((name) => [name, null]),
      );
    const bodies: [path: string, body: Row][] = [
      ...(['/api/sales', '/api/sales/invoices', '/api/purchases/delivery-notes'] as const).map(
        (path): [string, Row] => [
          path,
          {
            partnerId: path.startsWith('/api/sales') ? trade.customerId : trade.supplierId,
            lines: [{ itemId: trade.itemId, quantity: 1 }],
          },
        ],
      ),
      [
        '/api/stock/adjustments',
        { warehouseId: trade.warehouseId, lines: [{ itemId: trade.itemId, countedQuantity: 500 }] },
      ],
      ['/api/webhooks', { name: 'W', url: 'https://a.example.com', events: ['*'] }],
      ['/api/users', { email: 'nil@example.test', name: 'Nil' }],
      ['/api/api-keys', { name: 'K' }],
    ];
    for (const [path, body] of bodies) {
      const route = ROUTES.find((one) => one.method === 'POST' && one.path === path);
      const schema = route?.body as Row;
      const lines = body.lines?.map((line: object) => ({ ...optional(schema.properties.lines.items, line), ...line }));
      await made(path, { ...optional(schema, body), ...body, ...(lines ? { lines } : {}) });
    }
  });

  it('is an object on every route that takes a body', async () => {
    for (const route of ROUTES.filter(({ method, upload }) => method !== 'GET' && upload === undefined)) {
      const path = route.path.replaceAll(/:\w+/g, newId()).replace('/api/reconciliation/status', '');
      for (const body of ['null', '[]', '"text"', '""', '7', 'true']) {
        const answer = await app.client.request(route.method, path, body);
        if (answer.status === 400 || answer.status === 404) continue; // parameters that are no ids, or no such record: read first
        assert.equal(
          answer.status,
          422,
          `${route.method} ${path} ${body}: ${answer.status} ${JSON.stringify(answer.body)}`,
        );
        assert.deepEqual(
          answer.body.errors,
          [{ pointer: '', code: 'invalid_type', message: 'must be an object' }],
          path,
        );
      }
    }
    const before = (await app.client.get('/api/config/branding')).body;
    assertProblem(await app.client.put('/api/config/branding', 'null'), 422, 'validation_failed');
    assert.deepEqual((await app.client.get('/api/config/branding')).body, before);
  });

  it('takes what binary numbers leave of a decimal', async () => {
    const { path } = DOCUMENT_TYPES.SINV;
    const lines = [{ description: 'x', taxGroupId: trade.taxGroupId, quantity: 0.1 + 0.2, price: 1.1 * 3 }];
    const { lines: stored } = await make(path, { partnerId: trade.customerId, lines });
    assert.deepEqual([stored[0].quantity, stored[0].price], [0.3, 3.3]);
    for (const quantity of [0.30001, 0.3000001]) {
      const refused = await app.client.post(path, { partnerId: trade.customerId, lines: [{ ...lines[0], quantity }] });
      assert.deepEqual([refused.status, refused.body.errors?.[0].code], [422, 'too_many_decimals']);
    }
  });
});
