/** Accepts new lines that match an accepting rule, in few statements, so that imports stay fast. */

import { setImmediate as turn } from 'node:timers/promises';
import { Changes } from '../../../../db/changes/changes.ts';
import type { Context } from '../../../../db/context.ts';
import type { Db, Reader } from '../../../../db/database.ts';
import { BankStatementLine } from '../../../../db/models/bank/statements.ts';
import { RuleBook } from '../../../../domain/bank/statements/rules.ts';
import { type StatementLine, Warnings } from '../../../../domain/bank/statements/statement.ts';
import { type RowError, ServiceError } from '../../../../domain/errors.ts';
import { type Dimensions, firstDimensions } from '../../../../domain/ledger/accounting/dimensions.ts';
import { type EntryLine, entryLine } from '../../../../domain/ledger/accounting/entries.ts';
import { decimal, decimalPlaces, toNumber } from '../../../../domain/money.ts';
import { checkEntry } from '../../../ledger/accounting/entry-input.ts';
import { openDay } from '../../../ledger/accounting/open-day.ts';
import type { EntryDay } from '../../../ledger/accounting/write-entry.ts';
import { addEntry } from '../../../ledger/accounting/write-entry.ts';
import type { BudgetWarning } from '../../../ledger/budgets/compare.ts';
import { checkBudget } from '../../../ledger/budgets/control.ts';
import { loadSettings } from '../../../platform/settings/settings.ts';
import { type BankLedger, LedgerAccounts, LINE_AREA, LINE_SOURCE } from '../ledger-lines.ts';
import type { ReadStatements } from '../statement-file.ts';
import { activeRules, type Rule } from './load.ts';

/** Lines compared with rules without a pause. */
const CHUNK_SIZE = 500;
/** Lines accepted together. */
const BATCH_SIZE = 250;

/** A newly imported line, by its key in the account. */
interface NewLine {
  readonly key: string;
  readonly line: StatementLine;
}

export interface AcceptedByRules {
  readonly accepted: number;
  /** Lines that match a rule but cannot be accepted, and stay open. */
  readonly warnings: readonly RowError[];
}

/**
 * Accepts lines that match accepting rules. A line that cannot be accepted (closed period, inactive account) stays
 * open.
 */
export async function acceptByRules(
  trx: Db,
  ctx: Context,
  bankAccountId: string,
  lines: readonly NewLine[],
): Promise<AcceptedByRules> {
  if (lines.length === 0) return { accepted: 0, warnings: [] };
  const rules = new RuleBook(await activeRules(trx, { accepting: true }));
  const fitting = new Map<string, { readonly rule: Rule; readonly line: StatementLine }>();
  for await (const { at, rule } of matchLines(
    rules,
    bankAccountId,
    lines.map(({ line }) => line),
  )) {
    const { key, line } = lines[at] as NewLine;
    fitting.set(key, { rule, line });
  }
  if (fitting.size === 0) return { accepted: 0, warnings: [] };
  const desk = new RuleDesk(trx, ctx, bankAccountId, (await loadSettings(trx, 'format')).decimalPrecision);
  const warnings = new Warnings();
  let accepted = 0;
  const keys = [...fitting.keys()];
  for (let at = 0; at < keys.length; at += BATCH_SIZE) {
    const rows = await BankStatementLine.query(trx)
      .where({ bank_account_id: bankAccountId, status: 'open' })
      .whereIn('key', keys.slice(at, at + BATCH_SIZE))
      .orderBy('position');
    const changes = new Changes(ctx);
    for (const row of rows) {
      const { rule, line } = fitting.get(row.key) as { readonly rule: Rule; readonly line: StatementLine };
      const { refusal, exceeded = [] } = await desk.accept(changes, row, rule);
      if (refusal === undefined) accepted++;
      else warnings.add('not_accepted', `fits the rule ${rule.name}, but stays open: ${refusal}`, line.line);
      for (const { code, message } of exceeded) warnings.add(code, message, line.line);
    }
    await changes.write(trx);
  }
  return { accepted, warnings: warnings.list };
}

/** Yields lines that match a rule, with their places, pausing in between. */
async function* matchLines(
  rules: RuleBook<Rule>,
  bankAccountId: string,
  lines: readonly StatementLine[],
): AsyncGenerator<{ readonly at: number; readonly rule: Rule }> {
  if (rules.isEmpty) return;
  for (const [at, line] of lines.entries()) {
    const rule = rules.ruleFor({ ...line, bankAccountId });
    if (rule !== undefined) yield { at, rule };
    if (at % CHUNK_SIZE === CHUNK_SIZE - 1) await turn();
  }
}

