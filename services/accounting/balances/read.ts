/** Balances of accounts and of taxes over spans of days, exact at once, at a cost that does not grow with the history (decision 0171). */
import type { Reader } from '../../../db/database.ts';
import type { JournalBalance } from '../../../db/models/accounting.ts';
import type { Account } from '../../../db/models/master-data.ts';
import type { Row } from '../../../db/models/table.ts';
import { type Bindings, query } from '../../../db/sql.ts';
import type { Decimal } from '../../../domain/money.ts';
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
  /** By names of the caller's. */
  readonly spans: Readonly<Record<Name, Span>>;
  /** What is kept apart, besides what the function says. */
  readonly by?: readonly By[];
}

/** Limits what is added up. */
interface Limits {
  readonly types?: readonly NamedAccount['type'][] | undefined;
  readonly accountIds?: readonly string[] | undefined;
  readonly projectId?: string | undefined;
  readonly costCenterId?: string | undefined;
}

export type AccountBalance<Name extends string, By extends Dimension = never> = NamedAccount &
  Pick<Balance, 'accountId' | By> &
  Sums<Name, 'debit' | 'credit' | 'balance'>;

/** @returns accounts that anything is entered on in one of the spans, by their codes; balance = debit − credit */
export async function readBalances<Name extends string, By extends Dimension = never>(
  reader: Reader,
  { tenantId, spans, by = [], types, ...limits }: Sought<Name, By> & Limits,
): Promise<AccountBalance<Name, By>[]> {
  const bindings: Record<string, Bindings[string]> = { tenant: tenantId, types: types ?? null };
  const where = Object.entries(LIMITS).flatMap(([member, condition]) => {
    const value = limits[member as keyof typeof LIMITS];
    if (value === undefined) return [];
    bindings[member] = value;
    return [condition];
  });
  const sought = { spans, by: ['accountId', ...by] as const, sums: ACCOUNT_SUMS, where };
  return await query(
    reader,
    // Materialized, or it might be read again for each account.
    `with b as materialized (${balancesStatement(sought, bindings)})
     select b.*, a.code, a.name, a.type from b join accounts a on a.id = b."accountId"
     where :types::text[] is null or a.type = any(:types::text[])
     order by a.code, ${sought.by.map((member) => `b."${member}"`).join(', ')}`,
    bindings,
  );
}

const ACCOUNT_SUMS = { debit: 'p.debit', credit: 'p.credit', balance: 'p.debit - p.credit' } as const;
const LIMITS = {
  accountIds: 'p.account_id = any(:accountIds::uuid[])',
  projectId: 'p.project_id = :projectId::uuid',
  costCenterId: 'p.cost_center_id = :costCenterId::uuid',
} as const;

/** What lines say about taxes. */
const TAX = ['taxKind', 'taxOperation', 'taxUse', 'taxRectifying', 'taxGroupId', 'taxRate'] as const;
type Tax = { readonly [M in (typeof TAX)[number]]: M extends 'taxGroupId' ? Balance[M] : NonNullable<Balance[M]> };

export type TaxBalance<Name extends string, By extends Dimension | 'accountId' = never> = Tax &
  Pick<Balance, By> &
  Sums<Name, keyof typeof TAX_SUMS>;

/**
 * Bases and amounts of taxes, signed as in the ledger's lines.
 * @returns taxes that there are in one of the spans
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
  /** What the pro rata applies to. */
  subject: 'p.tax_subject',
  debit: 'p.debit',
  credit: 'p.credit',
} as const;

export type MonthBalance<Name extends string> = Pick<Balance, 'month'> & Sums<Name, keyof typeof MONTH_SUMS>;

/**
 * What the lines of each month add up to, and how many they are.
 * @param limits of one account; of the months between two days only, which all spans must lie between
 * @returns months with lines in one of the spans, in their order
 */
export async function readMonths<Name extends string>(
  reader: Reader,
  { tenantId, spans, accountId, months }: Omit<Sought<Name, never>, 'by'> & MonthLimits,
): Promise<MonthBalance<Name>[]> {
  const bindings: Record<string, Bindings[string]> = { tenant: tenantId };
  const where: string[] = [];
  if (accountId !== undefined) {
    where.push('p.account_id = :account::uuid');
    bindings.account = accountId;
  }
  if (months !== undefined) {
    where.push(`p.month >= date_trunc('month', :first::date::timestamp)::date and p.month <= :last::date`);
    Object.assign(bindings, { first: months.from, last: months.to });
  }
  const sought = { spans, by: ['month'] as const, sums: MONTH_SUMS, where };
  return await query(reader, `${balancesStatement(sought, bindings)} order by month`, bindings);
}

interface MonthLimits {
  readonly accountId?: string;
  readonly months?: { readonly from: string; readonly to: string };
}

const MONTH_SUMS = { debit: 'p.debit', credit: 'p.credit', lines: 'p.lines' } as const;
