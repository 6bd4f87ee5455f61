import assert from 'node:assert/strict';
import { CUSTOM_FIELD_TYPES } from '../../../../domain/records/custom-fields.ts';
import type { Answer, TestClient } from '../../../helpers/client.ts';
import { SAMPLES } from '../../../helpers/custom-fields.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { define, type Field, type Kind, listKinds } from './records.ts';

/** Tables whose records are all tested the same way. */
const TABLES = [
  'Item',
  'BusinessPartner',
  'Warehouse',
  'SalesQuotation',
  'PurchaseRequest',
  'SalesOrder',
  'SalesDeliveryNote',
  'SalesInvoice',
  'PurchaseOrder',
  'PurchaseDeliveryNote',
  'PurchaseInvoice',
];

describe('values of custom fields', () => {
  let kinds: Kind[];
  const app = useApp();
  before(async () => {
    kinds = await listKinds(app);
    assert.deepEqual(kinds.map(({ table }) => table).sort(), [...TABLES].sort());
    for (const { table } of kinds) {
      for (const type of CUSTOM_FIELD_TYPES)
        await define(app, { table_name: table, type, field_name: `v_${type.toLowerCase()}` });
    }
  });

  const tableKind = (table: string) => kinds.find((kind) => kind.table === table) as Kind;
  const post = (table: string, custom: Record<string, unknown>, client: TestClient = app.client) =>
    client.post(tableKind(table).path, { ...tableKind(table).body, ...custom });
  const made = async (table: string, custom: Record<string, unknown>) => {
    const answer = await post(table, custom);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data as Record<string, unknown> & { id: string };
  };
  const assertFaults = (answer: Answer, expected: string[]) => {
    assertProblem(answer, 422, 'validation_failed');
    const faults = answer.body.errors.map(
      (fault: { pointer: string; code: string }) => `${fault.pointer} ${fault.code}`,
    );
    assert.deepEqual(faults, expected);
  };
  const change = (field: Field, changes: Record<string, unknown>) =>
    app.client.patch(`/api/custom-fields/${field.id}`, changes);

  for (const table of TABLES) {
    describe(`of ${table}`, () => {
      it('are answered as they were given, by every route', async () => {
        const rounds = Math.max(...CUSTOM_FIELD_TYPES.map((type) => SAMPLES[type].valid.length));
        for (let round = 0; round < rounds; round++) {
          const given = Object.fromEntries(
            CUSTOM_FIELD_TYPES.map((type) => {
              const { valid } = SAMPLES[type];
              return [`custom_v_${type.toLowerCase()}`, valid[round % valid.length]];
            }),
          );
          // Only the answer to a write tells what a person should look at.
          const { warnings: _, ...record } = await made(table, given);
          const { path } = tableKind(table);
          const one = await app.client.get(`${path}/${record.id}`);
          assert.deepEqual(one.body.data, record);
          const listed = await app.client.get(`${path}?sort=-createdAt&limit=1`);
          for (const [name, value] of Object.entries(given)) {
            assert.deepEqual(record[name], value, name);
            assert.deepEqual(listed.body.data[0][name], value, name);
          }
          const audit = await app.client.get(`/api/audit-logs?entityType=${table}&entityId=${record.id}`);
          assert.deepEqual(audit.body.data[0].newValue.custom_v_date, given.custom_v_date);
        }
      });

      it('are all there, null when unset', async () => {
        const record = await made(table, { custom_v_text: null, custom_v_multiselect: [] });
        for (const type of CUSTOM_FIELD_TYPES) assert.equal(record[`custom_v_${type.toLowerCase()}`], null, type);
      });

      for (const type of CUSTOM_FIELD_TYPES) {
        it(`are refused where they are no ${type}, and nothing is written`, async () => {
          const name = `custom_v_${type.toLowerCase()}`;
          const total = async () => (await app.client.get(`${tableKind(table).path}?limit=1`)).body.pagination.total;
          const before = await total();
          for (const [value, code] of SAMPLES[type].invalid) {
            const answer = await post(table, { [name]: value });
            assertProblem(answer, 422, 'validation_failed');
            assert.equal(answer.body.errors.length, 1, JSON.stringify(answer.body.errors));
            assert.match(answer.body.errors[0].pointer, new RegExp(`^/${name}(/\\d+)?$`));
            assert.equal(answer.body.errors[0].code, code, JSON.stringify(value));
          }
          assert.equal(await total(), before);
        });
      }

      it('name their fields', async () =>
        assertFaults(await post(table, { custom_nothing: 1 }), ['/custom_nothing unknown_field']));
    });
  }

  for (const table of ['Item', 'BusinessPartner', 'Warehouse']) {
    it(`of ${table} are changed, cleared and left alone`, async () => {
      const record = await made(table, { custom_v_text: 'a', custom_v_decimal: 1.5, custom_v_select: 'rojo' });
      const path = `${tableKind(table).path}/${record.id}`;
      const changed = await app.client.patch(path, { custom_v_text: 'b', custom_v_decimal: null });
      assert.equal(changed.status, 200, JSON.stringify(changed.body));
      const { custom_v_text: text, custom_v_decimal: decimal, custom_v_select: select, version } = changed.body.data;
      assert.deepEqual({ text, decimal, select, version }, { text: 'b', decimal: null, select: 'rojo', version: 2 });
      const same = await app.client.patch(path, { custom_v_text: 'b', custom_v_select: 'rojo' });
      assert.equal(same.body.data.version, 2);
      assertFaults(await app.client.patch(path, { custom_v_select: 'gris' }), ['/custom_v_select invalid_choice']);
      const [{ oldValue, newValue }] = (await app.client.get(`/api/audit-logs?entityId=${record.id}&limit=1`)).body
        .data;
      assert.deepEqual([oldValue.custom_v_text, newValue.custom_v_text], ['a', 'b']);
      assert.deepEqual([oldValue.custom_v_decimal, newValue.custom_v_decimal], [1.5, undefined]);
    });
  }

  it('are refused together with the other faults of the body', async () => {
    assertFaults(await post('Item', { name: 1, custom_v_number: 'x', custom_nothing: 1, other: 2 }), [
      '/other unknown_field',
      '/name invalid_type',
      '/custom_nothing unknown_field',
      '/custom_v_number invalid_type',
    ]);
    assertFaults(await post('SalesOrder', { lines: [], custom_v_number: 'x' }), [
      '/lines too_few',
      '/custom_v_number invalid_type',
    ]);
    assertFaults(await app.client.post('/api/zones', { custom_v_text: 'x' }).then((answer) => answer), [
      '/warehouseId required',
      '/code required',
      '/custom_v_text unknown_field',
    ]);
  });

  it('normalise instants', async () => {
    const record = await made('Item', { custom_v_datetime: '2026-02-28T01:30:00+02:00' });
    assert.equal(record.custom_v_datetime, '2026-02-27T23:30:00.000Z');
  });

  it('get defaults at creation, of documents too', async () => {
    for (const table of ['BusinessPartner', 'SalesInvoice']) {
      await define(app, { table_name: table, field_name: 'd_number', type: 'NUMBER', default_value: '7' });
      await define(app, { table_name: table, field_name: 'd_multi', type: 'MULTISELECT', default_value: 'rojo, azul' });
      const record = await made(table, {});
      assert.deepEqual([record.custom_d_number, record.custom_d_multi], [7, ['rojo', 'azul']]);
      assert.equal((await made(table, { custom_d_number: null })).custom_d_number, 7);
      assert.deepEqual((await made(table, { custom_d_multi: [] })).custom_d_multi, null);
    }
  });

  it('need what is required, without stopping changes of old records', async () => {
    const old = await made('Warehouse', {});
    const field = await define(app, { table_name: 'Warehouse', field_name: 'needed', required: true });
    assertFaults(await post('Warehouse', {}), ['/custom_needed required']);
    const path = `/api/warehouses/${old.id}`;
    assert.equal((await app.client.patch(path, { name: 'Sur' })).status, 200);
    assert.equal((await app.client.patch(path, { custom_needed: 'x' })).status, 200);
    assertFaults(await app.client.patch(path, { custom_needed: null }), ['/custom_needed required']);
    assert.equal((await change(field, { required: false })).status, 200);
    assert.equal((await app.client.patch(path, { custom_needed: null })).status, 200);
  });

  it('match the regular expression, and a hostile one stalls nothing', async () => {
    const field = await define(app, { table_name: 'Item', field_name: 'plate', validation_regex: '^\\d{4} [A-Z]{3}$' });
    assert.equal((await made('Item', { custom_plate: '1234 BCD' })).custom_plate, '1234 BCD');
    assertFaults(await post('Item', { custom_plate: '1234BCD' }), ['/custom_plate invalid_format']);
    assert.equal((await change(field, { validation_regex: '^(a+)+$' })).status, 200);
    assertFaults(await post('Item', { custom_plate: `${'a'.repeat(100)}!` }), ['/custom_plate invalid_format']);
    assert.equal((await made('Item', { custom_plate: 'aaa' })).custom_plate, 'aaa');
  });

  it('of inactive fields are hidden, not writable, and kept', async () => {
    const field = await define(app, { table_name: 'Item', field_name: 'quiet' });
    const record = await made('Item', { custom_quiet: 'x' });
    await change(field, { active: false });
    assert.equal('custom_quiet' in (await app.client.get(`/api/items/${record.id}`)).body.data, false);
    assertFaults(await app.client.patch(`/api/items/${record.id}`, { custom_quiet: 'y' }), [
      '/custom_quiet unknown_field',
    ]);
    assertProblem(await app.client.get('/api/items?custom_quiet=x'), 400, 'invalid_parameter');
    await app.client.patch(`/api/items/${record.id}`, { name: 'Otra', custom_v_text: 'z' });
    await change(field, { active: true });
    assert.equal((await app.client.get(`/api/items/${record.id}`)).body.data.custom_quiet, 'x');
  });

  describe('bind their definition', () => {
    for (const table of ['BusinessPartner', 'PurchaseInvoice']) {
      it(`of ${table}: its table, name and type`, async () => {
        const field = await define(app, { table_name: table, field_name: 'bound' });
        assert.equal((await change(field, { type: 'NUMBER' })).status, 200);
        assert.equal((await change(field, { type: 'TEXT', field_name: 'tied' })).status, 200);
        for (let count = 0; count < 2; count++) await made(table, { custom_tied: 'x' });
        for (const changes of [{ table_name: 'Item' }, { field_name: 'other' }, { type: 'TEXTAREA' }]) {
          const answer = await change(field, changes);
          assertProblem(answer, 409, 'in_use');
          assert.match(answer.body.detail, /2 records/);
          assert.deepEqual(answer.body.uses, [{ entityType: table, count: 2 }]);
          assert.equal(answer.body.errors[0].pointer, `/${Object.keys(changes)[0]}`);
        }
        assert.equal((await change(field, { label: 'Otra', required: true, type: 'TEXT' })).status, 200);
        await change(field, { required: false });
      });
    }

    for (const [type, value] of [
      ['SELECT', 'rojo'],
      ['MULTISELECT', ['rojo', 'azul']],
    ] as const) {
      it(`by the options that ${type} records have chosen`, async () => {
        const name = `bound_${type.toLowerCase()}`;
        const field = await define(app, { table_name: 'SalesOrder', field_name: name, type });
        await made('SalesOrder', { [`custom_${name}`]: value });
        const answer = await change(field, { options: ['azul', 'nuevo'] });
        assertProblem(answer, 409, 'in_use');
        assert.match(answer.body.detail, /rojo \(1\)/);
        assert.equal((await change(field, { options: ['nuevo', 'azul', 'rojo'] })).status, 200);
      });
    }
  });

  describe('of a deleted field', () => {
    const remove = async ({ id }: Field) =>
      assert.equal((await app.client.del(`/api/custom-fields/${id}`)).status, 204);
    const read = async (id: string) => (await app.client.get(`/api/items/${id}`)).body.data;

    it('come back with a field of the same name and type', async () => {
      const record = await made('Item', {});
      const first = await define(app, { table_name: 'Item', field_name: 'gone' });
      await app.client.patch(`/api/items/${record.id}`, { custom_gone: 'x' });
      await remove(first);
      assert.equal('custom_gone' in (await read(record.id)), false);
      const other = await define(app, { table_name: 'Item', field_name: 'gone', type: 'NUMBER' });
      assert.equal((await read(record.id)).custom_gone, null);
      await app.client.patch(`/api/items/${record.id}`, { custom_gone: 5 });
      assert.equal((await read(record.id)).custom_gone, 5);
      await remove(other);
      await define(app, { table_name: 'Item', field_name: 'gone' });
      assert.equal((await read(record.id)).custom_gone, 'x');
    });

    it('come back only with the options that were chosen', async () => {
      const field = await define(app, { table_name: 'Item', field_name: 'gone_select', type: 'SELECT' });
      const record = await made('Item', { custom_gone_select: 'rojo' });
      await remove(field);
      const body = { table_name: 'Item', field_name: 'gone_select', label: 'L', type: 'SELECT', options: ['azul'] };
      assertProblem(await app.client.post('/api/custom-fields', body), 409, 'in_use');
      await define(app, { ...body, options: ['azul', 'rojo'] });
      assert.equal((await read(record.id)).custom_gone_select, 'rojo');
    });

    it('stay away after thirty days', async () => {
      const field = await define(app, { table_name: 'Item', field_name: 'long_gone' });
      const record = await made('Item', { custom_long_gone: 'x' });
      await remove(field);
      await app.database.withTenant(app, (trx) =>
        trx('deleted_custom_fields')
          .where({ field_name: 'long_gone' })
          .update({ deleted_at: trx.raw(`deleted_at - interval '31 days'`) }),
      );
      await define(app, { table_name: 'Item', field_name: 'long_gone' });
      assert.equal((await read(record.id)).custom_long_gone, null);
    });
  });

  it('belong to their company', async () => {
    const company = { name: 'Otra SL', taxId: 'B98765431', country: 'ES', currency: 'EUR' };
    const { body } = await app.client.post('/api/tenants', company);
    const other = app.as(app.token, body.data.id);
    assertFaults(await other.post('/api/warehouses', { name: 'X', custom_v_text: 'x' }), [
      '/custom_v_text unknown_field',
    ]);
    await define({ client: other }, { table_name: 'Warehouse', field_name: 'v_text', type: 'NUMBER' });
    const theirs = await other.post('/api/warehouses', { name: 'X', custom_v_text: 5 });
    assert.equal(theirs.body.data.custom_v_text, 5);
    assert.equal('custom_v_number' in theirs.body.data, false);
    const [mine] = (await app.client.get('/api/custom-fields/by-table/Warehouse?limit=1')).body.data;
    assertProblem(await other.get(`/api/custom-fields/${mine.id}`), 404, 'not_found');
    assertProblem(await other.patch(`/api/custom-fields/${mine.id}`, { label: 'x' }), 404, 'not_found');
    assertProblem(await other.del(`/api/custom-fields/${mine.id}`), 404, 'not_found');
    assert.equal((await other.get('/api/custom-fields')).body.pagination.total, 1);
  });

  it('are checked against definitions that change meanwhile', async () => {
    const field = await define(app, { table_name: 'Item', field_name: 'racing' });
    const [change, ...writes] = await Promise.all([
      app.client.patch(`/api/custom-fields/${field.id}`, { type: 'NUMBER' }),
      ...Array.from({ length: 8 }, () => post('Item', { custom_racing: 'x' })),
    ]);
    const written = writes.filter(({ status }) => status === 201).length;
    assert.ok(writes.every(({ status }) => status === 201 || status === 422));
    assert.equal(change?.status, written > 0 ? 409 : 200);
  });

  it('are known to an API key and to people alike', async () => {
    const { body } = await app.client.post('/api/api-keys', { name: 'm', role: 'owner' });
    const machine = app.as(body.data.key);
    const answer = await post('Warehouse', { custom_v_text: 'by key' }, machine);
    assert.equal(answer.body.data.custom_v_text, 'by key');
  });
});
