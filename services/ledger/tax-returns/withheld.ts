/**
 * Income tax that the company withholds according to the ledger: from wages, from professionals, and the remainder of
 * its account.
 */
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { ACCOUNT_ROLES, roleMember } from '../../../domain/ledger/accounting/roles.ts';
import {
  type Subkey,
  sumPart,
  WITHHELD_RATES,
  type WithheldFrom,
  withheldKey,
  withheldSubkey,
} from '../../../domain/ledger/tax-returns/withheld.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { LINE_PARTNER } from '../accounting/partner-entries.ts';
import { provinceSql } from './province.ts';
import type { Days } from './taxes.ts';

/** Withheld tax that models 111 and 190 do not declare. */
export interface Elsewhere {
  readonly rate: Decimal;
  readonly base: Decimal;
  readonly amount: Decimal;
}

export interface WithheldTotals {
  readonly recipients: readonly WithheldFrom[];
  /** Tax at percentages that other models declare, such as model 115 for rents. */
  readonly elsewhere: readonly Elsewhere[];
  /** Amounts on the account whose lines name neither recipient nor kind of income. */
  readonly undeclared: Decimal;
  /** Everything on the account except payments to the tax agency: the sum of the members above. */
  readonly entered: Decimal;
  /** The account of withheld income tax. */
  readonly accountId: string | null;
}

/** A payroll counts in its month, on the day of its entry, and as negative on the day of the reversal. */
const WAGES_SQL = `
  with moved as (
    select p.*, 1 as sign from payrolls p join journal_entries e on e.id = p.entry_id
    where p.year between extract(year from :from::date) and extract(year from :to::date)
      and e.date between :from::date and :to::date and p.employee_id = coalesce(:employeeId::uuid, p.employee_id)
    union all
    select p.*, -1 from payrolls p join journal_entries e on e.id = p.reversal_id
    where e.date between :from::date and :to::date and p.employee_id = coalesce(:employeeId::uuid, p.employee_id)
  ), paid as (
    select m.employee_id, m.sign, m.gross, m.irpf, m.employee_contribution, k.amount as kind,
      round(k.amount * m.irpf_rate / 100, 2) as kind_withheld
    from moved m cross join lateral (
      select coalesce(sum((l ->> 'amount')::numeric), 0) as amount
      from jsonb_array_elements(m.lines) l where l ->> 'kind' = 'in_kind'
    ) k
  ), sums as (
    select employee_id, sum(sign * (gross - kind)) as amount, sum(sign * (irpf - kind_withheld)) as withheld,
      sum(sign * kind) as kind, sum(sign * kind_withheld) as kind_withheld, sum(sign * employee_contribution) as contributions
    from paid group by employee_id
  )
  select case when t.withholding in ('administrator', 'small_administrator') then 'E' when t.withholding = 'author' then 'F'
      else 'A' end as key, t.subkey, s.employee_id as "employeeId", null as "partnerId", e.name, e.nif, t.province,
    json_build_object('amount', s.amount::text, 'withheld', s.withheld::text) as cash,
    json_build_object('amount', s.kind::text, 'withheld', s.kind_withheld::text) as "inKind", s.contributions::text
  from sums s join employees e on e.id = s.employee_id left join employee_tax_data t on t.employee_id = e.id
  where (s.amount, s.withheld, s.kind, s.kind_withheld) <> (0, 0, 0, 0)
  order by e.name, e.id`;

/** A line with tax details was withheld by the company when the signs of its amount and side agree, otherwise by a customer. */
export const IS_WITHHELD = `(l.tax_kind = 'withholding' and l.tax_amount = l.credit - l.debit)`;
/** Whether other models than 111 and 190 declare the percentage of a line. */
export const IS_WITHHELD_ELSEWHERE = `(l.tax_rate not in (${WITHHELD_RATES.join(', ')}))`;

/**
 * The partner is taken from another line of the same entry. Forms have cents: so each recipient's sums do, and their totals.
 */
