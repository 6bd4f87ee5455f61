import assert from 'node:assert/strict';
import { CUSTOM_FIELD_TYPES, type CustomFieldType } from '../../../../domain/records/custom-fields.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { define, type Kind, listKinds } from './records.ts';

const LONG = 'x'.repeat(400);

/** Values of the records a, b and c (d has none), in the order in which they sort. */
const VALUES: Readonly<Record<CustomFieldType, [a: unknown, b: unknown, c: unknown]>> = {
  TEXT: ['100%', 'Ana', 'Ánade'],
  TEXTAREA: ['a\nb', `${LONG}1`, `${LONG}2`],
  NUMBER: [-7, 0, 999_999_999_999_999],
  DECIMAL: [-0.000001, 0.1, 999_999_999_999.999],
  CURRENCY: [9.99, 10, 10.01],
  PERCENTAGE: [0, 33.3333, 100],
  BOOLEAN: [false, false, true],
  DATE: ['0001-01-01', '2026-02-28', '2026-03-01'],
  // The second day of March begins in Madrid at 23:00 of the first, in UTC.
  DATETIME: ['2026-02-28T22:59:59.999Z', '2026-03-01T22:59:59.999Z', '2026-03-01T23:00:00.000Z'],
  SELECT: ['azul', 'rojo', 'verde, oscuro'],
  MULTISELECT: [['rojo'], ['azul', 'rojo'], ['verde, oscuro']],
  URL: ['http://a.test', 'http://b.test', 'https://a.test'],
  EMAIL: ['a@a.test', 'b@a.test', 'c@a.test'],
  PHONE: ['+34 600 000 000', '+34 700 000 000', '112'],
};

/** Filters (without the field's name) and the records that they let through. */
const FILTERS: Readonly<Record<CustomFieldType, [filter: string, records: string][]>> = {
  TEXT: [
    ['=Ana', 'b'],
    ['[ne]=Ana', 'acd'],
    ['[in]=Ana,100%', 'ab'],
    ['[contains]=an', 'b'],
    ['[contains]=%', 'a'],
    ['[gte]=Ana', 'bc'],
    ['[empty]=true', 'd'],
  ],
  TEXTAREA: [
    [`=${LONG.slice(0, 300)}`, ''],
    ['[contains]=x2', 'c'],
    ['[empty]=false', 'abc'],
  ],
  NUMBER: [
    ['=0', 'b'],
    ['=0.5', ''],
    ['[gt]=-7', 'bc'],
    ['[gte]=-7.5', 'abc'],
    ['[gte]=-6.5', 'bc'],
    ['[lt]=0', 'a'],
    ['[lt]=0.5', 'ab'],
    ['=999999999999999', 'c'],
    ['[lte]=-999999999999999', ''],
    ['[in]=0,-7', 'ab'],
  ],
  DECIMAL: [
    ['=0.1', 'b'],
    ['=0.1000001', ''],
    ['[gt]=0.0999999', 'bc'],
    ['[gt]=0.1', 'c'],
    ['[lt]=0.1000001', 'ab'],
    ['=-0.000001', 'a'],
    ['[gt]=-0.0000011', 'abc'],
    ['[lt]=-0.0000009', 'a'],
    ['[lt]=999999999999999', 'abc'],
    ['[empty]=true', 'd'],
  ],
  CURRENCY: [
    ['[gte]=10&custom_f_currency_[lt]=10.01', 'b'],
    ['[ne]=10', 'acd'],
  ],
  PERCENTAGE: [
    ['[lte]=33.3333', 'ab'],
    ['=100', 'c'],
  ],
  BOOLEAN: [
    ['=true', 'c'],
    ['=false', 'ab'],
    ['[ne]=true', 'abd'],
    ['[empty]=true', 'd'],
  ],
  DATE: [
    ['=2026-02-28', 'b'],
    ['[gt]=2026-02-28', 'c'],
    ['[lt]=2026-03-01', 'ab'],
    ['[in]=0001-01-01,2026-03-01', 'ac'],
  ],
  DATETIME: [
    ['=2026-03-01', 'b'],
    ['[lte]=2026-03-01', 'ab'],
    ['[gt]=2026-03-01', 'c'],
    ['[lt]=2026-03-01', 'a'],
    ['[gte]=2026-03-01', 'bc'],
    ['=2026-03-02T00:00:00%2B01:00', 'c'],
    ['[lt]=2026-03-02T00:00:00%2B01:00', 'ab'],
    ['[empty]=true', 'd'],
  ],
  SELECT: [
    ['=rojo', 'b'],
    ['[ne]=rojo', 'acd'],
    ['[in]=rojo,azul', 'ab'],
    ['=verde, oscuro', 'c'],
  ],
  MULTISELECT: [
    ['=rojo', 'ab'],
    ['[contains]=azul', 'b'],
    ['[in]=azul,rojo', 'ab'],
    ['=verde, oscuro', 'c'],
    ['[empty]=true', 'd'],
  ],
  URL: [
    ['=http://b.test', 'b'],
    ['[contains]=a.test', 'ac'],
  ],
  EMAIL: [['=a@a.test', 'a']],
  PHONE: [
    ['=112', 'c'],
    ['=%2B34 600 000 000', 'a'],
  ],
};

const REFUSED: Readonly<Partial<Record<CustomFieldType, string[]>>> = {
  NUMBER: ['=ten', '[contains]=1', '[gte]='],
  BOOLEAN: ['=yes', '[gt]=true'],
  DATE: ['=2026-02-30'],
  DATETIME: ['=yesterday', '[in]=2026-03-01'],
  SELECT: ['=gris', '[contains]=ro', '[gt]=rojo'],
  MULTISELECT: ['=gris', '[contains]=gris', '[gt]=rojo'],
};

