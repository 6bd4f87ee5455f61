/** Fills a new company with what it needs to work: one statement for each table. */
import { DateTime } from 'luxon';
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { CHART_OF_ACCOUNTS } from '../../domain/accounting/chart.ts';
import { PERIOD_STATUS } from '../../domain/accounting/periods.ts';
import {
  DEFAULT_PARTNER_GROUPS,
  DEFAULT_TAXES,
  DEFAULT_UNITS,
  DEFAULT_WAREHOUSE,
  defaultSeries,
} from '../../domain/seed/defaults.ts';
import { fiscalYear } from '../../domain/seed/fiscal-year.ts';
import { DEFAULT_SETTINGS } from '../settings/definitions.ts';

const TAX_ACCOUNTS = [
  ['output', 'output_account_id'],
  ['input', 'input_account_id'],
  ['surcharge', 'surcharge_account_id'],
  ['intraEuOutput', 'intra_eu_output_account_id'],
  ['intraEuInput', 'intra_eu_input_account_id'],
] as const;

type Columns = Record<string, unknown>;

/**
 * Inserts taxes, units, partner groups, the default warehouse and series, the periods of the current fiscal year, and the
 * chart of accounts into the tenant of `ctx`, which the transaction must be in and which must be empty. These rows are part
 * of the company's creation, which is audited as one thing; their own history begins with the first change.
 * @param fiscalYearStart MM-DD
 */
export async function seedCompany(trx: Db, ctx: Context, fiscalYearStart: string): Promise<void> {
  const today = DateTime.fromJSDate(ctx.now, { zone: DEFAULT_SETTINGS.format.timezone }).toISODate() as string;
  const { year, months } = fiscalYear(fiscalYearStart, today);
  const accountIds = new Map(CHART_OF_ACCOUNTS.map((account) => [account.code, newId()]));
  const accountId = (code: string | null): string | null => (code === null ? null : (accountIds.get(code) ?? null));

  await insertAll(trx, ctx, 'accounts', CHART_OF_ACCOUNTS, ({ code, name, type, isHeading, parent }) => ({
    id: accountId(code),
    code,
    name,
    type,
    is_heading: isHeading,
    parent_id: accountId(parent),
  }));
  await insertAll(trx, ctx, 'partner_groups', DEFAULT_PARTNER_GROUPS, (group) => ({
    code: group.code,
    name: group.name,
    code_prefix: group.codePrefix,
    is_customer: group.isCustomer,
    is_vendor: group.isVendor,
    receivable_account_id: accountId(group.receivable),
    payable_account_id: accountId(group.payable),
  }));
  await insertAll(trx, ctx, 'taxes', DEFAULT_TAXES, ({ surchargeRate, accounts, ...tax }) => ({
    ...tax,
    surcharge_rate: surchargeRate,
    ...Object.fromEntries(TAX_ACCOUNTS.map(([use, column]) => [column, accountId(accounts[use] ?? null)])),
  }));
  await insertAll(trx, ctx, 'uoms', DEFAULT_UNITS, (unit) => ({ ...unit }));
  await insertAll(trx, ctx, 'warehouses', [DEFAULT_WAREHOUSE], (warehouse) => ({ ...warehouse, is_default: true }));
  await insertAll(trx, ctx, 'series', defaultSeries(year), ({ docType, ...series }) => ({
    ...series,
    doc_type: docType,
    first_number: 1,
    next_number: 1,
    is_default: true,
  }));
  await insertAll(trx, ctx, 'periods', months, (month) => ({ ...month, status: PERIOD_STATUS.open }));
}

async function insertAll<T>(
  trx: Db,
  ctx: Context,
  table: string,
  rows: readonly T[],
  columns: (row: T) => Columns,
): Promise<void> {
  const now = ctx.now.toISOString();
  const common = { tenant_id: ctx.tenantId, version: 1, created_at: now, updated_at: now };
  await trx(table).insert(rows.map((row) => ({ id: newId(), ...columns(row), ...common })));
}
