import assert from 'node:assert/strict';
import { useApp } from '../helpers/hooks.ts';
import { assertProblem } from '../helpers/problem.ts';

/** Characters of all long texts of one record. */
const FIELDS = 40;
const LENGTH = 9000;
/** Together they have more than a page may have. */
const RECORDS = 28;

describe('a page of large rows', () => {
  const app = useApp();

  before(async () => {
    const names = Array.from({ length: FIELDS }, (_, at) => `text_${at}`);
    for (const field_name of names) {
      const field = { table_name: 'Warehouse', field_name, label: 'Text', type: 'TEXTAREA' };
      assert.equal((await app.client.post('/api/custom-fields', field)).status, 201);
    }
    const texts = Object.fromEntries(names.map((name) => [`custom_${name}`, 'x'.repeat(LENGTH)]));
    for (let at = 0; at < RECORDS; at += 1) {
      const { status, body } = await app.client.post('/api/warehouses', { code: `W${at}`, name: 'Large', ...texts });
      assert.equal(status, 201, JSON.stringify(body).slice(0, 500));
    }
  });

  for (const path of ['/api/warehouses', '/api/audit-logs?entityType=Warehouse']) {
    it(`is refused, with the number of rows that fit: ${path}`, async () => {
      const page = `${path}${path.includes('?') ? '&' : '?'}limit=`;
      const answer = await app.client.get(`${page}500`);
      assertProblem(answer, 400, 'invalid_parameter');
      const [, fitting] = /the first (\d+) rows/.exec(answer.body.detail) ?? [];
      assert.ok(Number(fitting) > 10, answer.body.detail);
      const fits = await app.client.get(`${page}${Number(fitting)}`);
      assert.equal(fits.status, 200);
      assert.equal((await app.client.get(`${page}1`)).status, 200);
    });
  }
});
