import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type ListDefinition, parseListQuery } from '../../../db/queries/list.ts';
import { isDay } from '../../../domain/days.ts';
import { ServiceError } from '../../../domain/errors.ts';

const definition: ListDefinition = {
  defaultSort: 'code',
  fields: {
    code: { type: 'text', searchable: true },
    price: { type: 'number' },
    count: { type: 'integer' },
    active: { type: 'boolean' },
    date: { type: 'date' },
    createdAt: { type: 'instant' },
    partnerId: { type: 'uuid' },
    status: { type: 'choice', choices: ['O', 'C'] },
    secret: { type: 'text', filterable: false, sortable: false },
  },
};

describe('list grammar', () => {
  it('has defaults', () => {
    assert.deepEqual(parseListQuery(definition, {}), {
      filters: [],
      sort: [{ field: 'code', descending: false }],
      q: undefined,
      page: 1,
      limit: 50,
      skipped: 0,
      isDefault: true,
    });
    for (const parameters of [{}, { page: '1', limit: '50', sort: 'code', q: ' ' }])
      assert.ok(parseListQuery(definition, parameters).isDefault);
    for (const parameters of [{ page: '2' }, { limit: '51' }, { sort: '-code' }, { q: 'a' }, { count: '1' }])
      assert.ok(!parseListQuery(definition, parameters).isDefault, JSON.stringify(parameters));
  });

  it('reads filters, operators, sorting and paging', () => {
    const query = parseListQuery(definition, {
      'price[gte]': '10.50',
      'status[in]': 'O,C',
      active: 'true',
      'date[empty]': 'false',
      'code[contains]': 'a,b',
      sort: '-date,code',
      q: ' ana ',
      page: '3',
      limit: '500',
    });
    assert.deepEqual(query.filters, [
      { field: 'price', operator: 'gte', values: ['10.50'] },
      { field: 'status', operator: 'in', values: ['O', 'C'] },
      { field: 'active', operator: 'eq', values: [true] },
      { field: 'date', operator: 'empty', values: [false] },
      { field: 'code', operator: 'contains', values: ['a,b'] },
    ]);
    assert.deepEqual(query.sort, [
      { field: 'date', descending: true },
      { field: 'code', descending: false },
    ]);
    assert.deepEqual({ q: query.q, page: query.page, limit: query.limit }, { q: 'ana', page: 3, limit: 500 });
  });

  it('reads a value with empty brackets like one without, as some generated clients write it', () => {
    assert.deepEqual(parseListQuery(definition, { 'code[]': 'x' }).filters, [
      { field: 'code', operator: 'eq', values: ['x'] },
    ]);
  });

  const refused: [name: string, value: string, named: RegExp][] = [
    ['foo', '1', /foo is not a filter .* code, price/],
    ['secret', 'x', /secret is not a filter/],
    ['constructor', 'x', /constructor is not a filter/],
    ['price', 'ten', /price must be a number/],
    ['price', '1e3', /price must be a number/],
    ['price[contains]', '1', /price takes the operators/],
    ['count', '1.5', /whole number/],
    ['active', 'yes', /true or false/],
    ['date', '2026-02-30', /day/],
    ['createdAt[gte]', 'yesterday', /instant/],
    ['createdAt[gte]', '2026-01-31T00:00:00+16:00', /instant/],
    ['createdAt[gte]', '2026-02-30T00:00:00Z', /instant/],
    ['partnerId', '17', /UUID/],
    ['status', 'X', /one of O, C/],
    ['status[in]', 'O,X', /one of O, C/],
    ['code[empty]', 'maybe', /true or false/],
    ['price[]', 'ten', /price\[\] must be a number/],
    ['code[like]', 'x', /operators/],
    ['code[gt', 'x', /not a filter/],
    ['sort', 'secret', /"secret" is not a field to sort by/],
    ['sort', '', /sort by/],
    ['page', '0', /page/],
    ['limit', '501', /limit .* 500/],
    ['limit', '1e2', /limit/],
    ['q', 'x'.repeat(201), /q must have at most/],
  ];
  for (const [name, value, named] of refused) {
    it(`refuses ${name}=${value.slice(0, 20)}`, () => {
      assert.throws(
        () => parseListQuery(definition, { [name]: value }),
        (error: unknown) =>
          error instanceof ServiceError && error.code === 'invalid_parameter' && named.test(error.message),
      );
    });
  }

  it('answers any parameters with a query or a refusal, never with another failure', () => {
    const name = fc.oneof(
      fc.constantFrom(...Object.keys(definition.fields), 'page', 'limit', 'sort', 'q'),
      fc
        .tuple(
          fc.constantFrom(...Object.keys(definition.fields)),
          fc.constantFrom('gte', 'lt', 'in', 'contains', 'empty', 'ne', 'x', ''),
        )
        .map(([field, operator]) => `${field}[${operator}]`),
      fc.string(),
    );
    const value = fc.oneof(
      fc.string(),
      fc.integer().map(String),
      fc.double().map(String),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc.uuid(),
    );
    fc.assert(
      fc.property(fc.dictionary(name, value), (parameters) => {
        try {
          const query = parseListQuery(definition, parameters);
          assert.ok(query.limit >= 1 && query.limit <= 500 && query.page >= 1);
          assert.ok(query.filters.every(({ field }) => Object.hasOwn(definition.fields, field) && field !== 'secret'));
          assert.ok(query.sort.every(({ field }) => Object.hasOwn(definition.fields, field) && field !== 'secret'));
        } catch (error) {
          assert.ok(error instanceof ServiceError && error.code === 'invalid_parameter', String(error));
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('takes exactly the days of the calendar', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9999 }),
        fc.integer({ min: 0, max: 14 }),
        fc.integer({ min: 0, max: 33 }),
        (year, month, day) => {
          const pad = (number: number, length: number) => String(number).padStart(length, '0');
          const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
          const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
          assert.equal(isDay(`${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`), day >= 1 && day <= days);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
