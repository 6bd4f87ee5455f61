/** The balance sheet of a group of companies at the end of a day (decision 0367). */
import { Type } from 'typebox';
import { sum } from '../../../domain/money.ts';
import { groupSheet } from '../../../domain/reports/consolidation/statements.ts';
import { amount } from '../../platform/validation/schemas.ts';
import { defineReport } from '../engine/declaration.ts';
import {
  GROUP_COLUMNS,
  GROUP_HEADINGS,
  groupColumns,
  groupFile,
  groupHeadingToJson,
  groupWarnings,
  ON_DAY,
} from './parts.ts';
import { readGroup } from './read-group.ts';

export const consolidatedBalanceSheet = defineReport({
  name: 'consolidated-balance-sheet',
  title: { en: 'Consolidated balance sheet', es: 'Balance de situación consolidado' },
  description:
    'Of this company and those of `/api/group-companies` that are in the group on the day, in full: a column for each, the eliminations ' +
    'and their sum. Whoever asks needs the right to read accounting reports in each of them.',
  area: 'accounting',
  parameters: ON_DAY,
  ofDay: true,
  consistent: true,
  personal: true,
  data: Type.Object({ columns: GROUP_COLUMNS, sections: GROUP_HEADINGS }),
  summary: Type.Object({
    assets: amount(),
    equity_and_liabilities: amount(),
    result: amount({ description: 'Result of the fiscal year so far, without that of minorities' }),
  }),
  async read(request) {
    const { accountChart, language, money } = request;
    const group = await readGroup(request);
    const [assets, liabilities] = groupSheet(group.sheet, accountChart, language);
    const results = group.sheet.result;
    return {
      data: {
        columns: groupColumns(group, language),
        sections: [assets, liabilities].map((side) => groupHeadingToJson(side, { ...request, group })),
      },
      summary: {
        assets: money(assets.amounts.at(-1) ?? '0'),
        equity_and_liabilities: money(liabilities.amounts.at(-1) ?? '0'),
        result: money(sum(results).toFixed()),
      },
      warnings: groupWarnings(group, group.differences.end, request),
    };
  },
  file: ({ data }) => groupFile(data),
});
