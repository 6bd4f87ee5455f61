/** Books parts of lines on ledger accounts, and links lines to existing entries. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { BankStatementLine } from '../../../db/models/bank/statements.ts';
import { openDimensions } from '../../../db/queries/dimensions.ts';
import { query } from '../../../db/sql.ts';
import { invalidMember, ServiceError } from '../../../domain/errors.ts';
import { type Dimensions, firstDimensions } from '../../../domain/ledger/accounting/dimensions.ts';
import type { EntryLine } from '../../../domain/ledger/accounting/entries.ts';
import { type Decimal, decimal, sum, toNumber } from '../../../domain/money.ts';
import { toCompany } from '../../../domain/trade/documents/company-amounts.ts';
import { AccountBook } from '../../ledger/accounting/account-book.ts';
import { checkEntry } from '../../ledger/accounting/entry-input.ts';
import type { EntryLineInput } from '../../ledger/accounting/schemas.ts';
import { type BudgetWarning, type ControllingBudget, findControl } from '../../ledger/budgets/compare.ts';
import { checkBudget } from '../../ledger/budgets/control.ts';
import { translatePointers } from '../../platform/validation/refusals.ts';
import { postManualEntry } from '../manual-entries/enter.ts';
import { Charges } from './charges.ts';
import { type LineCurrency, lineCurrency } from './line-currency.ts';
import type { AcceptedLine, SharedPart, Target } from './parts.ts';

/** Source type of entries made for lines. */
export const LINE_SOURCE = 'bank_statement_line';
/** The area of the books that entries of statement lines belong to. */
export const LINE_AREA = 'bank';

/** Ledger accounts by ids and codes in lines, loaded together. */
export class LedgerAccounts {
  /** Splits amounts that include tax. */
  readonly charges: Charges;
  readonly #trx: Db;
  readonly #codes: ReadonlyMap<string, string>;
  readonly #banks = new Map<string, Promise<BankLedger>>();
  readonly #own = new Map<string, LineCurrency>();
  readonly #budgets = new Map<string, Promise<ControllingBudget | undefined>>();

  private constructor(trx: Db, codes: ReadonlyMap<string, string>) {
    this.charges = new Charges(trx);
    this.#trx = trx;
    this.#codes = codes;
  }

  /** Creates a set without accounts given by code. */
  static create(trx: Db): LedgerAccounts {
    return new LedgerAccounts(trx, new Map());
  }

  static async load(trx: Db, inputs: readonly AcceptedLine[]): Promise<LedgerAccounts> {
    const codes = inputs.flatMap((input) => [input, ...(input.parts ?? [])].flatMap((part) => part.account_code ?? []));
    const rows =
      codes.length === 0
        ? []
        : await query<{ id: string; code: string }>(
            trx,
            'select id, code from accounts where code = any(:codes::text[])',
            { codes },
          );
    return new LedgerAccounts(trx, new Map(rows.map(({ id, code }) => [code, id])));
  }

  /** Finds the account of a part. @throws ServiceError validation_failed */
  accountId({ account_id, account_code = '' }: Target, at: string): string {
    const id = account_id?.toLowerCase() ?? this.#codes.get(account_code);
    if (id !== undefined) return id;
    throw invalidMember(`${at}/account_code`, 'invalid_reference', 'refers to an account that does not exist');
  }

  /**
   * Finds the ledger account of a bank account: its own, or the company's default for banks.
   * @throws ServiceError validation_failed
   */
  async bankAccountLedgerId(bankAccountId: string): Promise<string> {
    return (await this.bankAccount(bankAccountId)).ledgerId;
  }

  /** That account, and the default dimensions of the bank account. @throws ServiceError validation_failed */
  async bankAccount(bankAccountId: string): Promise<BankLedger> {
    const known = this.#banks.get(bankAccountId) ?? this.#readBank(bankAccountId);
    this.#banks.set(bankAccountId, known);
    return await known;
  }

