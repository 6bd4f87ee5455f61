/** The accounts that an entry uses: the company's own by role, overridden by more specific ones (decision 0080). */
import type { Db, Reader } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';
import { Faults } from '../../../domain/faults.ts';
import type { AccountChart } from '../../../domain/ledger/accounting/charts/chart.ts';
import { CHARTS, chartNamed } from '../../../domain/ledger/accounting/charts/index.ts';
import type { EntryLine } from '../../../domain/ledger/accounting/entries.ts';
import { RESULT_TYPES } from '../../../domain/ledger/accounting/results.ts';
import { type AccountRole, roleMember } from '../../../domain/ledger/accounting/roles.ts';
import { type DeductionRegime, deductionRegime } from '../../../domain/ledger/accounting/tax-treatment.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import { type BookAccount, type BookItem, type BookTax, HELD_SQL, type RawBook, READ_SQL } from './book-sql.ts';
import { DimensionRules } from './dimension-rules.ts';

export interface BookRequest {
  readonly roles: readonly AccountRole[];
  readonly side: 'sales' | 'purchase';
  readonly partnerId: string | null;
  /** Id of the rectified invoice. */
  readonly rectifies: string | null;
  readonly items: readonly string[];
  readonly taxes: readonly string[];
  /** Further accounts, e.g. those of lines. */
  readonly accounts: readonly string[];
  /** Ids of the lines that an invoice is based on. */
  readonly bases: readonly string[];
  /** Projects and cost centers that must take what is entered. */
  readonly projects: readonly string[];
  readonly costCenters: readonly string[];
}

/** Accounts by purpose. Each is checked when it is used; faults are collected so that all are reported together. */
export class AccountBook {
  readonly items: ReadonlyMap<string, BookItem>;
  readonly taxes: ReadonlyMap<string, BookTax>;
  /** Account of the partner's group for the requested side. */
  readonly partnerAccountId: string | null;
  /** The partner's account on the rectified invoice. */
  readonly rectifiedAccountId: string | null;
  /** How the company currently deducts tax on purchases. */
  readonly deductionRegime: DeductionRegime | null;
  /** The pro rata: percentage of common tax that the company deducts. */
  readonly proRata: Decimal;
  /** Decimal places of amounts. */
  readonly places: number;
  /** Whether stock count differences are entered immediately. */
  readonly stockCountEntries: boolean;
  /** Whether any base line belongs to a note with an entry of its own. */
  readonly hasNoteEntries: boolean;
  readonly faults = new Faults();
  /** The rules of the accounts about cost centers and projects. */
  readonly dimensions: DimensionRules;
  readonly #config: RawBook['config'];
  readonly #chart: AccountChart;
  readonly #byId: ReadonlyMap<string, BookAccount>;
  readonly #byCode: ReadonlyMap<string, BookAccount>;

  private constructor(raw: RawBook) {
    const accounts = raw.accounts ?? [];
    this.items = new Map((raw.items ?? []).map((item) => [item.id, item]));
    this.taxes = new Map((raw.taxes ?? []).map((tax) => [tax.id, tax]));
    this.partnerAccountId = raw.partnerAccountId;
    this.rectifiedAccountId = raw.rectifiedAccountId;
    const { surchargeRegime = false, proRataKind } = raw.tax ?? {};
    this.deductionRegime = deductionRegime(surchargeRegime, proRataKind === 'special');
    this.proRata = decimal(raw.tax?.proRata ?? 100).toFixed();
    this.places = raw.places;
    this.stockCountEntries = raw.config.stockCountEntries !== false;
    this.hasNoteEntries = raw.hasNoteEntries;
    this.#config = raw.config;
    this.#chart = chartNamed(raw.config.chart);
    this.#byId = new Map(accounts.map((account) => [account.id, account]));
    this.#byCode = new Map(accounts.map((account) => [account.code, account]));
    const facts = { accounts, closed: raw.closed ?? [], defaults: raw.dimensions };
    this.dimensions = new DimensionRules(facts, this.faults);
  }

