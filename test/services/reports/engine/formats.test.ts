import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { Type } from 'typebox';
import { ServiceError } from '../../../../domain/errors.ts';
import { text } from '../../../../services/platform/validation/schemas.ts';
import { openReport } from '../../../../services/reports/engine/content.ts';
import { defineReport, RANGE } from '../../../../services/reports/engine/declaration.ts';
import { findFormat } from '../../../../services/reports/engine/formats.ts';
import { PAGINATION, pagination } from '../../../../services/reports/engine/paging.ts';
import { useCompany } from '../../../helpers/hooks.ts';

const ROW = Type.Object({ name: text() });

const report = (batches: readonly (readonly { name: string }[])[]) =>
  defineReport({
    name: 'streamed',
    title: { en: 'Test', es: 'Prueba' },
    area: 'accounting',
    parameters: RANGE,
    paged: true,
    data: Type.Object({ name: text(), rows: Type.Array(ROW), pagination: PAGINATION }),
    summary: Type.Object({}),
    async read({ page }) {
      return {
        data: { name: '"rows":[]', rows: [], pagination: pagination(page, batches.flat().length) },
        summary: {},
      };
    },
    async *stream() {
      yield* batches;
    },
    formats: {
      own: {
        type: 'text/plain',
        extension: 'txt',
        async write() {
          throw new ServiceError('invalid_parameter', 'not so');
        },
      },
    },
  });

describe('formats of reports', () => {
  const company = useCompany();
  const opened = async (batches: readonly (readonly { name: string }[])[], format: string) => {
    const order = { report: report(batches), params: {}, ctx: company.ctx };
    const content = await company.database.snapshot(company.ctx, (db) => openReport(db, order));
    return findFormat(order.report, format).begin(content);
  };

  it('have all rows in JSON as they are read', async () => {
    const [one, two, three] = [{ name: 'one' }, { name: 'a "two"' }, { name: '"rows":[]' }];
    for (const batches of [[], [[]], [[one, two], [], [three]]]) {
      const output = new PassThrough();
      const write = await opened(batches, 'json');
      const [json] = await Promise.all([textOf(output), write(output)]);
      assert.deepEqual(JSON.parse(json).data.rows, batches.flat());
    }
  });

  it('of their own refuse before the file', async () => {
    await assert.rejects(opened([], 'own'), /not so/);
  });
});