  /** The currency of a line. Accounts in the company's are looked up once. @throws ServiceError validation_failed if there is no rate */
  async currency(line: BankStatementLine): Promise<LineCurrency> {
    const own = this.#own.get(line.bankAccountId);
    if (own !== undefined) return own;
    const found = await lineCurrency(this.#trx, line);
    if (found.rate === null) this.#own.set(line.bankAccountId, found);
    return found;
  }

  /** The budget that controls a day. */
  async budget(ctx: Context, date: string): Promise<ControllingBudget | undefined> {
    const known = this.#budgets.get(date) ?? findControl(this.#trx, ctx, date);
    this.#budgets.set(date, known);
    return await known;
  }

  async #readBank(bankAccountId: string): Promise<BankLedger> {
    const [row] = await query<{ accountId: string | null; dimensions: Dimensions }>(this.#trx, BANK_SQL, {
      bankAccountId,
    });
    const own = row?.accountId ?? null;
    const book = await AccountBook.loadLocked(this.#trx, { roles: ['bank'], accounts: own === null ? [] : [own] });
    const id = own === null ? book.role('bank') : book.use(own, 'of the bank account');
    book.faults.throwIfAny();
    return { ledgerId: id, ...firstDimensions(row?.dimensions) };
  }
}

/** The ledger account of a bank account, and the dimensions of what its lines are booked on. */
export interface BankLedger extends Dimensions {
  readonly ledgerId: string;
}

const BANK_SQL = `select account_id as "accountId",
    ${openDimensions('default_cost_center_id', 'default_project_id')} as dimensions
  from bank_accounts where id = :bankAccountId::uuid`;

/**
 * Posts a line's amounts on accounts against the bank's account, as one entry on the line's date.
 * @returns its id, and warnings of the budget that it exceeds
 * @throws ServiceError validation_failed (a heading or inactive account, no period, …) with pointers into the line;
 * period_closed, budget_exceeded
 */
export async function postParts(
  trx: Db,
  ctx: Context,
  line: BankStatementLine,
  parts: readonly SharedPart[],
  accounts: LedgerAccounts,
): Promise<{ readonly id: string; readonly warnings: readonly BudgetWarning[] }> {
  const { ledgerId: bank, ...defaults } = await accounts.bankAccount(line.bankAccountId);
  const money = await accounts.currency(line);
  const inCompany = ({ amount, companyAmount }: SharedPart): Decimal =>
    companyAmount ?? (money.rate === null ? amount : toCompany(amount, money.rate, money.companyPlaces));
  const described = line.text ?? line.counterpartyName ?? line.reference;
  const others = parts.map((part) => {
    const accountId = accounts.accountId(part, part.at);
    if (accountId === bank) {
      const words =
        'is the account of the bank account itself; give each bank account its own account, or ignore the line';
      throw invalidMember(`${part.at}/${accountMember(part)}`, 'same_account', words);
    }
    const { partner_id = null, project_id = null, cost_center_id = null, text } = part;
    const more = { partnerId: partner_id, projectId: project_id, costCenterId: cost_center_id };
    return buildLine(accountId, inCompany(part), -1, { ...more, description: text ?? described });
  });
  const together = sum(parts.map(inCompany)).toFixed();
  const original =
    money.rate === null
      ? {}
      : { currency: money.currency, currencyAmount: absolute(parts.map(({ amount }) => amount)) };
  const own = decimal(together).eq(0) ? [] : [buildLine(bank, together, 1, { description: described, ...original })];
  const [first] = parts;
  const entry = { date: line.date, description: first?.text ?? described, lines: [...own, ...others] };
  const checked = await checkEntry(trx, ctx, LINE_AREA, entry, defaults).catch((error: unknown) => {
    throw error instanceof ServiceError
      ? translatePointers(error, (pointer) => pointerInLine(pointer, parts, own.length))
      : error;
  });
  // Accepted bills and cash deposits leave their previous account without creating open items.
  const entered = checked.lines.map(({ open, ...one }, index) =>
    open === undefined || parts[index - own.length]?.moved ? one : { ...one, open },
  );
  const lines = await splitTaxes(entered, line, parts, own.length, accounts);
  const id = await postManualEntry(trx, ctx, { ...checked, lines, sourceType: LINE_SOURCE, sourceId: line.id }, []);
  const budget = await accounts.budget(ctx, line.date);
  const warnings = await checkBudget(trx, ctx, budget, { date: line.date, lines }).catch((error: unknown) => {
    throw error instanceof ServiceError ? translatePointers(error, () => '/line_id') : error;
  });
  return { id, warnings };
}

/**
 * Builds the lines of an entry; a part with included tax has several.
 * @param before number of lines before those of parts
 */
