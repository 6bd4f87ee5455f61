/** Brings a chart of accounts into a company: one that the service has, or the rows of another one (decision 0341). */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { Account, PartnerGroup, Tax } from '../../../db/models/records/master-data.ts';
import { query } from '../../../db/sql.ts';
import { patchRow } from '../../../db/write.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { Faults } from '../../../domain/faults.ts';
import type { AccountChart, AccountType } from '../../../domain/ledger/accounting/charts/chart.ts';
import { chartNamed } from '../../../domain/ledger/accounting/charts/index.ts';
import { type AccountRole, roleMember } from '../../../domain/ledger/accounting/roles.ts';
import { replaceAccounting } from '../../ledger/accounting/config.ts';
import { loadSettings, replaceSettings } from '../../platform/settings/settings.ts';
import type { HookScope } from '../resources/declaration.ts';
import { changeOne, createOne } from '../resources/rows.ts';
import { accounts } from './accounts.ts';
import { taxes } from './taxes.ts';

/** An account of the chart. */
export interface ChartRow {
  readonly code: string;
  readonly name: string;
  readonly type: AccountType;
  readonly isHeading?: boolean;
  /** Code of the heading above; by default the one with the longest code that begins the account's. */
  readonly parent?: string | null;
  /** Uses of the account by the company from now on. */
  readonly roles?: readonly AccountRole[];
}

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
  /** `kept`: the account differs, but has entries. */
  readonly outcome: 'created' | 'changed' | 'unchanged' | 'kept';
}

export interface ChartReport {
  readonly chart: string;
  readonly accounts: readonly RowOutcome[];
  readonly taxes: readonly RowOutcome[];
}

interface Known extends Pick<Account, 'id' | 'code' | 'name' | 'type' | 'isHeading'> {
  readonly used: boolean;
}

/** The accounts of the company, locked, and whether there are entries on each or accounts below it. */
const KNOWN_SQL = `select a.id, a.code, a.name, a.type, a.is_heading as "isHeading",
    exists (select from journal_lines l where l.account_id = a.id) as used
  from accounts a order by a.id for update of a`;

/**
 * Adds the accounts that are missing, and changes name and type of those that have no entries. Others stay as they are.
 * @param scope of a request; the caller commits, or not in a dry run
 * @throws ServiceError validation_failed; in_use if the company cannot follow the chart because it has entries by another one
 */
export async function importChart(scope: HookScope, input: ChartInput): Promise<ChartReport> {
  const { trx, ctx } = scope;
  const named = input.chart === undefined ? null : chartNamed(input.chart);
  const rows: readonly ChartRow[] = named?.accounts.map(({ parent: _, ...row }) => row) ?? input.accounts ?? [];
  const known = await query<Known>(trx, KNOWN_SQL, {});
  const ids = new Map(known.map(({ code, id }) => [code, id]));
  const byCode = new Map(known.map((account) => [account.code, account]));
  const parents = findParents(rows, known);
  const outcomes: RowOutcome[] = [];
  // Headings come before what is below them: their codes are shorter.
  for (const row of rows.toSorted((a, b) => a.code.length - b.code.length || (a.code < b.code ? -1 : 1))) {
    const { code, name, type, isHeading = false } = row;
    const current = byCode.get(code);
    const same = current?.name === name && current.type === type && current.isHeading === isHeading;
    if (current !== undefined && (same || current.used)) {
      outcomes.push({ code, outcome: same ? 'unchanged' : 'kept' });
      continue;
    }
    const parent = parents.get(code);
    const body = { code, name, type, isHeading, parentId: parent === undefined ? null : (ids.get(parent) ?? null) };
    if (current === undefined) ids.set(code, (await createOne(accounts, { ...scope, isImport: true }, body)).id);
    else await changeAccount(scope, current, body);
    outcomes.push({ code, outcome: current === undefined ? 'created' : 'changed' });
  }
  const added = named !== null && input.taxes === true ? await addTaxes(scope, named, ids) : [];
  if (named !== null) await follow(trx, ctx, named, input.follow);
  else await takeRoles(trx, ctx, rows, ids);
  const { chart } = await loadSettings(trx, 'accounting');
  return { chart, accounts: outcomes.toSorted((a, b) => (a.code < b.code ? -1 : 1)), taxes: added };
}

async function changeAccount(scope: HookScope, { id }: Known, body: Record<string, unknown>): Promise<void> {
  const current = await Account.query(scope.trx).findById(id).throwIfNotFound();
  await changeOne(accounts, { ...scope, isImport: true }, current, body);
}

/** The heading above each account. @throws ServiceError validation_failed for codes twice, and parents that are no headings */
function findParents(rows: readonly ChartRow[], known: readonly Known[]): ReadonlyMap<string, string> {
  const headings = new Set([
    ...known.filter(({ isHeading }) => isHeading).map(({ code }) => code),
    ...rows.filter(({ isHeading }) => isHeading === true).map(({ code }) => code),
  ]);
  const faults = new Faults();
  const parents = new Map<string, string>();
  const seen = new Set<string>();
  for (const [index, { code, parent }] of rows.entries()) {
    if (seen.has(code)) faults.add(`/accounts/${index}/code`, 'duplicate', 'is the code of an account above');
    seen.add(code);
    if (parent != null && (!headings.has(parent) || parent === code))
      faults.add(`/accounts/${index}/parent`, 'invalid_reference', 'must be the code of a heading');
    const above = parent === undefined ? nearest(code, headings) : parent;
    if (above != null) parents.set(code, above);
  }
  faults.throwIfAny();
  return parents;
}

function nearest(code: string, headings: ReadonlySet<string>): string | null {
  for (let length = code.length - 1; length > 0; length--) {
    if (headings.has(code.slice(0, length))) return code.slice(0, length);
  }
  return null;
}

/** Adds the taxes of a chart that the company lacks. */
async function addTaxes(
  scope: HookScope,
  chart: AccountChart,
  ids: ReadonlyMap<string, string>,
): Promise<RowOutcome[]> {
  const { country } = await loadSettings(scope.trx, 'company');
  const known = new Set((await Tax.query(scope.trx).select('code')).map(({ code }) => code));
  const id = (code: string | undefined) => (code === undefined ? null : (ids.get(code) ?? null));
  const outcomes: RowOutcome[] = [];
  for (const { accounts: own, rate, surchargeRate, ...tax } of chart.taxes(country)) {
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
