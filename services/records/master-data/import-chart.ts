/** Brings a chart of accounts into a company: one that the service has, or the rows of another one (decision 0341). */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { Account, PartnerGroup, Tax } from '../../../db/models/records/master-data.ts';
import { query } from '../../../db/sql.ts';
import { patchRow } from '../../../db/write.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { Faults } from '../../../domain/faults.ts';
import type { AccountChart, TaxSeed } from '../../../domain/ledger/accounting/charts/chart.ts';
import { chartNamed } from '../../../domain/ledger/accounting/charts/index.ts';
import {
  type ChartRow,
  isWritten,
  type KnownAccount,
  type Outcome,
  type PlannedAccount,
  planChart,
} from '../../../domain/ledger/accounting/charts/plan.ts';
import { withTaxSet, withUnionScheme } from '../../../domain/ledger/accounting/charts/taxes/index.ts';
import { roleMember } from '../../../domain/ledger/accounting/roles.ts';
import { replaceAccounting } from '../../ledger/accounting/config.ts';
import { loadSettings, replaceSettings } from '../../platform/settings/settings.ts';
import type { HookScope } from '../resources/declaration.ts';
import { createOne } from '../resources/rows.ts';
import { lockAccounts } from './account-tree.ts';
import { checkUses } from './account-uses.ts';
import { taxes } from './taxes.ts';

export interface ChartInput {
  readonly chart?: string;
  readonly accounts?: readonly ChartRow[];
  /** Whether the taxes of a named chart are added too. */
  readonly taxes?: boolean;
  /** Whether the company follows the named chart; by default if it can. */
  readonly follow?: boolean;
}

export interface RowOutcome {
  readonly code: string;
  readonly outcome: Outcome;
}

export interface ChartReport {
  readonly chart: string;
  readonly accounts: readonly RowOutcome[];
  readonly taxes: readonly RowOutcome[];
}

/**
 * Adds the accounts that are missing, and changes those that have no entries. Others stay as they are.
 * @param scope of a request; the caller commits, or not in a dry run
 * @throws ServiceError validation_failed; in_use if the company cannot follow the chart because it has entries by another one
 */
export async function importChart(scope: HookScope, input: ChartInput): Promise<ChartReport> {
  const { trx, ctx } = scope;
  const named = input.chart === undefined ? null : chartNamed(input.chart);
  const { country, taxSet } = await loadSettings(trx, 'company');
  const { ossFrom } = await loadSettings(trx, 'tax');
  const own =
    named === null ? null : ossFrom === null ? withTaxSet(named, taxSet, country) : withUnionScheme(named, country);
  const rows: readonly ChartRow[] = own?.accounts.map(({ parent: _, ...row }) => row) ?? input.accounts ?? [];
  await lockAccounts(trx, ctx);
  const known = await Account.query(trx).orderBy('id').forUpdate();
  const planned = planChart(rows, await withUses(trx, known));
  const ids = await writeAccounts(trx, ctx, planned, known);
  const added = own !== null && input.taxes === true ? await addTaxes(scope, own.taxes, ids) : [];
  if (named !== null) await follow(trx, ctx, named, input.follow);
  else await takeRoles(trx, ctx, rows, ids);
  await checkWritten(trx, rows, planned, { ids, named });
  const { chart } = await loadSettings(trx, 'accounting');
  return { chart, accounts: planned.map(({ code, outcome }) => ({ code, outcome })), taxes: added };
}

/** @throws ServiceError validation_failed if income or expense is now what customers, suppliers, banks or taxes stand on */
async function checkWritten(
  trx: Db,
  rows: readonly ChartRow[],
  planned: readonly PlannedAccount[],
  { ids, named }: { readonly ids: ReadonlyMap<string, string>; readonly named: AccountChart | null },
): Promise<void> {
  const faults = new Faults();
  const at = new Map(rows.map(({ code }, index) => [code, named === null ? `/accounts/${index}/type` : '/chart']));
  const chosen = new Set(rows.flatMap(({ code, roles = [] }) => (roles.length > 0 ? [code] : [])));
  const touched = planned.filter(({ code, outcome }) => isWritten(outcome) || chosen.has(code));
  const written = touched.map(({ code, type }) => {
    return { code, type, id: ids.get(code) as string, pointer: at.get(code) as string };
  });
  await checkUses(trx, written, faults);
  faults.throwIfAny();
}

async function withUses(trx: Db, known: readonly Account[]): Promise<KnownAccount[]> {
  const found = await query<{ id: string }>(
    trx,
    'select id from accounts a where exists (select from journal_lines l where l.account_id = a.id)',
    {},
  );
  const used = new Set(found.map(({ id }) => id));
  const codes = new Map(known.map(({ id, code }) => [id, code]));
  return known.map(({ id, parentId, code, name, type, isHeading }) => {
    const parent = parentId === null ? null : (codes.get(parentId) ?? null);
    return { code, name, type, isHeading, parent, used: used.has(id) };
  });
}