  /** Loads the requested data in one round trip and locks the accounts until the transaction ends. */
  static loadLocked(trx: Db, request: Partial<BookRequest> & Pick<BookRequest, 'roles'>): Promise<AccountBook> {
    return AccountBook.#read(trx, HELD_SQL, request);
  }

  /** Loads accounts without locks, also outside transactions. */
  static load(reader: Reader, request: Pick<BookRequest, 'roles'>): Promise<AccountBook> {
    return AccountBook.#read(reader, READ_SQL, request);
  }

  static async #read(
    reader: Reader,
    sql: string,
    request: Partial<BookRequest> & Pick<BookRequest, 'roles'>,
  ): Promise<AccountBook> {
    const {
      roles,
      side = 'sales',
      partnerId = null,
      rectifies = null,
      items = [],
      taxes = [],
      accounts = [],
      bases = [],
      projects = [],
      costCenters = [],
    } = request;
    const [raw] = await prepared<RawBook>(reader, sql, {
      codes: usualCodes(roles),
      side,
      partner: partnerId,
      rectifies,
      items: [...new Set(items)],
      taxes: [...new Set(taxes)],
      accounts: [...new Set(accounts)],
      bases: [...new Set(bases)],
      projects: [...new Set(projects)],
      costCenters: [...new Set(costCenters)],
    });
    if (!raw) throw new Error('the statement always returns one row');
    return new AccountBook(raw);
  }

  /**
   * Lines that the service makes by itself, with the cost centers and projects that their accounts require.
   * @throws ServiceError validation_failed when an account cannot be used, or requires what nothing names
   */
  completed(lines: readonly EntryLine[]): EntryLine[] {
    const completed = this.dimensions.assign(lines);
    this.faults.throwIfAny();
    return completed;
  }

  /** The company's account of a role. @returns '' and records a fault if there is no usable one */
  role(role: AccountRole): string {
    const id = this.roleId(role);
    const member = roleMember(role);
    if (id === null) {
      const message = `there is no account ${this.#chart.roles[role]}: set ${member} in /api/config/accounting`;
      return this.#refuse('', 'no_account', message);
    }
    return this.use(id, `(${member} of /api/config/accounting)`);
  }

  /** Whether a loaded account is one of income or of expense; null for all others. */
  resultType(id: string): (typeof RESULT_TYPES)[number] | null {
    const type = this.#byId.get(id)?.type;
    return RESULT_TYPES.find((one) => one === type) ?? null;
  }

  /** The company's account of a role, without checks. */
  roleId(role: AccountRole): string | null {
    const named = this.#config[roleMember(role)];
    const chosen = typeof named === 'string' ? this.#byId.get(named) : undefined;
    return (chosen ?? this.#byCode.get(this.#chart.roles[role]))?.id ?? null;
  }

  /**
   * Returns a named account for use in an entry.
   * @param where the place that names it, for the error message
   * @returns '' and records a fault if nothing can be entered on it
   */
  use(id: string, where: string, pointer = ''): string {
    const account = this.#byId.get(id);
    if (account === undefined) {
      return this.#refuse(pointer, 'invalid_reference', `refers to an account that does not exist ${where}`);
    }
    if (account.isHeading) {
      return this.#refuse(pointer, 'heading_account', `account ${account.code} is a heading ${where}`);
    }
    if (!account.active) {
      return this.#refuse(pointer, 'inactive_account', `account ${account.code} is inactive ${where}`);
    }
    return id;
  }

  #refuse(pointer: string, code: string, message: string): string {
    if (!this.faults.list.some((fault) => fault.pointer === pointer && fault.message === message)) {
      this.faults.add(pointer, code, message.trim());
    }
    return '';
  }
}

/** The usual accounts of roles in each chart: only the statement knows which one the company has. */
function usualCodes(roles: readonly AccountRole[]): string {
  return JSON.stringify(
    Object.fromEntries(CHARTS.map((chart) => [chart.code, roles.map((role) => chart.roles[role])])),
  );
}
