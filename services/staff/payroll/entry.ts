/**
 * Builds the entry of a payroll. Its texts name no employee, since bookkeepers may not be allowed to know each one's
 * pay.
 */
import type { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import type { Payroll } from '../../../db/models/records/people.ts';
import { query } from '../../../db/sql.ts';
import { Faults } from '../../../domain/faults.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { type Dimensions, firstDimensions } from '../../../domain/ledger/accounting/dimensions.ts';
import { type EntryLine, entryLine } from '../../../domain/ledger/accounting/entries.ts';
import type { AccountRole } from '../../../domain/ledger/accounting/roles.ts';
import { type Decimal, decimal, distribute, sum } from '../../../domain/money.ts';
import { FREE_KINDS } from '../../../domain/staff/payroll/types.ts';
import { AccountBook } from '../../ledger/accounting/account-book.ts';
import { addEntry, type EntryDay, type EntryToWrite } from '../../ledger/accounting/write-entry.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { staffPartner } from './staff.ts';

const ROLES = [
  'wages',
  'employerContributions',
  'socialSecurityPayable',
  'withholdingMade',
  'wagesPayable',
  'staffAdvances',
  'staffExpenses',
] as const satisfies readonly AccountRole[];

type Figures = Pick<
  Payroll,
  'employeeId' | 'year' | 'month' | 'gross' | 'employeeContribution' | 'employerContribution' | 'irpf' | 'net' | 'lines'
>;

/** Accounts of what is free of contributions and tax, which only payrolls with such lines need. */
const FREE_ROLES = { expenses: 'travelExpenses', severance: 'severance' } as const satisfies Record<
  FreeKind,
  AccountRole
>;

type FreeKind = (typeof FREE_KINDS)[number];

/** The accounts of payrolls, and the partner of amounts owed to employees. */
export interface PayrollAccounts {
  readonly ids: Readonly<Record<(typeof ROLES)[number], string>>;
  /** @throws ServiceError validation_failed when the account cannot be used */
  readonly free: (kind: FreeKind) => string;
  readonly partnerId: string;
  readonly currency: string;
  /** Decimals of amounts. */
  readonly places: number;
  /** Shares of projects and cost centers, by employee. */
  readonly shares: ReadonlyMap<string, readonly CostShare[]>;
  /** Completes lines by what their accounts require. @throws ServiceError validation_failed */
  readonly completed: (lines: readonly EntryLine[]) => EntryLine[];
}

/** A share in the cost of an employee; without a percentage, the employee's own, which takes what the others leave. */
interface CostShare extends Dimensions {
  readonly employeeId: string;
  readonly percent: Decimal | null;
  /** Codes of a closed project and an inactive cost center. */
  readonly closedProject: string | null;
  readonly closedCostCenter: string | null;
}

const SHARES_SQL = `with named as (
    select id, employee_id, project_id, cost_center_id, percent from employee_cost_shares
    union all select null, id, default_project_id, default_cost_center_id, null from employees
      where num_nonnulls(default_project_id, default_cost_center_id) > 0)
  select s.employee_id as "employeeId", s.project_id as "projectId", s.cost_center_id as "costCenterId", s.percent::text,
    (select code from projects where id = s.project_id and not active) as "closedProject",
    (select code from cost_centers where id = s.cost_center_id and not active) as "closedCostCenter"
  from named s order by s.id nulls last`;

/** Loads the accounts. @throws ServiceError validation_failed when an account cannot be used */
export async function payrollAccounts(trx: Db, ctx: Context): Promise<PayrollAccounts> {
  const book = await AccountBook.loadLocked(trx, { roles: [...ROLES, ...Object.values(FREE_ROLES)] });
  const ids = Object.fromEntries(ROLES.map((role) => [role, book.role(role)])) as PayrollAccounts['ids'];
  book.faults.throwIfAny();
  const { currency } = await loadSettings(trx, 'company');
  const free = (kind: FreeKind) => {
    const id = book.role(FREE_ROLES[kind]);
    book.faults.throwIfAny();
    return id;
  };
  const shares = await query<CostShare>(trx, SHARES_SQL, {});
  return {
    ids,
    free,
    partnerId: await staffPartner(trx, ctx, ids.wagesPayable),
    currency,
    places: book.places,
    shares: groupBy(shares, ({ employeeId }) => employeeId),
    completed: (lines) => book.completed(lines),
  };
}

/** The name of a month's pay in the books. */
export function payrollReference({ year, month }: Pick<Payroll, 'year' | 'month'>): string {
  return `Nómina ${year}-${String(month).padStart(2, '0')}`;
}

/**
 * Builds the entry of a payroll: gross pay, expenses paid back (629), severance (641) and employer contributions against social security,
 * income tax, payments received earlier in money (460) or in kind (649), and the remainder, an open item of the partner of employees.
 */
function payrollEntry(
  payroll: Figures & Pick<Payroll, 'id'>,
  { ids, free, partnerId, currency, places, shares, completed }: PayrollAccounts,
  day: EntryDay,
): EntryToWrite {
  const reference = payrollReference(payroll);
  const received = (kind: string) =>
    sum(payroll.lines.filter((line) => line.kind === kind).map(({ amount }) => amount)).toFixed();
  const credit = (role: keyof typeof ids, amount: Decimal, more = {}) => entryLine('credit', ids[role], amount, more);
  const own = bearingShares(shares.get(payroll.employeeId) ?? []);
  const cost = (accountId: string, amount: Decimal) => sharedCost(accountId, amount, own, places);
  const paidFree = FREE_KINDS.flatMap((kind) => {
    const amount = received(kind);
    return decimal(amount).eq(0) ? [] : cost(free(kind), amount);
  });
  const lines: EntryLine[] = [
    ...cost(ids.wages, payroll.gross),
    ...paidFree,
    ...cost(ids.employerContributions, payroll.employerContribution),
    credit('socialSecurityPayable', sum([payroll.employeeContribution, payroll.employerContribution]).toFixed()),
    credit('withholdingMade', payroll.irpf),
    credit('staffAdvances', received('deduction')),
    credit('staffExpenses', received('in_kind')),
    credit('wagesPayable', payroll.net, {
      partnerId,
      open: { direction: 'out', dueDate: day.date, reference, settlesId: null },
    }),
  ];
  return {
    ...day,
    description: reference,
    sourceType: 'payroll',
    sourceId: payroll.id,
    currency,
    lines: completed(lines.filter(({ debit, credit }) => !decimal(debit).eq(0) || !decimal(credit).eq(0))),
  };
}

/** Who bears what share of a cost. */
type Bearer = Dimensions & { readonly percent: Decimal };

/**
 * The shares of an employee and who bears the rest: the cost center and project of the employee, or nothing.
 * @throws ServiceError validation_failed when one of them takes no more
 */
function bearingShares(named: readonly CostShare[]): Bearer[] {
  const shares = named.flatMap(({ percent, ...share }) => (percent === null ? [] : [{ ...share, percent }]));
  const rest = decimal(100).minus(sum(shares.map(({ percent }) => percent)));
  const others = named.find(({ percent }) => percent === null);
  const bearers = rest.gt(0) && others ? [...shares, others] : shares;
  const faults = new Faults();
  for (const { closedProject, closedCostCenter } of bearers) {
    if (closedProject !== null) faults.add('/projectId', 'closed_project', closedMessage(closedProject));
    if (closedCostCenter !== null)
      faults.add('/costCenterId', 'inactive_cost_center', inactiveMessage(closedCostCenter));
  }
  faults.throwIfAny();
  return rest.gt(0) ? [...shares, { ...firstDimensions(others), percent: rest.toFixed() }] : shares;
}

const closedMessage = (code: string) =>
  `project ${code} is closed but bears a part of the pay: change the cost shares of the employee, or make it active again`;
const inactiveMessage = (code: string) =>
  `cost center ${code} is inactive but bears a part of the pay: change the cost shares of the employee, or make it active again`;

/** A cost by who bears it, to the cent. */
function sharedCost(accountId: string, amount: Decimal, bearers: readonly Bearer[], places: number): EntryLine[] {
  const parts = distribute(
    amount,
    bearers.map(({ percent }) => percent),
    places,
  );
  return bearers.map(({ projectId, costCenterId }, index) =>
    entryLine('debit', accountId, parts[index] ?? '0', { projectId, costCenterId }),
  );
}

/** The day and the accounts for a month's payrolls. */
export interface Posting {
  readonly accounts: PayrollAccounts;
  readonly day: EntryDay;
}

/** Adds the entry of a posted payroll. @returns the payroll's changed columns */
export function addPosting(
  changes: Changes,
  payroll: Figures & Pick<Payroll, 'id'>,
  { accounts, day }: Posting,
): Pick<Payroll, 'status' | 'entryId' | 'postedAt'> {
  const entryId = addEntry(changes, payrollEntry(payroll, accounts, day));
  return { status: 'O', entryId, postedAt: changes.ctx.now.toISOString() };
}
