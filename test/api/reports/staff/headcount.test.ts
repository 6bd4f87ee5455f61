/** Headcount over HTTP, against days counted one by one. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { daysAfter } from '../../../../domain/days.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

interface Person {
  readonly from: string;
  readonly to?: string;
  /** From which day on in the second department. */
  readonly moves?: string;
  readonly hours?: number;
}

const PEOPLE: readonly Person[] = [
  { from: '2025-01-01', hours: 45 },
  { from: '2026-01-15', to: '2026-03-31' },
  { from: '2025-06-01', moves: '2026-02-01' },
  { from: '2026-02-10', hours: 20 },
  { from: '2024-01-01', to: '2025-12-31' },
];
const RANGE = { from: '2026-01-01', to: '2026-03-31' };
const DAYS = Array.from({ length: 90 }, (_, index) => daysAfter(RANGE.from, index));

const isThere = ({ from, to }: Person, day: string) => from <= day && (to === undefined || to >= day);
const average = (amounts: readonly number[]) =>
  Math.round((amounts.reduce((total, each) => total + each, 0) / DAYS.length) * 100) / 100;

describe('the report headcount', () => {
  const app = useApp({ clock: { now: new Date('2026-04-10T10:00:00Z') } });
  const made = use(async () => {
    const post = async (path: string, body: object) => {
      const answer = await app.client.post(path, body);
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      return answer.body.data as { id: string };
    };
    const shop = (await post('/api/departments', { name: 'Shop' })).id;
    const store = (await post('/api/departments', { name: 'Store' })).id;
    for (const [index, { from, to, moves, hours }] of PEOPLE.entries()) {
      const body = { name: `P${index}`, hireDate: from, endDate: to, workingHours: hours, departmentId: shop };
      const { id } = await post('/api/employees', JSON.parse(JSON.stringify(body)));
      if (moves) await post(`/api/employees/${id}/contracts`, { from: moves, departmentId: store });
    }
    return { shop, store };
  });
  const read = async (more = '') => {
    const { status, body } = await app.client.get(`/api/reports/headcount?from=${RANGE.from}&to=${RANGE.to}${more}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };

  it('counts who is there, on average, who comes and who leaves', async () => {
    const { data, summary } = await read();
    const there = DAYS.map((day) => PEOPLE.filter((person) => isThere(person, day)));
    assert.deepEqual(summary, {
      at_end: 4,
      average: average(there.map((people) => people.length)),
      fte: average(there.map((people) => people.reduce((total, { hours = 40 }) => total + Math.min(1, hours / 40), 0))),
      joins: 2,
      leaves: 1,
    });
    assert.deepEqual({ ...summary, rows: data.rows }, data);
  });

  it('counts in each department by days, and adds up', async () => {
    const { data, summary } = await read();
    const [shop, store] = data.rows;
    assert.deepEqual([shop.name, store.name], ['Shop', 'Store']);
    assert.deepEqual([shop.at_end, store.at_end, store.joins], [3, 1, 0]);
    assert.equal(store.average, average(DAYS.map((day) => (day >= '2026-02-01' ? 1 : 0))));
    assert.equal(Math.round((shop.average + store.average) * 100), Math.round(summary.average * 100));
    const one = await read(`&department_id=${made.store}`);
    assert.deepEqual(one.data.rows, [store]);
    const { body } = await app.client.get(store.drilldown);
    assert.deepEqual(
      (body.data as { name: string }[]).map(({ name }) => name),
      ['P2'],
    );
  });

  it('is empty before anybody was there, and refuses departments that are not', async () => {
    const { body } = await app.client.get('/api/reports/headcount?from=2020-01-01&to=2020-12-31');
    assert.deepEqual(body.data, { at_end: 0, average: 0, fte: 0, joins: 0, leaves: 0, rows: [] });
    const nobody = '018f0000-0000-7000-8000-000000000000';
    assertProblem(await app.client.get(`/api/reports/headcount?department_id=${nobody}`), 404, 'not_found');
  });
});
