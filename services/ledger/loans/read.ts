/** The schedule of a loan: what was paid, and what is left. */
import type { Reader } from '../../../db/database.ts';
import { Loan, type LoanMovement } from '../../../db/models/ledger/loans.ts';
import { findRow } from '../../../db/queries/find.ts';
import { query } from '../../../db/sql.ts';
import { notFound } from '../../../domain/errors.ts';
import { decimal, sum, toNumber } from '../../../domain/money.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { instalmentsLeft } from './state.ts';

const PAID_SQL = `select kind, date, (-short_term - long_term)::text as principal, interest::text, fee::text, entry_id as "entryId"
  from loan_movements where loan_id = :id::uuid and standing and kind in ('instalment', 'repayment') order by id`;

interface Paid extends Pick<LoanMovement, 'date' | 'interest' | 'fee' | 'entryId'> {
  readonly kind: 'instalment' | 'repayment';
  readonly principal: LoanMovement['shortTerm'];
}

/** The instalments and repayments of a loan, those that were entered first. @throws ServiceError not_found */
export async function readSchedule(reader: Reader, id: string) {
  const loan = (await findRow(reader, Loan, { id })) as Loan | undefined;
  if (loan === undefined) throw notFound('This loan');
  const { decimalPrecision: places } = await loadSettings(reader, 'format');
  const paid = await query<Paid>(reader, PAID_SQL, { id });
  const ahead = instalmentsLeft(loan, places).map(
    (one): Paid => ({ ...one, kind: 'instalment', fee: '0', entryId: null }),
  );
  // A loan that was taken over began with less than the principal.
  const begin = sum([loan.outstanding, ...paid.map(({ principal }) => principal)]).toFixed();
  let outstanding = decimal(loan.status === 'planned' ? loan.principal : begin);
  const rows = [...paid.map((one) => ({ ...one, entered: true })), ...ahead.map((one) => ({ ...one, entered: false }))];
  const instalments = rows.map(({ kind, date, principal, interest, fee, entryId, entered }) => {
    outstanding = outstanding.minus(principal);
    const amounts = { principal: toNumber(principal), interest: toNumber(interest), fee: toNumber(fee) };
    const total = toNumber(sum([principal, interest, fee]).toFixed());
    return { date, kind, ...amounts, total, outstanding: toNumber(outstanding.toFixed()), entered, entryId };
  });
  return { loanId: id, instalments, interest: toNumber(sum(rows.map((row) => row.interest)).toFixed()) };
}
