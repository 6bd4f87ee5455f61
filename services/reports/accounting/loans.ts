/** Loans at a day: what is outstanding, paid and due next, beside the balances of their accounts. */
import { Type } from 'typebox';
import { Loan } from '../../../db/models/ledger/loans.ts';
import { jsonList, selectJsonColumns } from '../../../db/models/selected.ts';
import { query } from '../../../db/sql.ts';
import { LOAN_STATUSES } from '../../../domain/ledger/loans/schedule.ts';
import { yearStart } from '../../../domain/ledger/periods/fiscal-year.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import { instalmentsLeft } from '../../ledger/loans/state.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { amount, choice, day, integer, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { defineReport, RANGE } from '../engine/declaration.ts';
import { estimateOneRow } from '../engine/size.ts';
import {
  type RegisterAccount,
  registerAccount,
  registerAccountsToJson,
  registerAccountTable,
} from './register-accounts.ts';

const FIGURES = {
  outstanding: amount({ description: 'Outstanding principal' }),
  short_term: amount({ description: 'What of it is on the short-term account' }),
  long_term: amount({ description: 'What of it is on the long-term account' }),
  interest_of_year: amount({ description: 'Interest that was entered in the fiscal year, up to the day' }),
};
const MEMBERS = ['outstanding', 'short_term', 'long_term', 'interest_of_year'] as const;

const ROW = Type.Object({
  loan_id: uuid({ description: 'The loan' }),
  code: text(),
  name: text(),
  partner_name: nullable(text({ description: 'The lender' })),
  status: choice(LOAN_STATUSES, { description: 'Today' }),
  principal: amount({ description: 'Amount lent' }),
  paid: amount({ description: 'Principal that was paid back, also in other books' }),
  ...FIGURES,
  next_due_on: nullable(day({ description: 'The first instalment that is not entered yet' })),
  next_payment: nullable(amount({ description: 'Its principal and interest' })),
  instalments_left: integer({ description: 'Number of instalments that are left today' }),
  drilldown: text({ max: 500 }),
});
const ACCOUNT = registerAccount({
  register: 'What all loans have on the account, credit less debit',
  difference: 'Ledger less loans: debts that are not kept as loans, and entries by hand',
});

const MOVED = `select m.loan_id, sum(m.short_term) as short_term, sum(m.long_term) as long_term,
    coalesce(sum(m.interest) filter (where m.date >= :from::date), 0) as interest
  from loan_movements m where m.date <= :to::date group by 1`;

/** Loans that are there on the day; of those that are repaid, the ones of the fiscal year. */
const ROWS_SQL = `select ${jsonList(`select ${selectJsonColumns(Loan, 'n')} from loans n where n.id = a.id`)} as loan,
    p.name as "partnerName", m.short_term::text, m.long_term::text, (m.short_term + m.long_term)::text as outstanding,
    m.interest::text as interest_of_year
  from loans a join (${MOVED}) m on m.loan_id = a.id left join partners p on p.id = a.partner_id
  where m.short_term + m.long_term <> 0 or exists (select from loan_movements d
    where d.loan_id = a.id and d.standing and d.date between :from::date and :to::date)
  order by a.code`;

/** Accounts of loans. A closed year is at zero at its end: its closing entries of that day do not count. */
const ACCOUNTS_SQL = `with registered as (
    select s.account, sum(s.amount) as register from loans a left join (${MOVED}) m on m.loan_id = a.id
      cross join lateral (values (a.short_term_account_id, coalesce(m.short_term, 0)),
        (a.long_term_account_id, coalesce(m.long_term, 0))) as s(account, amount) group by 1
  )
  select c.id as account_id, c.code, c.name, r.register::text, coalesce((select sum(l.credit - l.debit) from journal_lines l
    where l.account_id = r.account and l.date <= :to::date and not (l.kind = 'closing' and l.date = :to::date)), 0)::text as ledger
  from registered r join accounts c on c.id = r.account order by c.code`;

interface FoundLoan extends Readonly<Record<(typeof MEMBERS)[number], Decimal>> {
  readonly loan: readonly [Loan];
  readonly partnerName: string | null;
}

export const loansReport = defineReport({
  name: 'loans',
  title: { en: 'Loans', es: 'Préstamos' },
  description:
    'Loans at the end of the day `to`, with what is outstanding and the interest of the fiscal year so far, their next instalments, and ' +
    'the balances of their accounts.',
  area: 'accounting',
  parameters: { to: RANGE.to },
  data: Type.Object({ rows: Type.Array(ROW), accounts: Type.Array(ACCOUNT) }),
  summary: Type.Object(FIGURES),
  ofDay: true,
  consistent: true,
  size: estimateOneRow('loans'),
  async read({ reader, range: { to }, money }) {
    const [{ fiscalYearStart }, { decimalPrecision: places }] = await Promise.all([
      loadSettings(reader, 'company'),
      loadSettings(reader, 'format'),
    ]);
    const from = yearStart(fiscalYearStart, to);
    const [found, accounts] = await Promise.all([
      query<FoundLoan>(reader, ROWS_SQL, { from, to }),
      query<RegisterAccount>(reader, ACCOUNTS_SQL, { from, to }),
    ]);
    const figures = (values: Readonly<Record<(typeof MEMBERS)[number], Decimal>>) => ({
      outstanding: money(values.outstanding),
      short_term: money(values.short_term),
      long_term: money(values.long_term),
      interest_of_year: money(values.interest_of_year),
    });
    const total = (member: (typeof MEMBERS)[number]) => sum(found.map((row) => row[member])).toFixed();
    const rows = found.map(({ loan: [loan], partnerName, ...values }) => {
      const [next] = instalmentsLeft(loan, places);
      return {
        ...{ loan_id: loan.id, code: loan.code, name: loan.name, partner_name: partnerName, status: loan.status },
        ...{
          principal: money(loan.principal),
          paid: money(decimal(loan.principal).minus(values.outstanding).toFixed()),
        },
        ...figures(values),
        next_due_on: next?.date ?? null,
        next_payment: next === undefined ? null : money(sum([next.principal, next.interest]).toFixed()),
        ...{ instalments_left: loan.instalmentsLeft, drilldown: `/api/loans/${loan.id}/schedule` },
      };
    });
    return {
      data: {
        rows,
        accounts: registerAccountsToJson(accounts, to, money),
      },
      summary: {
        ...figures({
          ...{ outstanding: total('outstanding'), short_term: total('short_term'), long_term: total('long_term') },
          interest_of_year: total('interest_of_year'),
        }),
      },
    };
  },
  file: ({ data, summary }) => ({
    tables: [{ row: ROW, rows: data.rows, totals: summary }, registerAccountTable(ACCOUNT, data.accounts)],
  }),
});
