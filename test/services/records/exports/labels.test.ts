import assert from 'node:assert/strict';
import { ROUTES } from '../../../../api/routes.ts';
import { SPANISH_LABELS } from '../../../../domain/locale/labels-es.ts';
import { camelCase } from '../../../../domain/words.ts';
import { allColumns, defaultColumns, withTitles } from '../../../../services/records/exports/choose-columns.ts';
import { referencesIn } from '../../../../services/records/exports/references.ts';
import { download } from '../../../helpers/download.ts';
import { useApp } from '../../../helpers/hooks.ts';

describe('labels of exports', () => {
  const lists = ROUTES.filter(({ id, formats }) => id.startsWith('list') && formats?.csv !== undefined).map(
    ({ path, responses }) => {
      const page = responses[200] as unknown as { properties: { data: { items: { properties: object } } } };
      const row = page.properties.data.items;
      return { path, row: row as never, references: referencesIn(Object.keys(row.properties)) };
    },
  );

  it('are there in Spanish for every column of every list', () => {
    const lacking = lists.flatMap(({ path, ...shape }) =>
      defaultColumns(shape)
        .flatMap(({ name }) => name.split('.'))
        .map((name) => camelCase(name))
        .filter((name) => !Object.hasOwn(SPANISH_LABELS, name))
        .map((name) => `${path}: ${name}`),
    );
    assert.deepEqual(lacking, []);
  });

  it('tell the columns of a list apart', () => {
    for (const { path, ...shape } of lists) {
      for (const language of ['es', 'en'] as const) {
        const titles = withTitles(defaultColumns(shape), { ...shape, all: allColumns(shape) }, language, new Map()).map(
          ({ title }) => title,
        );
        assert.equal(new Set(titles).size, titles.length, path);
        assert.deepEqual(
          titles.filter((title) => /[a-z][A-Z]|_|\.\w/.test(title)),
          [],
          `${path} in ${language}`,
        );
      }
    }
  });
  describe('in files', () => {
    const app = useApp();

    it('say to whom a mail went, and when a period ends, by the same name', async () => {
      const titles = async (path: string) => (await (await download(app, path)).text()).split('\r\n')[0]?.split(';');
      assert.ok((await titles('/api/emails?format=csv'))?.includes('Para'));
      assert.ok((await titles('/api/periods?format=csv'))?.includes('Hasta'));
    });

    it('are Spanish, also of ids and references that only the list declares', async () => {
      for (const { path } of lists.filter((list) => !list.path.includes('/:'))) {
        const response = await download(app, `${path}?format=csv&header=names`);
        assert.equal(response.status, 200, path);
        const names = ((await response.text()).split('\r\n')[0] ?? '').replace('\ufeff', '').split(';');
        assert.ok(names.length > 1, path);
        const lacking = names
          .flatMap((name) => name.split('.'))
          .filter((name) => !Object.hasOwn(SPANISH_LABELS, camelCase(name)));
        assert.deepEqual(lacking, [], path);
      }
    });
  });
});
