/** The profit and loss account of a group of companies (decision 0367). */
import { Type } from 'typebox';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import { OWN_ACCOUNTS } from '../../../domain/reports/consolidation/own-accounts.ts';
import { groupResult } from '../../../domain/reports/consolidation/statements.ts';
import { amount } from '../../platform/validation/schemas.ts';
import { defineReport, RANGE } from '../engine/declaration.ts';
import {
  GROUP_COLUMNS,
  GROUP_HEADINGS,
  groupAmounts,
  groupColumns,
  groupFile,
  groupHeadingToJson,
  groupWarnings,
  OF_PARENT,
} from './parts.ts';
import { readGroup } from './read-group.ts';

export const consolidatedProfitAndLoss = defineReport({
  name: 'consolidated-pl',
  title: { en: 'Consolidated profit and loss account', es: 'Cuenta de pérdidas y ganancias consolidada' },
  description:
    'Of this company and those of `/api/group-companies` that are in the group on the last day, since they joined: a column for each, ' +
    'the eliminations and their sum. Whoever asks needs the right to read accounting reports in each of them.',
  area: 'accounting',
  parameters: RANGE,
  consistent: true,
  personal: true,
  data: Type.Object({ columns: GROUP_COLUMNS, sections: GROUP_HEADINGS }),
  summary: Type.Object({ result: amount(), parent_result: amount(), minority_result: amount() }),
  async read(request) {
    const { accountChart, language, money } = request;
    const group = await readGroup(request);
    const sections = groupResult(group.result, group.companies.length + 1, accountChart, language);
    const results = sections.at(-1)?.amounts ?? [];
    const minorities: Decimal[] = [...group.minorityResult, '0', sum(group.minorityResult).toFixed()];
    const parent = results.map((result, column) =>
      decimal(result)
        .minus(minorities[column] ?? '0')
        .toFixed(),
    );
    const attributed = ({ code, name }: typeof OF_PARENT, amounts: readonly Decimal[]) => ({
      code,
      name: name[language],
      ...groupAmounts(amounts, money),
      accounts: [],
      children: [],
    });
    return {
      data: {
        columns: groupColumns(group, language),
        sections: [
          ...sections.map((section) => groupHeadingToJson(section, { ...request, group })),
          attributed(OF_PARENT, parent),
          attributed(OWN_ACCOUNTS.minorityResult, minorities),
        ],
      },
      summary: {
        result: money(results.at(-1) ?? '0'),
        parent_result: money(parent.at(-1) ?? '0'),
        minority_result: money(minorities.at(-1) ?? '0'),
      },
      warnings: groupWarnings({ ...group, withoutInvestment: [] }, group.differences.period, request),
    };
  },
  file: ({ data }) => groupFile(data),
});
