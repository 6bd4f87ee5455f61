import assert from 'node:assert/strict';
import { Type } from 'typebox';
import { amount, text } from '../../../../services/platform/validation/schemas.ts';
import { openReport } from '../../../../services/reports/engine/content.ts';
import { defineReport, percent } from '../../../../services/reports/engine/declaration.ts';
import { type PaperPart, paperParts } from '../../../../services/reports/engine/parts.ts';
import { useCompany } from '../../../helpers/hooks.ts';

const ROW = Type.Object({ code: text(), debit: amount(), share: percent() });

describe('parts of a report on paper', () => {
  const company = useCompany();
  /** Tables of so many rows of 0.10 each. */
  const cut = async (lengths: readonly number[], most: number, tree = false) => {
    const report = defineReport({
      name: 'cut',
      title: { en: 'Cut', es: 'Cortado' },
      area: 'accounting',
      parameters: {},
      data: Type.Object({}),
      summary: Type.Object({}),
      read: async () => ({ data: {}, summary: {} }),
      file: () => ({
        tables: lengths.map((length, index) => ({
          title: { en: `T${index}`, es: `T${index}` },
          row: ROW,
          rows: Array.from({ length }, (_, at) => ({ code: `${index}${at}`, debit: 0.1, share: 5, parts: [] })),
          totals: { debit: length / 10, share: 5 },
          tree,
        })),
      }),
    });
    const content = await company.run((db) => openReport(db, { report, params: {}, ctx: company.ctx }));
    const parts: unknown[] = [];
    for await (const part of paperParts(content, most)) parts.push([part.number, part.isLast, await shown(part)]);
    return parts;
  };
  const shown = async ({ tables }: PaperPart) => {
    const all: unknown[] = [];
    for (const { title, rows, brought, carried } of tables) {
      const codes: string[] = [];
      for await (const batch of rows) codes.push(...batch.map((row) => (row as { code: string }).code));
      all.push([title, codes.join(' '), brought?.debit, carried?.debit]);
    }
    return all;
  };

  it('are one if all rows have room', async () => {
    assert.deepEqual(await cut([2, 0], 2), [
      [
        1,
        true,
        [
          ['T0', '00 01', undefined, undefined],
          ['T1', '', undefined, undefined],
        ],
      ],
    ]);
  });

  it('carry the exact sums of a table from one to the next, and begin again with the next table', async () => {
    assert.deepEqual(await cut([7, 2], 3), [
      [1, false, [['T0', '00 01 02', undefined, 0.3]]],
      [2, false, [['T0', '03 04 05', 0.3, 0.6]]],
      [
        3,
        true,
        [
          ['T0', '06', 0.6, undefined],
          ['T1', '10 11', undefined, undefined],
        ],
      ],
    ]);
  });

  it('do not begin a table of which they have no row', async () => {
    assert.deepEqual(await cut([2, 1], 2), [
      [1, false, [['T0', '00 01', undefined, undefined]]],
      [2, true, [['T1', '10', undefined, undefined]]],
    ]);
  });

  it('carry no sums of trees and percentages', async () => {
    const [, second] = (await cut([2], 1, true)) as [unknown, unknown[]];
    assert.deepEqual(second, [2, true, [['T0', '01', undefined, undefined]]]);
  });
});