describe('lists by custom fields', () => {
  let kinds: Kind[];
  const app = useApp();
  before(async () => {
    kinds = await listKinds(app);
  });

  for (const table of ['Item', 'BusinessPartner', 'Warehouse', 'SalesOrder', 'PurchaseInvoice']) {
    for (const filterable of [false, true]) {
      describe(`of ${table}, ${filterable ? 'with' : 'without'} an index`, () => {
        let path: string;
        let ids: Map<string, string>;
        const name = (type: string) => `custom_f_${type.toLowerCase()}_`;
        const found = async (query: string) => {
          const { status, body } = await app.client.get(
            `${path}?${query.replaceAll(' ', '%20').replaceAll('100%', '100%25').replace(/=%$/, '=%25')}`,
          );
          assert.equal(status, 200, `${query}: ${JSON.stringify(body)}`);
          const known = body.data.flatMap(({ id }: { id: string }) => ids.get(id) ?? []);
          assert.equal(body.pagination.total >= known.length, true);
          return known as string[];
        };

        before(async () => {
          const kind = kinds.find((each) => each.table === table) as Kind;
          path = kind.path;
          const fields = await app.client.get(`/api/custom-fields/by-table/${table}`);
          for (const type of CUSTOM_FIELD_TYPES) {
            const existing = fields.body.data.find(
              ({ field_name }: { field_name: string }) => `custom_${field_name}` === name(type),
            );
            if (existing === undefined)
              await define(app, { table_name: table, type, field_name: `f_${type.toLowerCase()}_`, filterable });
            else await app.client.patch(`/api/custom-fields/${existing.id}`, { filterable });
          }
          if (ids !== undefined) return;
          ids = new Map();
          for (const [index, record] of ['a', 'b', 'c', 'd'].entries()) {
            const custom = Object.fromEntries(
              CUSTOM_FIELD_TYPES.map((type) => [name(type), VALUES[type][index] ?? null]),
            );
            const answer = await app.client.post(path, { ...kind.body, ...custom });
            assert.equal(answer.status, 201, JSON.stringify(answer.body));
            ids.set(answer.body.data.id, record);
          }
        });

        for (const type of CUSTOM_FIELD_TYPES) {
          it(`filter by ${type}`, async () => {
            for (const [filter, expected] of FILTERS[type]) {
              const records = (await found(`${name(type)}${filter}&limit=500`)).sort().join('');
              assert.equal(records, expected, filter);
            }
            for (const filter of REFUSED[type] ?? []) {
              assertProblem(await app.client.get(`${path}?${name(type)}${filter}`), 400, 'invalid_parameter');
            }
          });

          it(type === 'MULTISELECT' ? 'do not sort by MULTISELECT' : `sort by ${type}`, async () => {
            if (type === 'MULTISELECT') {
              assertProblem(await app.client.get(`${path}?sort=${name(type)}`), 400, 'invalid_parameter');
              return;
            }
            const order = async (sort: string) => (await found(`sort=${sort},createdAt&limit=500`)).join('');
            assert.equal(await order(name(type)), 'dabc');
            assert.equal(await order(`-${name(type)}`), type === 'BOOLEAN' ? 'cabd' : 'cbad');
          });
        }

        it('join custom fields with others and with text search', async () => {
          const [b] = [...ids].find(([, record]) => record === 'b') as [string, string];
          const code = (await app.client.get(`${path}/${b}`)).body.data.code as string | null;
          const search = code === null ? '' : `&q=${encodeURIComponent(code)}`;
          assert.deepEqual(await found(`custom_f_number_[gte]=0&custom_f_select_=rojo${search}`), ['b']);
        });

        it('refuse unknown fields', async () => {
          assertProblem(await app.client.get(`${path}?custom_f_nothing=1`), 400, 'invalid_parameter');
          assertProblem(await app.client.get(`${path}?sort=custom_f_nothing`), 400, 'invalid_parameter');
        });

        it('export custom fields', async () => {
          const { status, body } = await app.client.get(`${path}?format=csv&header=names&custom_f_select_=rojo`);
          assert.equal(status, 200);
          const [head] = body.split('\r\n') as string[];
          for (const type of CUSTOM_FIELD_TYPES) assert.ok(head?.includes(name(type)), `${name(type)} in ${head}`);
          assert.match(body, /b@a\.test/);
        });
      });
    }
  }

  it('of one kind do not stumble over values of another type under the same name', async () => {
    const [order, invoice] = ['SalesOrder', 'SalesInvoice'].map(
      (table) => kinds.find((kind) => kind.table === table) as Kind,
    ) as [Kind, Kind];
    await define(app, { table_name: 'SalesOrder', field_name: 'same', type: 'TEXT' });
    for (const type of ['NUMBER', 'BOOLEAN', 'DATE', 'DATETIME', 'MULTISELECT']) {
      const field = await define(app, { table_name: 'SalesInvoice', field_name: 'same', type });
      await app.client.post(order.path, { ...order.body, custom_same: 'no number, no day' });
      const value = { NUMBER: '1', BOOLEAN: 'true', DATE: '2026-01-01', DATETIME: '2026-01-01', MULTISELECT: 'rojo' }[
        type
      ];
      const { status, body } = await app.client.get(`${invoice.path}?custom_same=${value}&limit=500`);
      assert.deepEqual([status, body.pagination.total], [200, 0], type);
      if (type !== 'MULTISELECT') assert.equal((await app.client.get(`${invoice.path}?sort=custom_same`)).status, 200);
      assert.equal((await app.client.del(`/api/custom-fields/${field.id}`)).status, 204);
    }
  });
});