/** Writes what is planned in one statement. @returns ids of all accounts by code */
async function writeAccounts(
  trx: Db,
  ctx: Context,
  planned: readonly PlannedAccount[],
  known: readonly Account[],
): Promise<ReadonlyMap<string, string>> {
  const now = new Map(known.map((account) => [account.code, account]));
  const ids = new Map(known.map(({ code, id }) => [code, id]));
  for (const { code, outcome } of planned) if (outcome === 'created') ids.set(code, newId());
  const changes = new Changes(ctx);
  for (const { code, name, type, isHeading, parent, outcome } of planned) {
    if (!isWritten(outcome)) continue;
    const values = { code, name, type, isHeading, parentId: parent === null ? null : (ids.get(parent) ?? null) };
    const current = now.get(code);
    if (current === undefined)
      changes.create(Account, { id: ids.get(code) as string, active: true, requires: 'none', ...values });
    else changes.change(Account, current, values);
  }
  await changes.write(trx);
  return ids;
}

/** Adds those of the company's indirect tax that it lacks. */
async function addTaxes(
  scope: HookScope,
  seeds: readonly TaxSeed[],
  ids: ReadonlyMap<string, string>,
): Promise<RowOutcome[]> {
  const known = new Set((await Tax.query(scope.trx).select('code')).map(({ code }) => code));
  const id = (code: string | undefined) => (code === undefined ? null : (ids.get(code) ?? null));
  const outcomes: RowOutcome[] = [];
  for (const { accounts: own, rate, surchargeRate, ...tax } of seeds) {
    if (!known.has(tax.code)) {
      await createOne(
        taxes,
        { ...scope, isImport: true },
        {
          ...tax,
          ...{ rate: Number(rate), surchargeRate: Number(surchargeRate) },
          ...{ outputAccountId: id(own.output), inputAccountId: id(own.input), surchargeAccountId: id(own.surcharge) },
          ...{ intraEuOutputAccountId: id(own.intraEuOutput), intraEuInputAccountId: id(own.intraEuInput) },
        },
      );
    }
    outcomes.push({ code: tax.code, outcome: known.has(tax.code) ? 'unchanged' : 'created' });
  }
  return outcomes;
}

/** Lets the company follow a chart, unless entries stand on the accounts of another one. */
async function follow(trx: Db, ctx: Context, chart: AccountChart, wanted: boolean | undefined): Promise<void> {
  const stored = await loadSettings(trx, 'accounting');
  if (wanted === false || stored.chart === chart.code) return;
  const [found] = await query<{ used: boolean }>(trx, 'select exists (select from journal_lines) as used', {});
  const alike = JSON.stringify(chart.roles) === JSON.stringify(chartNamed(stored.chart).roles);
  if (found?.used === true && !alike) {
    if (wanted === undefined) return;
    const message = `The company cannot follow ${chart.code} because it has entries on accounts of ${stored.chart}`;
    throw new ServiceError('in_use', message);
  }
  await replaceSettings(trx, ctx, 'accounting', { ...stored, chart: chart.code });
  await moveGroups(trx, ctx, chartNamed(stored.chart), chart);
}

/** Gives partner groups that have the usual account of one chart that of another. */
async function moveGroups(trx: Db, ctx: Context, from: AccountChart, to: AccountChart): Promise<void> {
  const ids = new Map((await Account.query(trx).select('code', 'id')).map(({ code, id }) => [code, id]));
  const moved = (role: 'receivable' | 'payable', id: string | null) =>
    id !== null && id === ids.get(from.roles[role]) ? (ids.get(to.roles[role]) ?? id) : id;
  for (const group of await PartnerGroup.query(trx).orderBy('id').forUpdate()) {
    const receivableAccountId = moved('receivable', group.receivableAccountId);
    const payableAccountId = moved('payable', group.payableAccountId);
    if (receivableAccountId !== group.receivableAccountId || payableAccountId !== group.payableAccountId)
      await patchRow(trx, ctx, PartnerGroup, group, { receivableAccountId, payableAccountId });
  }
}

/** Sets the company's own accounts as the rows say. */
async function takeRoles(
  trx: Db,
  ctx: Context,
  rows: readonly ChartRow[],
  ids: ReadonlyMap<string, string>,
): Promise<void> {
  const chosen = rows.flatMap(({ code, roles = [] }) =>
    roles.map((role) => [roleMember(role), ids.get(code)] as const),
  );
  if (chosen.length === 0) return;
  const stored = await loadSettings(trx, 'accounting');
  await replaceAccounting(trx, ctx, { ...stored, ...Object.fromEntries(chosen) }, null);
}
