/** The trial balance of a group of companies at the end of a day (decision 0367). */
import { Type } from 'typebox';
import { type Decimal, sum } from '../../../domain/money.ts';
import { groupTrialBalance } from '../../../domain/reports/consolidation/trial-balance.ts';
import { columnMember, columnMembers } from '../../../domain/reports/engine/sections.ts';
import { amount, text } from '../../platform/validation/schemas.ts';
import { columnTitles } from '../accounting/columns.ts';
import { defineReport } from '../engine/declaration.ts';
import {
  CONSOLIDATED,
  DRILLDOWNS,
  drilldowns,
  GROUP_AMOUNTS,
  GROUP_COLUMNS,
  groupAmounts,
  groupColumns,
  groupWarnings,
  ON_DAY,
  withoutWord,
} from './parts.ts';
import { readGroup } from './read-group.ts';

const ROW = Type.Object({
  code: text({ min: 0, description: 'An account of the parent, or a word for lines that only consolidation has' }),
  name: text({ max: 500 }),
  amount: amount({ description: 'Consolidated balance, debit less credit' }),
  amounts: GROUP_AMOUNTS,
  drilldowns: DRILLDOWNS,
});

export const consolidatedTrialBalance = defineReport({
  name: 'consolidated-trial-balance',
  title: { en: 'Consolidated trial balance', es: 'Balance de sumas y saldos consolidado' },
  description:
    'Balances (debit less credit) of the accounts of this company at the end of the day, with those of the other companies of the group ' +
    'that stand on them: a column for each, the eliminations and their sum. Income and expense are those of the fiscal year.',
  area: 'accounting',
  parameters: ON_DAY,
  ofDay: true,
  consistent: true,
  personal: true,
  data: Type.Object({ columns: GROUP_COLUMNS, rows: Type.Array(ROW) }),
  summary: Type.Object({ amount: amount({ description: 'Always 0: the books balance' }), amounts: GROUP_AMOUNTS }),
  async read(request) {
    const { language, money } = request;
    const group = await readGroup(request);
    const columns = group.companies.length + 1;
    const rows = groupTrialBalance(group.trialBalance, columns);
    const totals = Array.from({ length: columns + 1 }, (_, column) =>
      sum(rows.map(({ amounts }) => amounts[column] as Decimal)).toFixed(),
    );
    return {
      data: {
        columns: groupColumns(group, language),
        rows: rows.map(({ code, name, amounts }) => ({
          ...{ code, name, ...groupAmounts(amounts, money) },
          drilldowns: drilldowns(code, group, request.range),
        })),
      },
      summary: groupAmounts(totals, money),
      warnings: groupWarnings(group, [...group.differences.end, ...group.differences.year], request),
    };
  },
  file({ data, summary }) {
    const columns = columnTitles(data.columns).map((title, index) => [columnMember(index), title] as const);
    const members = columns.map(([member]) => member);
    return {
      tables: [
        {
          row: Type.Object({ ...ROW.properties, ...Object.fromEntries(members.map((member) => [member, amount()])) }),
          columns: ['code', 'name', ...members, 'amount'],
          titles: { ...Object.fromEntries(columns), amount: CONSOLIDATED },
          rows: data.rows.map((row) => ({ ...withoutWord(row), ...columnMembers(row.amounts) })),
          totals: { amount: summary.amount, ...columnMembers(summary.amounts) },
        },
      ],
    };
  },
});
