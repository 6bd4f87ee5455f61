/** Fills a new company with its initial data, in one statement. */
import { DateTime } from 'luxon';
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { Account, PartnerGroup, Period, Series, Tax, Uom, Warehouse } from '../../../db/models/records/master-data.ts';
import {
  DEFAULT_PARTNER_GROUPS,
  DEFAULT_TAXES,
  DEFAULT_UNITS,
  DEFAULT_WAREHOUSE,
  defaultSeries,
} from '../../../domain/access/companies/defaults.ts';
import { CHART_OF_ACCOUNTS } from '../../../domain/ledger/accounting/chart.ts';
import { PERIOD_STATUS } from '../../../domain/ledger/accounting/periods.ts';
import { fiscalYear } from '../../../domain/ledger/periods/fiscal-year.ts';
import { DEFAULT_SETTINGS } from '../../platform/settings/definitions.ts';

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
  const accountId = (code: string | null | undefined) => accountIds.get(code ?? '') ?? null;
  const now = ctx.now.toISOString();
  const row = <Values>(values: Values) => ({ id: newId(), ...values, version: 1, createdAt: now, updatedAt: now });

  await new Changes(ctx)
    .insert(
      Account,
      CHART_OF_ACCOUNTS.map(({ parent, ...account }) =>
        row({ ...account, id: accountIds.get(account.code) as string, parentId: accountId(parent) }),
      ),
    )
    .insert(
      PartnerGroup,
      DEFAULT_PARTNER_GROUPS.map(({ receivable, payable, ...group }) =>
        row({ ...group, receivableAccountId: accountId(receivable), payableAccountId: accountId(payable) }),
      ),
    )
    .insert(
      Tax,
      DEFAULT_TAXES.map(({ accounts, ...tax }) =>
        row({
          ...tax,
          outputAccountId: accountId(accounts.output),
          inputAccountId: accountId(accounts.input),
          surchargeAccountId: accountId(accounts.surcharge),
          intraEuOutputAccountId: accountId(accounts.intraEuOutput),
          intraEuInputAccountId: accountId(accounts.intraEuInput),
        }),
      ),
    )
    .insert(Uom, DEFAULT_UNITS.map(row))
    .insert(Warehouse, [row({ ...DEFAULT_WAREHOUSE, isDefault: true })])
    .insert(
      Series,
      defaultSeries(year).map((series) => row({ ...series, firstNumber: 1, nextNumber: 1, isDefault: true })),
    )
    .insert(
      Period,
      months.map((month) => row({ ...month, status: PERIOD_STATUS.open })),
    )
    .write(trx);
}
