import assert from 'node:assert/strict';
import { LateCompanies } from '../../../worker/relay/late-companies.ts';

describe('companies for which workers begin late', () => {
  let now: number;
  let companies: LateCompanies;
  beforeEach(() => {
    now = 0;
    companies = new LateCompanies({ now: () => now, sleep: () => Promise.reject(new Error('nobody sleeps here')) });
  });

  it('are those that wait for more than two seconds', () => {
    assert.deepEqual(companies.hear([]), []);
    assert.deepEqual(
      companies.hear([
        ['a', 2000],
        ['b', 2001],
      ]),
      ['b'],
    );
    assert.deepEqual(companies.due, ['b']);
  });

  it('rest after each batch, the longer the later they are, for two seconds at most', () => {
    companies.hear([
      ['a', 4000],
      ['b', 60_000],
    ]);
    companies.rest('a');
    companies.rest('b');
    now = 499;
    assert.deepEqual(companies.due, []);
    now = 500;
    assert.deepEqual(companies.due, ['a']);
    now = 2000;
    assert.deepEqual(companies.due, ['a', 'b']);
  });

  it('have nothing to rest for once workers begin in time', () => {
    companies.hear([['a', 60_000]]);
    companies.rest('a');
    assert.deepEqual(companies.hear([]), []);
    companies.hear([['a', 3000]]);
    assert.deepEqual(companies.due, ['a']);
  });
});