/** Whether rules would accept more than the given number of lines in a file. */
export async function wouldAcceptMore(reader: Reader, { statements }: ReadStatements, than: number): Promise<boolean> {
  const rules = new RuleBook(await activeRules(reader, { accepting: true }));
  let found = 0;
  for (const { bankAccountId, lines } of statements) {
    for await (const _ of matchLines(rules, bankAccountId, lines)) if (++found > than) return true;
  }
  return false;
}

interface Acceptance {
  /** Why the line cannot be accepted. */
  readonly refusal?: string;
  /** Warnings of the budget that it exceeds. */
  readonly exceeded?: readonly BudgetWarning[];
}

/** Enters lines by rules, checking data common to several entries only once. */
class RuleDesk {
  readonly #trx: Db;
  readonly #ctx: Context;
  readonly #bankAccountId: string;
  readonly #places: number;
  readonly #accounts: LedgerAccounts;
  readonly #days = new Map<string, Promise<EntryDay>>();
  readonly #rules = new Map<string, Promise<Dimensions>>();

  constructor(trx: Db, ctx: Context, bankAccountId: string, places: number) {
    this.#trx = trx;
    this.#ctx = ctx;
    this.#bankAccountId = bankAccountId;
    this.#places = places;
    this.#accounts = LedgerAccounts.create(trx);
  }

  /** Accepts a line; where a budget controls its day, it is written by itself. */
  async accept(changes: Changes, row: BankStatementLine, rule: Rule): Promise<Acceptance> {
    try {
      const { id, date } = row;
      const on = await this.#day(date);
      const lines = await this.#lines(row, rule);
      const description = rule.entryText ?? describe(row);
      const add = (to: Changes) => {
        const entryId = addEntry(to, { ...on, description, sourceType: LINE_SOURCE, sourceId: id, lines });
        to.change(BankStatementLine, row, { status: 'matched', entryId, ruleId: rule.id });
        return to;
      };
      const budget = await this.#accounts.budget(this.#ctx, date);
      if (budget === undefined) {
        add(changes);
        return {};
      }
      const exceeded = await this.#trx.transaction(async (inner) => {
        await add(new Changes(this.#ctx)).write(inner);
        return await checkBudget(inner, this.#ctx, budget, { date, lines });
      });
      return { exceeded };
    } catch (error) {
      if (error instanceof ServiceError) return { refusal: error.errors[0]?.message ?? error.message };
      throw error;
    }
  }

  async #lines(row: BankStatementLine, rule: Rule): Promise<EntryLine[]> {
    const bankAccount = await this.#accounts.bankAccount(this.#bankAccountId);
    const { ledgerId: bank } = bankAccount;
    if (bank === rule.accountId)
      throw new ServiceError('bad_request', 'its account is that of the bank account itself');
    const dimensions = await this.#checked(row, rule, bankAccount);
    if (decimalPlaces(row.amount) > this.#places) {
      throw new ServiceError('bad_request', `the amount has more than ${this.#places} decimals`);
    }
    const described = describe(row);
    const { partnerId, entryText, taxGroupId } = rule;
    const gross = entryLine('debit', rule.accountId, decimal(row.amount).neg().toFixed(), {
      partnerId,
      ...dimensions,
      description: entryText ?? described,
    });
    const own = entryLine('debit', bank, row.amount, { description: described });
    if (taxGroupId === null) return [own, gross];
    const taxed = { taxGroupId, day: row.date, follow: true, at: '' };
    return [own, ...(await this.#accounts.charges.split(gross, taxed))];
  }

  #day(date: string): Promise<EntryDay> {
    const known = this.#days.get(date) ?? openDay(this.#trx, this.#ctx, LINE_AREA, date, date);
    this.#days.set(date, known);
    return known;
  }

  /** Checks and locks a rule's references, with the first line that matches it. @returns the dimensions of its lines */
  async #checked(row: BankStatementLine, rule: Rule, bank: BankLedger): Promise<Dimensions> {
    const known = this.#rules.get(rule.id) ?? this.#check(row, rule, bank);
    this.#rules.set(rule.id, known);
    return await known;
  }

  async #check(
    { date, amount }: BankStatementLine,
    rule: Rule,
    { ledgerId, ...defaults }: BankLedger,
  ): Promise<Dimensions> {
    const { accountId, partnerId, projectId, costCenterId } = rule;
    const value = toNumber(decimal(amount).abs());
    const own = { accountId, debit: value, partnerId, projectId, costCenterId };
    const entry = { date, lines: [own, { accountId: ledgerId, credit: value }] };
    const { lines } = await checkEntry(this.#trx, this.#ctx, LINE_AREA, entry, defaults);
    // One of the company's accounts may have become a partner account since the rule was made.
    if (lines.some(({ open }) => open !== undefined))
      throw new ServiceError('bad_request', 'its account is a partner account');
    return firstDimensions(lines[0]);
  }
}

function describe({ text, counterpartyName, reference }: BankStatementLine): string | null {
  return text ?? counterpartyName ?? reference;
}
