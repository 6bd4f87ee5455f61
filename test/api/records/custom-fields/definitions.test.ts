import assert from 'node:assert/strict';
import { newId } from '../../../../db/ids.ts';
import {
  CUSTOM_FIELD_TABLES,
  CUSTOM_FIELD_TYPES,
  MAX_CUSTOM_FIELDS,
} from '../../../../domain/records/custom-fields.ts';
import type { Answer } from '../../../helpers/client.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

describe('definitions of custom fields', () => {
  const app = useApp();

  const define = (field: Record<string, unknown>) =>
    app.client.post('/api/custom-fields', { table_name: 'Item', label: 'Etiqueta', type: 'TEXT', ...field });
  const defined = async (field: Record<string, unknown>) => {
    const answer = await define(field);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data as Record<string, unknown> & { id: string };
  };
  const assertFault = (answer: Answer, pointer: string, code: string) => {
    assertProblem(answer, 422, 'validation_failed');
    const faults = answer.body.errors.map(
      (fault: { pointer: string; code: string }) => `${fault.pointer} ${fault.code}`,
    );
    assert.deepEqual(faults, [`${pointer} ${code}`]);
  };

  it('are created with defaults, and read', async () => {
    const made = await define({ table_name: 'Warehouse', field_name: 'zone' });
    assert.equal(made.status, 201);
    const { id, created_at: at, updated_at: _, ...rest } = made.body.data;
    assert.match(at, /Z$/);
    assert.deepEqual(rest, {
      plugin_id: null,
      table_name: 'Warehouse',
      field_name: 'zone',
      label: 'Etiqueta',
      type: 'TEXT',
      position: 0,
      visible_in_list: true,
      visible_in_form: true,
      required: false,
      default_value: null,
      help_text: null,
      options: null,
      validation_regex: null,
      active: true,
      filterable: false,
      version: 1,
    });
    assert.equal(made.headers.get('location'), `/api/custom-fields/${id}`);
    assert.deepEqual((await app.client.get(`/api/custom-fields/${id}`)).body, made.body);
  });

  it('are changed in the version that was seen; what comes next stands behind', async () => {
    const { id } = await defined({ table_name: 'Warehouse', field_name: 'shelf' });
    const changed = await app.client.patch(`/api/custom-fields/${id}`, { position: 7, visible_in_list: false });
    assert.deepEqual(
      {
        status: changed.status,
        position: changed.body.data.position,
        visible_in_list: changed.body.data.visible_in_list,
        version: changed.body.data.version,
      },
      { status: 200, position: 7, visible_in_list: false, version: 2 },
    );
    assert.equal((await define({ table_name: 'Warehouse', field_name: 'next' })).body.data.position, 8);
    assertProblem(
      await app.client.patch(`/api/custom-fields/${id}`, { label: 'x' }, { 'If-Match': '"1"' }),
      412,
      'stale_version',
    );
  });

  it('are deleted; the audit tells all that happened to them', async () => {
    const { id } = await defined({ table_name: 'Warehouse', field_name: 'gone' });
    assert.equal((await app.client.patch(`/api/custom-fields/${id}`, { label: 'Old' })).status, 200);
    assert.equal((await app.client.del(`/api/custom-fields/${id}`)).status, 204);
    assertProblem(await app.client.get(`/api/custom-fields/${id}`), 404, 'not_found');
    const audit = await app.client.get(`/api/audit-logs?entityType=CustomField&entityId=${id}`);
    assert.deepEqual(
      audit.body.data.map(({ action }: { action: string }) => action),
      ['DELETE', 'UPDATE', 'CREATE'],
    );
  });

  it('may be called in camelCase, in capitals or not the same name, and have an empty list of options where they choose none', async () => {
    const field = { table_name: 'Warehouse', field_name: 'openingHours', label: 'Hours', type: 'TEXT', options: [] };
    const made = await define(field);
    assert.deepEqual([made.status, made.body.data.options], [201, null]);
    const code = 'CAMEL';
    const warehouse = await app.client.post('/api/warehouses', { code, name: 'Camel', custom_openingHours: '9-14' });
    assert.deepEqual([warehouse.status, warehouse.body.data.custom_openingHours], [201, '9-14']);
    const found = await app.client.get('/api/warehouses?custom_openingHours[contains]=14&sort=-custom_openingHours');
    assert.deepEqual(
      found.body.data.map((row: { code: string }) => row.code),
      [code],
    );
    const again = await define({ ...field, field_name: 'openinghours' });
    assert.deepEqual(
      { status: again.status, code: again.body.code, pointer: again.body.errors[0].pointer },
      { status: 409, code: 'duplicate', pointer: '/field_name' },
    );
    const path = `/api/custom-fields/${made.body.data.id}`;
    assert.equal((await app.client.patch(path, { options: [] })).status, 200);
    assert.equal((await app.client.patch(path, { type: 'SELECT', options: [] })).status, 422);
    assert.equal((await app.client.del(path)).status, 204);
  });

  it('exist for every table and type', async () => {
    for (const table_name of CUSTOM_FIELD_TABLES) {
      for (const type of CUSTOM_FIELD_TYPES) {
        const options = /SELECT/.test(type) ? { options: ['uno', 'dos'] } : {};
        await defined({ table_name, type, field_name: `every_${type.toLowerCase()}`, ...options });
      }
      const { body } = await app.client.get(`/api/custom-fields/by-table/${table_name}`);
      const every = body.data.filter(({ field_name: name }: { field_name: string }) => name.startsWith('every_'));
      assert.deepEqual(
        every.map(({ type }: { type: string }) => type),
        CUSTOM_FIELD_TYPES,
      );
      assert.ok(body.data.every((field: { table_name: string }) => field.table_name === table_name));
    }
    const { body } = await app.client.get(
      '/api/custom-fields?table_name=Employee&type[in]=NUMBER,DATE&sort=-field_name&filterable=false',
    );
    assert.deepEqual(
      body.data.map(({ field_name: name }: { field_name: string }) => name),
      ['every_number', 'every_date'],
    );
    assertProblem(await app.client.get('/api/custom-fields/by-table/Invoice'), 400, 'invalid_parameter');
    assertProblem(await app.client.get('/api/custom-fields?options=uno'), 400, 'invalid_parameter');
    assertProblem(await app.client.get('/api/custom-fields?plugin_id=uno'), 400, 'invalid_parameter');
  });

  const refused: [name: string, field: Record<string, unknown>, pointer: string, code: string][] = [
    ['a missing name', {}, '/field_name', 'required'],
    ['capital letters', { field_name: 'Color' }, '/field_name', 'invalid_format'],
    ['a digit first', { field_name: '1a' }, '/field_name', 'invalid_format'],
    ['signs', { field_name: 'a-b' }, '/field_name', 'invalid_format'],
    ['an endless name', { field_name: 'a'.repeat(51) }, '/field_name', 'too_long'],
    ['an unknown table', { field_name: 'a', table_name: 'Zone' }, '/table_name', 'invalid_choice'],
    ['an unknown type', { field_name: 'a', type: 'text' }, '/type', 'invalid_choice'],
    ['a select without options', { field_name: 'a', type: 'SELECT' }, '/options', 'required'],
    ['no options at all', { field_name: 'a', type: 'SELECT', options: [] }, '/options', 'required'],
    ['options twice', { field_name: 'a', type: 'MULTISELECT', options: ['x', 'x'] }, '/options', 'duplicate'],
    ['an empty option', { field_name: 'a', type: 'SELECT', options: [''] }, '/options/0', 'too_short'],
    ['a padded option', { field_name: 'a', type: 'SELECT', options: [' x'] }, '/options/0', 'invalid_format'],
    ['options of a text', { field_name: 'a', options: ['x'] }, '/options', 'not_applicable'],
    [
      'a regex that does not compile',
      { field_name: 'a', validation_regex: '(' },
      '/validation_regex',
      'invalid_pattern',
    ],
    [
      'a regex of a number',
      { field_name: 'a', type: 'NUMBER', validation_regex: '1' },
      '/validation_regex',
      'not_applicable',
    ],
    [
      'a default of another type',
      { field_name: 'a', type: 'NUMBER', default_value: 'ten' },
      '/default_value',
      'invalid_type',
    ],
    [
      'a default too precise',
      { field_name: 'a', type: 'DECIMAL', default_value: '0.10000000000000000001' },
      '/default_value',
      'invalid_type',
    ],
    [
      'a default outside the options',
      { field_name: 'a', type: 'SELECT', options: ['x'], default_value: 'y' },
      '/default_value',
      'invalid_choice',
    ],
    [
      'a default that the regex refuses',
      { field_name: 'a', validation_regex: '^x$', default_value: 'y' },
      '/default_value',
      'invalid_format',
    ],
    [
      'a day that does not exist',
      { field_name: 'a', type: 'DATE', default_value: '2026-02-30' },
      '/default_value',
      'invalid_format',
    ],
  ];
  for (const [name, field, pointer, code] of refused) {
    it(`refuse ${name}`, async () => assertFault(await define(field), pointer, code));
  }

  it('tell several faults at once', async () => {
    const { body } = await define({ field_name: 'a', type: 'DATE', options: ['x'], validation_regex: '^2' });
    assert.deepEqual(
      body.errors.map(({ pointer }: { pointer: string }) => pointer),
      ['/options', '/validation_regex'],
    );
  });

  it('take defaults of every type', async () => {
    const defaults: Record<string, string> = {
      TEXT: 'x',
      NUMBER: '-12',
      DECIMAL: '12.345678',
      BOOLEAN: 'true',
      DATE: '2026-02-28',
      DATETIME: '2026-02-28T10:00:00+01:00',
      SELECT: 'uno',
      MULTISELECT: 'uno, dos',
      TEXTAREA: 'a\nb',
      URL: 'https://example.test',
      EMAIL: 'a@example.test',
      PHONE: '+34 912 345 678',
      CURRENCY: '0.5',
      PERCENTAGE: '100',
    };
    for (const type of CUSTOM_FIELD_TYPES) {
      const options = /SELECT/.test(type) ? { options: ['uno', 'dos'] } : {};
      const field = {
        table_name: 'Employee',
        field_name: `d_${type.toLowerCase()}`,
        type,
        default_value: defaults[type],
      };
      assert.equal((await defined({ ...field, ...options })).default_value, defaults[type]);
    }
    assert.equal((await defined({ field_name: 'd_none', default_value: '' })).default_value, null);
  });

  it('have one field of a name in each table, also when two are made at once', async () => {
    const answers = await Promise.all([1, 2].map(() => define({ field_name: 'single' })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409]);
    const refusal = answers.find(({ status }) => status === 409) as Answer;
    assertProblem(refusal, 409, 'duplicate');
    assert.equal(refusal.body.errors[0].pointer, '/field_name');
    const other = await defined({ field_name: 'other' });
    assertProblem(await app.client.patch(`/api/custom-fields/${other.id}`, { field_name: 'single' }), 409, 'duplicate');
    assert.equal((await define({ table_name: 'SalesOrder', field_name: 'single' })).status, 201);
    assert.equal((await app.client.patch(`/api/custom-fields/${other.id}`, { field_name: 'renamed' })).status, 200);
  });

  it(`are at most ${MAX_CUSTOM_FIELDS} for each table`, async () => {
    const { body } = await app.client.get('/api/custom-fields/by-table/PurchaseOrder');
    for (let count = body.pagination.total as number; count < MAX_CUSTOM_FIELDS; count++) {
      await defined({ table_name: 'PurchaseOrder', field_name: `f${count}` });
    }
    assertFault(await define({ table_name: 'PurchaseOrder', field_name: 'more' }), '/table_name', 'too_many');
    const all = await app.client.get('/api/custom-fields/by-table/PurchaseOrder');
    assert.equal(all.body.data.length, MAX_CUSTOM_FIELDS);
  });

  it('cannot be given to a plugin', async () => {
    assertProblem(await define({ field_name: 'mine', plugin_id: newId() }), 403, 'plugin_owned');
    const { id } = await defined({ field_name: 'theirs' });
    assertProblem(await app.client.patch(`/api/custom-fields/${id}`, { plugin_id: newId() }), 403, 'plugin_owned');
    assert.equal((await app.client.get(`/api/custom-fields/${id}`)).body.data.plugin_id, null);
  });

  it('are read by everybody, and made by owners and administrators', async () => {
    const user = { email: 'viewer@example.test', name: 'V', password: 'correct horse battery staple', role: 'viewer' };
    assert.equal((await app.client.post('/api/users', user)).status, 201);
    const { body } = await app.anonymous.post('/api/auth/login', { email: user.email, password: user.password });
    const viewer = app.as(body.token);
    assert.equal((await viewer.get('/api/custom-fields')).status, 200);
    assertProblem(await viewer.post('/api/custom-fields', {}), 403, 'forbidden');
    assertProblem(await app.anonymous.get('/api/custom-fields/by-table/Item'), 401, 'unauthorized');
  });
});