const INVOICED_SQL = `
  select l.tax_rate::text as rate, p.id as "partnerId", coalesce(p.name, '') as name, p.nif, p.withholding_subkey as "statedSubkey",
    ${provinceSql('p')} as province,
    round(sum(l.tax_base), 2)::text as base, round(sum(l.credit - l.debit), 2)::text as amount
  from journal_lines l
  left join ${LINE_PARTNER} o on true
  left join partners p on p.id = o.partner_id
  where l.date between :from::date and :to::date and l.kind = 'normal' and ${IS_WITHHELD}
  group by l.tax_rate, p.id, p.name, p.nif, p.withholding_subkey, p.country_code
  having sum(l.tax_base) <> 0 or sum(l.credit - l.debit) <> 0
  order by p.name, p.id, l.tax_rate`;

/** Excludes payments to the agency (debits without tax details) and the lines of the two statements above. */
const UNDECLARED_SQL = `
  select (array_agg(a.id order by a.code))[1] as "accountId",
    round(coalesce(sum(l.credit - l.debit) filter (where (l.credit <> 0) = (e.reversal_of is null)), 0), 2)::text as amount
  from accounts a
  left join (journal_lines l join journal_entries e on e.id = l.entry_id and e.source_type is distinct from 'payroll')
    on l.account_id = a.id and l.date between :from::date and :to::date and l.kind = 'normal'
    and not coalesce(${IS_WITHHELD}, false)
  where a.id = :named::uuid or (:named::uuid is null and a.code like :code)`;

interface Invoiced {
  readonly rate: Decimal;
  readonly partnerId: string | null;
  readonly name: string;
  readonly nif: string | null;
  readonly statedSubkey: Subkey | null;
  readonly province: string | null;
  readonly base: Decimal;
  readonly amount: Decimal;
}

/**
 * Reads the wages of a span, by the days of their entries.
 * @param employeeId null for all employees
 */
export async function readWages(reader: Reader, days: Days, employeeId: string | null = null): Promise<WithheldFrom[]> {
  return await query<WithheldFrom>(reader, WAGES_SQL, { ...days, employeeId });
}

/** Reads the recipients of withheld tax in a span, by the days of the entries. */
export async function readWithheld(reader: Reader, days: Days): Promise<WithheldTotals> {
  const settings = await loadSettings(reader, 'accounting');
  const named = settings[roleMember('withholdingMade')];
  const wages = await readWages(reader, days);
  const invoiced = await query<Invoiced>(reader, INVOICED_SQL, { ...days });
  const account = { ...days, named, code: `${ACCOUNT_ROLES.withholdingMade}%` };
  const [rest] = await query<{ accountId: string | null; amount: Decimal }>(reader, UNDECLARED_SQL, account);
  const recipients = [...wages, ...mergeRecipients(invoiced)];
  const elsewhere = byRate(invoiced.filter(({ rate }) => withheldKey(rate) === null));
  const undeclared = rest?.amount ?? '0';
  const entered = sum([
    sumPart(recipients, 'cash', 'withheld'),
    sumPart(recipients, 'inKind', 'withheld'),
    ...elsewhere.map(({ amount }) => amount),
    undeclared,
  ]).toFixed();
  return { recipients, elsewhere, undeclared, entered, accountId: rest?.accountId ?? null };
}

/** Merges invoices into one recipient for each partner, key and subkey. */
function mergeRecipients(invoiced: readonly Invoiced[]): WithheldFrom[] {
  const found = new Map<string, WithheldFrom>();
  for (const { rate, partnerId, name, nif, statedSubkey, province, base, amount } of invoiced) {
    const key = withheldKey(rate);
    if (key === null) continue;
    const subkey = withheldSubkey(rate, statedSubkey);
    const id = `${key} ${subkey} ${partnerId}`;
    const before = found.get(id)?.cash ?? { amount: '0', withheld: '0' };
    const cash = {
      amount: decimal(before.amount).plus(base).toFixed(),
      withheld: decimal(before.withheld).plus(amount).toFixed(),
    };
    const inKind = { amount: '0', withheld: '0' } as const;
    found.set(id, {
      ...{ key, subkey, employeeId: null, partnerId, name, nif, province },
      ...{ cash, inKind, contributions: '0' },
    });
  }
  return [...found.values()];
}

function byRate(invoiced: readonly Invoiced[]): Elsewhere[] {
  const rates = [...new Set(invoiced.map(({ rate }) => rate))];
  return rates.map((rate) => {
    const of = invoiced.filter((each) => each.rate === rate);
    const total = (member: 'base' | 'amount') => sum(of.map((each) => each[member])).toFixed();
    return { rate, base: total('base'), amount: total('amount') };
  });
}