async function splitTaxes(
  lines: readonly EntryLine[],
  { date: day }: BankStatementLine,
  parts: readonly SharedPart[],
  before: number,
  { charges }: LedgerAccounts,
): Promise<readonly EntryLine[]> {
  if (parts.every(({ tax_group_id }) => tax_group_id === undefined)) return lines;
  const entered: EntryLine[] = [];
  for (const [index, line] of lines.entries()) {
    const { tax_group_id: taxGroupId, at = '', followRate: follow = false } = parts[index - before] ?? {};
    if (taxGroupId === undefined) entered.push(line);
    else entered.push(...(await charges.split(line, { taxGroupId: taxGroupId.toLowerCase(), day, follow, at })));
  }
  return entered;
}

function absolute(amounts: readonly Decimal[]): number {
  return toNumber(sum(amounts).abs());
}

function buildLine(accountId: string, amount: Decimal, sign: 1 | -1, more: Partial<EntryLineInput>): EntryLineInput {
  const value = decimal(amount).times(sign);
  const positive = toNumber(value.abs().toFixed());
  return { accountId, ...(value.gt(0) ? { debit: positive } : { credit: positive }), ...more };
}

const accountMember = ({ account_id }: Target) => (account_id === undefined ? 'account_code' : 'account_id');
const MEMBERS: Readonly<Record<string, string>> = {
  partnerId: 'partner_id',
  projectId: 'project_id',
  costCenterId: 'cost_center_id',
  debit: 'amount',
  credit: 'amount',
};

/** Translates a pointer into the entry to one into the line. */
function pointerInLine(pointer: string, parts: readonly SharedPart[], before: number): string {
  const [, index, member = ''] = /^\/lines\/(\d+)\/(\w+)$/.exec(pointer) ?? [];
  const part = parts[Number(index) - before];
  if (part === undefined) return '/line_id';
  return `${part.at}/${member === 'accountId' ? accountMember(part) : (MEMBERS[member] ?? member)}`;
}

const ENTRY_SQL = `select e.status, e.source_type as "sourceType", e.reversal_of is not null as reversal,
    exists (select from journal_entries r where r.reversal_of = e.id) as reversed,
    coalesce((select sum(case when :currency::text is null then l.debit - l.credit
        when l.currency = :currency::text then l.currency_amount end)
      from journal_lines l where l.entry_id = e.id and l.account_id = :account::uuid), 0)::text as amount
  from journal_entries e where e.id = :id::uuid for share of e`;

interface LinkedEntry {
  readonly status: string;
  readonly sourceType: string | null;
  readonly reversal: boolean;
  readonly reversed: boolean;
  readonly amount: Decimal;
}

/**
 * Explains the line by an existing entry: a manual one, or the other side of a transfer between the company's own
 * accounts.
 * @throws ServiceError validation_failed, duplicate
 */
export async function linkEntry(
  trx: Db,
  line: BankStatementLine,
  id: string,
  accounts: LedgerAccounts,
): Promise<string> {
  const refuse = (code: string, message: string) => invalidMember('/entry_id', code, message);
  const account = await accounts.bankAccountLedgerId(line.bankAccountId);
  const { currency, rate } = await accounts.currency(line);
  const [entry] = await query<LinkedEntry>(trx, ENTRY_SQL, { id, account, currency: rate === null ? null : currency });
  if (entry === undefined) throw refuse('invalid_reference', 'refers to an entry that does not exist');
  if (entry.status === 'draft') throw refuse('draft', 'is a draft; post it first');
  if (entry.reversal || entry.reversed) throw refuse('reversed', 'is reversed, or is a reversal');
  if (entry.sourceType !== null && entry.sourceType !== LINE_SOURCE) {
    throw refuse('wrong_type', `was made by a ${entry.sourceType.replaceAll('_', ' ')}`);
  }
  if (!decimal(entry.amount).eq(line.amount)) {
    const words =
      `moves the account of the bank by ${decimal(entry.amount).toFixed()}, but the amount of the line is ` +
      `${decimal(line.amount).toFixed()}`;
    throw refuse('other_amount', words);
  }
  const taken = await BankStatementLine.query(trx).findOne({ entry_id: id, bank_account_id: line.bankAccountId });
  if (taken !== undefined) {
    const errors = [{ pointer: '/entry_id', code: 'duplicate', message: 'belongs to another line' }];
    throw new ServiceError('duplicate', `The entry belongs to the line ${taken.id}`, { errors });
  }
  return id;
}
