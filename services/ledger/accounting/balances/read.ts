/**
 * Reads balances of accounts and taxes over spans of days, always current, at a cost independent of the history's
 * length (decision 0171).
 */
import type { Reader } from '../../../../db/database.ts';
import type { JournalBalance } from '../../../../db/models/ledger/accounting.ts';
import type { Account } from '../../../../db/models/records/master-data.ts';
import type { Row } from '../../../../db/models/table.ts';
import { type Bindings, query } from '../../../../db/sql.ts';
import type { Decimal } from '../../../../domain/money.ts';
import { balancesStatement, type Span } from './statement.ts';

export type { Span };

type Balance = Row<typeof JournalBalance>;
type NamedAccount = Pick<Row<typeof Account>, 'code' | 'name' | 'type'>;
type Dimension = 'fiscalYear' | 'month' | 'kind' | 'projectId' | 'costCenterId';

/** Sums by the names of the spans. */
type Sums<Name extends string, Sum extends string> = {
  readonly sums: Readonly<Record<Name, Readonly<Record<Sum, Decimal>>>>;
};

interface Sought<Name extends string, By extends string> {
  readonly tenantId: string;
  /** Spans by names that the caller chooses. */
  readonly spans: Readonly<Record<Name, Span>>;
  /** Dimensions kept apart, in addition to the function's own. */
  readonly by?: readonly By[];
}

/** Conditions on the lines that are summed. */
interface Limits {
  readonly types?: readonly NamedAccount['type'][] | undefined;
  readonly accountIds?: readonly string[] | undefined;
  readonly projectId?: string | undefined;
  readonly costCenterId?: string | undefined;
}

export type AccountBalance<
  Name extends string,
  By extends Dimension = never,
  Sum extends string = AccountSum,
> = NamedAccount & Pick<Balance, 'accountId' | By> & Sums<Name, Sum>;

/** Reads balances of accounts. @returns accounts with entries in any span, by code; balance = debit − credit */
export async function readBalances<Name extends string, By extends Dimension = never>(
  reader: Reader,
  sought: Sought<Name, By> & Limits,
): Promise<AccountBalance<Name, By>[]> {
  return await readAccounts(reader, sought, ACCOUNT_SUMS);
}

/** Reads balances of accounts, and how many lines make them up. @returns as readBalances does */
export async function readCountedBalances<Name extends string>(
  reader: Reader,
  sought: Sought<Name, never> & Limits,
): Promise<AccountBalance<Name, never, AccountSum | 'lines'>[]> {
  return await readAccounts(reader, sought, { ...ACCOUNT_SUMS, lines: 'p.lines' });
}

async function readAccounts<Name extends string, By extends Dimension, Sum extends string>(
  reader: Reader,
  { tenantId, spans, by = [], types, ...limits }: Sought<Name, By> & Limits,
  sums: Readonly<Record<Sum, string>>,
): Promise<AccountBalance<Name, By, Sum>[]> {
  const bindings: Record<string, Bindings[string]> = { tenant: tenantId, types: types ?? null };
  const where = Object.entries(LIMITS).flatMap(([member, condition]) => {
    const value = limits[member as keyof typeof LIMITS];
    if (value === undefined) return [];
    bindings[member] = value;
    return [condition];
  });
  const sought = { spans, by: ['accountId', ...by] as const, sums, where };
  return await query(
    reader,
    // Materialized, so that it is not read again for each account.
    `with b as materialized (${balancesStatement(sought, bindings)})
     select b.*, a.code, a.name, a.type from b join accounts a on a.id = b."accountId"
     where :types::text[] is null or a.type = any(:types::text[])
     order by a.code, ${sought.by.map((member) => `b."${member}"`).join(', ')}`,
    bindings,
  );
}

const ACCOUNT_SUMS = { debit: 'p.debit', credit: 'p.credit', balance: 'p.debit - p.credit' } as const;
type AccountSum = keyof typeof ACCOUNT_SUMS;
const LIMITS = {
  accountIds: 'p.account_id = any(:accountIds::uuid[])',
  projectId: 'p.project_id = :projectId::uuid',
  costCenterId: 'p.cost_center_id = :costCenterId::uuid',
} as const;

/** Dimensions of the tax on a line. */
const TAX = ['taxKind', 'taxOperation', 'taxUse', 'taxRectifying', 'taxGroupId', 'taxRate'] as const;
type Tax = { readonly [M in (typeof TAX)[number]]: M extends 'taxGroupId' ? Balance[M] : NonNullable<Balance[M]> };

export type TaxBalance<Name extends string, By extends Dimension | 'accountId' = never> = Tax &
  Pick<Balance, By> &
  Sums<Name, keyof typeof TAX_SUMS>;

/**
 * Reads bases and amounts of taxes, signed as in the ledger's lines.
 * @returns taxes with lines in any span
 */
export async function readTaxBalances<Name extends string, By extends Dimension | 'accountId' = never>(
  reader: Reader,
  { tenantId, spans, by = [] }: Sought<Name, By>,
): Promise<TaxBalance<Name, By>[]> {
  const bindings: Record<string, Bindings[string]> = { tenant: tenantId };
  const sought = { spans, by: [...TAX, ...by], sums: TAX_SUMS, where: ['p.tax_kind is not null'] };
  const order = sought.by.map((member) => `"${member}"`).join(', ');
  return await query(reader, `${balancesStatement(sought, bindings)} order by ${order}`, bindings);
}

const TAX_SUMS = {
  base: 'p.tax_base',
  amount: 'p.tax_amount',
  /** Amount to which the pro rata applies. */
  subject: 'p.tax_subject',
  debit: 'p.debit',
  credit: 'p.credit',
} as const;

export type MonthBalance<Name extends string> = Pick<Balance, 'month'> & Sums<Name, keyof typeof MONTH_SUMS>;

/**
 * Reads the sums and the number of lines of each month.
 * @param limits one account; months between two days that enclose all spans
 * @returns months with lines in any span, in order
 */
export async function readMonths<Name extends string>(
  reader: Reader,
  { tenantId, spans, accountId, months, ...dimensions }: Omit<Sought<Name, never>, 'by'> & MonthLimits,
): Promise<MonthBalance<Name>[]> {
  const bindings: Record<string, Bindings[string]> = { tenant: tenantId };
  const where: string[] = [];
  if (accountId !== undefined) {
    where.push('p.account_id = :account::uuid');
    bindings.account = accountId;
  }
  for (const member of ['projectId', 'costCenterId'] as const) {
    const id = dimensions[member];
    if (id === undefined) continue;
    where.push(LIMITS[member]);
    bindings[member] = id;
  }
  if (months !== undefined) {
    where.push(`p.month >= date_trunc('month', :first::date::timestamp)::date and p.month <= :last::date`);
    Object.assign(bindings, { first: months.from, last: months.to });
  }
  const sought = { spans, by: ['month'] as const, sums: MONTH_SUMS, where };
  return await query(reader, `${balancesStatement(sought, bindings)} order by month`, bindings);
}

interface MonthLimits extends Pick<Limits, 'projectId' | 'costCenterId'> {
  readonly accountId?: string;
  readonly months?: { readonly from: string; readonly to: string };
}

const MONTH_SUMS = { debit: 'p.debit', credit: 'p.credit', lines: 'p.lines' } as const;
