/** Checks of lists and descriptions for every declared resource. */
import assert from 'node:assert/strict';
import { fieldOperators, filterableFields, type ListField, sortableFields } from '../../../../db/queries/list.ts';
import type { Row } from '../../../../services/records/resources/field.ts';
import { listDefinition } from '../../../../services/records/resources/fields.ts';
import { download, readCsv, readWorkbook, rowsOfSheet } from '../../../helpers/download.ts';
import { type Json, resolve } from '../../../helpers/openapi-gaps.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { writableFields } from '../../../helpers/resource-bodies.ts';
import { LEFT_OUT } from '../../../helpers/resource-specials.ts';
import type { Subject } from './world.ts';

interface Page {
  readonly data: (Row & { id: string })[];
  readonly pagination: { total: number; page: number; per_page: number; has_more: boolean };
}

export function checkReads(subject: Subject): void {
  const { declaration, world, full, least } = subject;
  const list = listDefinition(declaration);
  const page = async (parameters: Row): Promise<Page> => {
    const query = new URLSearchParams(
      Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const answer = await world().app.client.get(`${full().listPath}?${query}`);
    assert.equal(answer.status, 200, `${query}: ${JSON.stringify(answer.body)}`);
    return answer.body as Page;
  };

  it('is listed in pages', async () => {
    const { app } = world();
    const all = await page({ limit: 500 });
    const { total } = all.pagination;
    assert.deepEqual(all.pagination, { total, page: 1, per_page: 500, has_more: false });
    assert.equal(all.data.length, total);
    for (const made of [full(), least()]) {
      const listed = all.data.find(({ id }) => id === made.row.id);
      assert.deepEqual(listed, (await app.client.get(made.path)).body.data);
    }
    const first = await page({ limit: 1 });
    assert.deepEqual(first.pagination, { total, page: 1, per_page: 1, has_more: true });
    const last = await page({ limit: 1, page: total });
    assert.deepEqual(last.pagination, { total, page: total, per_page: 1, has_more: false });
    assert.deepEqual([first.data, last.data], [all.data.slice(0, 1), all.data.slice(-1)]);
    assert.deepEqual((await page({ limit: 1, page: total + 1 })).data, []);
    for (const bad of ['limit=501', 'limit=0', 'page=0', 'nonsense=1', 'sort=nonsense', 'sort=']) {
      assertProblem(await app.client.get(`${full().listPath}?${bad}`), 400, 'invalid_parameter');
    }
  });

  it('is sorted by every field that can be', async () => {
    for (const name of sortableFields(list)) {
      const up = (await page({ sort: name, limit: 500 })).data;
      const down = (await page({ sort: `-${name}`, limit: 500 })).data;
      assert.deepEqual(
        up.map(({ id }) => id).reverse(),
        down.map(({ id }) => id),
        name,
      );
      const values = up.map((row) => row[name]);
      const filled = values.filter((value) => value !== null);
      assert.deepEqual(values.slice(values.length - filled.length), filled, `${name}: null comes first`);
      // Texts are in the order of a language.
      if (list.fields[name]?.type === 'text' || list.fields[name]?.type === 'choice') continue;
      assert.deepEqual(filled, [...filled].sort(compare), name);
    }
  });

  it('is filtered by every field and operator', async () => {
    const { app, mine } = world();
    const rich = (await app.client.get(full().path)).body.data as Row;
    const poor = (await app.client.get(least().path)).body.data as Row;
    const own = Object.keys(declaration.filters ?? {});
    const special = [...own, ...(LEFT_OUT[declaration.name] ?? [])];
    for (const name of filterableFields(list).filter((field) => field !== 'id' && !special.includes(field))) {
      // A row has only one of several mutually exclusive members.
      const given = async () => ({ [name]: await mine.value(declaration, name, {}) });
      const row =
        rich[name] === null ? (await mine.create(declaration, 'all', await given(), full().listPath)).row : rich;
      const value = row[name];
      const operators = fieldOperators(list.fields[name] as ListField);
      const found: Row = { id: row.id };
      for (const operator of operators) {
        const parameter = operator === 'eq' ? name : `${name}[${operator}]`;
        if (operator === 'empty') {
          // An empty text is empty as well.
          const isEmpty = poor[name] === null || poor[name] === '';
          assert.equal((await page({ id: poor.id, [parameter]: isEmpty })).pagination.total, 1, parameter);
          found[parameter] = false;
        } else if (operator === 'contains') found[parameter] = String(value).slice(1).toUpperCase();
        else if (['eq', 'in', 'gte', 'lte'].includes(operator)) found[parameter] = value;
        else assert.equal((await page({ id: row.id, [parameter]: value })).pagination.total, 0, parameter);
      }
      const { data } = await page(found);
      assert.deepEqual(data, [row], JSON.stringify(found));
      assert.equal((await page({ id: row.id, [`${name}[empty]`]: true })).pagination.total, 0, name);
    }
    for (const name of special.filter((field) => filterableFields(list).includes(field))) {
      const { type, choices } = list.fields[name] as ListField;
      const samples: Partial<Record<typeof type, unknown>> = {
        uuid: rich.id,
        boolean: true,
        date: '2031-01-01',
        instant: '2031-01-01T09:30:00Z',
      };
      await page({ [name]: choices?.[0] ?? samples[type] ?? '1' });
    }
  });

  it('is searched by every field that q looks into', async () => {
    const row = (await world().app.client.get(full().path)).body.data as Row;
    const searched = Object.keys(list.fields).filter((name) => list.fields[name]?.searchable);
    for (const name of searched) {
      assert.deepEqual((await page({ id: row.id, q: String(row[name]).toLowerCase() })).data, [row], name);
    }
    assert.equal((await page({ q: 'nothing of this kind' })).pagination.total, 0);
  });

  it('is exported whole, as CSV and as Excel', async () => {
    const { app, total } = world();
    const { listPath, row } = full();
    const fields = `header=names&fields=id,${Object.keys(declaration.fields).join(',')}`;
    const lines = await readCsv(await download(app, `${listPath}?format=csv&${fields}&limit=1`), ';');
    assert.equal(lines.length, await total(listPath));
    assert.ok(lines.some(({ id }) => id === row.id));
    const workbook = await readWorkbook(await download(app, `${listPath}?format=excel&${fields}&id=${row.id}`));
    const rows = rowsOfSheet(workbook.worksheets[0] as Parameters<typeof rowsOfSheet>[0]);
    assert.deepEqual(
      rows.map(({ id }) => id?.value),
      [row.id],
    );
    for (const name of Object.keys(declaration.fields)) {
      assert.ok(name in (rows[0] ?? {}), `${name} is missing in the table`);
    }
    assertProblem(await app.client.get(`${listPath}?format=nonsense`), 400, 'invalid_parameter');
    assertProblem(await app.anonymous.get(`${listPath}?format=csv&header=names`), 401, 'unauthorized');
  });

  it('is described', async () => {
    const { body: document } = await world().app.anonymous.get('/api/openapi.json');
    const { paths } = document;
    const path = declaration.path.replaceAll(/:(\w+)/g, '{$1}');
    const one = paths[`${path}/{${declaration.idParameter ?? 'id'}}`];
    assert.deepEqual(Object.keys(one).sort(), ['delete', 'get', 'patch']);
    for (const [operation, when] of [
      [paths[path].post, 'create'],
      [one.patch, 'patch'],
    ] as const) {
      const { properties } = resolve(document, operation.requestBody.content['application/json'].schema) as {
        properties: Record<string, { readOnly?: boolean }>;
      };
      const described = Object.keys(properties).filter(
        (name) => !name.startsWith('custom_') && properties[name]?.readOnly !== true,
      );
      assert.deepEqual(described.sort(), writableFields(declaration, when).sort());
    }
    const names = paths[path].get.parameters.map((one: Json) => resolve(document, one).name);
    for (const name of filterableFields(list)) assert.ok(names.includes(name), `the filter ${name} is not described`);
  });
}

function compare(one: unknown, other: unknown): number {
  if (typeof one === 'string') return one < String(other) ? -1 : Number(one !== other);
  return Number(one) - Number(other);
}
