/** Fills a new company with its initial data, in one statement. */
import { DateTime } from 'luxon';
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { Account, PartnerGroup, Period, Series, Tax, Uom, Warehouse } from '../../../db/models/records/master-data.ts';
import {
  DEFAULT_PARTNER_GROUPS,
  DEFAULT_UNITS,
  DEFAULT_WAREHOUSE,
  defaultSeries,
} from '../../../domain/access/companies/defaults.ts';
import { seedNames } from '../../../domain/access/companies/names.ts';
import { chartNamed } from '../../../domain/ledger/accounting/charts/index.ts';
import { withTaxSet } from '../../../domain/ledger/accounting/charts/taxes/index.ts';
import { PERIOD_STATUS } from '../../../domain/ledger/accounting/periods.ts';
import { fiscalYear } from '../../../domain/ledger/periods/fiscal-year.ts';
import type { TaxSet } from '../../../domain/trade/documents/tax-sets.ts';

/**
 * Inserts taxes, units, partner groups, the default warehouse and series, the periods of the current fiscal year, and the
 * chart of accounts into the tenant of `ctx`, which the transaction must be in and which must be empty. These rows are part
 * of the company's creation, which is audited as one thing; their own history begins with the first change.
 * @param company the start of its fiscal year (MM-DD), its country, time zone and indirect tax, and the code of its chart, whose language
 * names the rest
 */
export async function seedCompany(
  trx: Db,
  ctx: Context,
  {
    fiscalYearStart,
    country,
    timezone,
    chart,
    taxSet,
  }: Readonly<Record<'fiscalYearStart' | 'country' | 'timezone' | 'chart', string>> & { readonly taxSet: TaxSet },
): Promise<void> {
  const followed = chartNamed(chart);
  const { roles, language } = followed;
  const { accounts, taxes } = withTaxSet(followed, taxSet, country);
  const names = seedNames(language);
  const named = <T extends { readonly code: string; readonly name: string }>(seed: T): T => ({
    ...seed,
    name: names[seed.code] ?? seed.name,
  });
  const today = DateTime.fromJSDate(ctx.now, { zone: timezone }).toISODate() as string;
  const { year, months } = fiscalYear(fiscalYearStart, today);
  const accountIds = new Map(accounts.map((account) => [account.code, newId()]));
  const accountId = (code: string | null | undefined) => accountIds.get(code ?? '') ?? null;
  const now = ctx.now.toISOString();
  const row = <Values>(values: Values) => ({ id: newId(), ...values, version: 1, createdAt: now, updatedAt: now });

  await new Changes(ctx)
    .insert(
      Account,
      accounts.map(({ parent, ...account }) =>
        row({ ...account, id: accountIds.get(account.code) as string, parentId: accountId(parent) }),
      ),
    )
    .insert(
      PartnerGroup,
      DEFAULT_PARTNER_GROUPS.map(named).map(({ receivable, payable, ...group }) =>
        row({
          ...group,
          receivableAccountId: accountId(receivable && roles[receivable]),
          payableAccountId: accountId(payable && roles[payable]),
        }),
      ),
    )
    .insert(
      Tax,
      taxes.map(({ accounts, ...tax }) =>
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
    .insert(Uom, DEFAULT_UNITS.map(named).map(row))
    .insert(Warehouse, [row({ ...named(DEFAULT_WAREHOUSE), isDefault: true })])
    .insert(
      Series,
      defaultSeries(year, names).map((series) => row({ ...series, firstNumber: 1, nextNumber: 1, isDefault: true })),
    )
    .insert(
      Period,
      months.map((month) => row({ ...month, status: PERIOD_STATUS.open })),
    )
    .write(trx);
}
