/** The company's chart of accounts. */
import type { Reader } from '../../../db/database.ts';
import type { AccountChart } from '../../../domain/ledger/accounting/charts/chart.ts';
import { CHARTS, chartNamed, DEFAULT_CHART } from '../../../domain/ledger/accounting/charts/index.ts';
import type { AccountRole } from '../../../domain/ledger/accounting/roles.ts';
import { loadSettings } from '../../platform/settings/settings.ts';

/** Loads the chart that the company follows. */
export async function loadChart(reader: Reader): Promise<AccountChart> {
  return chartNamed((await loadSettings(reader, 'accounting')).chart);
}

/** SQL: the code of a role's usual account in the company's chart. @param config SQL: the value of the accounting settings */
export function usualCode(role: AccountRole, config: string): string {
  const others = CHARTS.filter(({ roles }) => roles[role] !== DEFAULT_CHART.roles[role]);
  if (others.length === 0) return `'${DEFAULT_CHART.roles[role]}'`;
  const cases = others.map(({ code, roles }) => `when '${code}' then '${roles[role]}'`);
  return `case ${config}->>'chart' ${cases.join(' ')} else '${DEFAULT_CHART.roles[role]}' end`;
}
