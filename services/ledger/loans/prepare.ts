/** Completes and checks a loan before it is written. */
import type { Db } from '../../../db/database.ts';
import { type Loan, LoanMovement } from '../../../db/models/ledger/loans.ts';
import { prepared } from '../../../db/sql.ts';
import { dayInMonth, monthsAfter } from '../../../domain/days.ts';
import { invalidMember, ServiceError } from '../../../domain/errors.ts';
import { decimalPlaces } from '../../../domain/money.ts';
import { CURRENCY } from '../../platform/settings/format.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { checkAccountTypes } from '../accounting/account-types.ts';

type Row = Record<string, unknown>;
type NewLoan = Pick<Loan, 'principal' | 'startsOn' | 'firstDueOn' | 'dueDay'>;

/** Members that stay as they are once the loan is drawn: what was entered follows from them. */
const HELD = ['principal', 'annualRate', 'instalments', 'startsOn', 'firstDueOn', 'method'] as const;
const HELD_ACCOUNTS = ['longTermAccountId', 'shortTermAccountId', 'interestAccountId', 'bankAccountId'] as const;

const TYPES = {
  longTermAccountId: ['liability'],
  shortTermAccountId: ['liability'],
  interestAccountId: ['expense'],
  bankAccountId: ['asset', 'liability'],
} as const;

/** Fills in the days, and that nothing is drawn yet. @throws ServiceError validation_failed */
export async function prepareNewLoan(trx: Db, values: Row): Promise<Row> {
  const { startsOn, firstDueOn } = values as unknown as NewLoan;
  const dueDay = dayOfMonth(firstDueOn ?? startsOn);
  const days = { firstDueOn: firstDueOn ?? dayInMonth(monthsAfter(startsOn, 1), dueDay), dueDay };
  const complete = { ...values, ...days };
  await checkLoan(trx, complete as unknown as NewLoan);
  await checkAccountTypes(trx, values, TYPES);
  await checkBank(trx, values.bankAccountId);
  const sums = { shortTerm: '0', longTerm: '0', outstanding: '0', payment: '0', instalmentsLeft: 0 };
  return { ...complete, ...sums, status: 'planned', nextDueOn: null, reclassifiedOn: null };
}

/** @throws ServiceError validation_failed; invalid_transition when the loan is drawn */
export async function prepareChangedLoan(trx: Db, values: Row, current: Loan): Promise<Row> {
  const held = [...HELD, ...HELD_ACCOUNTS].find((one) => values[one] !== undefined && values[one] !== current[one]);
  if (current.status !== 'planned' && held !== undefined) {
    const message = `${held} of ${current.code} cannot be changed because it is ${current.status}; undo its drawing first`;
    throw new ServiceError('invalid_transition', message);
  }
  const moved = typeof values.firstDueOn === 'string' ? { dueDay: dayOfMonth(values.firstDueOn) } : {};
  await checkLoan(trx, { ...current, ...values } as unknown as NewLoan);
  await checkAccountTypes(trx, values, TYPES);
  if (values.bankAccountId !== current.bankAccountId) await checkBank(trx, values.bankAccountId);
  return { ...values, ...moved };
}

/** @throws ServiceError invalid_transition when something was entered */
export async function assertUndrawn(trx: Db, { id, code }: Loan): Promise<void> {
  const entered: unknown = await LoanMovement.query(trx).findOne({ loan_id: id });
  if (entered === undefined) return;
  throw new ServiceError('invalid_transition', `${code} cannot be deleted because entries were made for it`);
}

async function checkLoan(trx: Db, { principal, startsOn, firstDueOn }: NewLoan): Promise<void> {
  if (firstDueOn <= startsOn)
    throw invalidMember('/firstDueOn', 'out_of_range', `must be after ${startsOn}, the day of the drawing`);
  const { decimalPrecision: places } = await loadSettings(trx, 'format');
  if (decimalPlaces(principal) > places)
    throw invalidMember('/principal', 'too_many_decimals', `must have at most ${places} decimals`);
}

const FOREIGN_SQL = `select b.currency, ${CURRENCY} as company from bank_accounts b
  where b.account_id = :id::uuid and b.currency <> ${CURRENCY} limit 1`;

/** Loans have amounts in the company's currency alone, which would leave the balance of a bank account in another one as it is. */
async function checkBank(trx: Db, id: unknown): Promise<void> {
  if (typeof id !== 'string') return;
  const [found] = await prepared<{ currency: string; company: string }>(trx, FOREIGN_SQL, { id });
  if (found === undefined) return;
  const { currency, company } = found;
  const message = `must not be that of a bank account in ${currency}: loans are in ${company}`;
  throw invalidMember('/bankAccountId', 'other_currency', message);
}

function dayOfMonth(day: string): number {
  return Number(day.slice(8));
}
