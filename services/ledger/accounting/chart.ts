/** The company's chart of accounts. */
import type { Reader } from '../../../db/database.ts';
import type { AccountChart } from '../../../domain/ledger/accounting/charts/chart.ts';
import { chartNamed } from '../../../domain/ledger/accounting/charts/index.ts';
import { loadSettings } from '../../platform/settings/settings.ts';

/** Loads the chart that the company follows. */
export async function loadChart(reader: Reader): Promise<AccountChart> {
  return chartNamed((await loadSettings(reader, 'accounting')).chart);
}
