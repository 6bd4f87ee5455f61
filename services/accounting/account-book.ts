/** The accounts that an entry is made on: the company's own by role, each overridden by what is more special (decision 0080). */
import type { Db } from '../../db/database.ts';
import { prepared } from '../../db/sql.ts';
import { ACCOUNT_ROLES, type AccountRole, roleMember } from '../../domain/accounting/roles.ts';
import type { Decimal } from '../../domain/money.ts';
import { Faults } from '../documents/faults.ts';

interface BookAccount {
  readonly id: string;
  readonly code: string;
  readonly isHeading: boolean;
  readonly active: boolean;
}

export interface BookItem {
  readonly id: string;
  readonly type: 'product' | 'service';
  /** Its own, else the one of its category or the next category above that has one. */
  readonly accountId: string | null;
}

export interface BookTax {
  readonly id: string;
  readonly rate: Decimal;
  readonly surchargeRate: Decimal;
  readonly kind: 'vat' | 'exempt' | 'reverse_charge' | 'not_subject';
  readonly outputAccountId: string | null;
  readonly inputAccountId: string | null;
  readonly surchargeAccountId: string | null;
  readonly intraEuOutputAccountId: string | null;
  readonly intraEuInputAccountId: string | null;
}

export interface BookRequest {
  readonly roles: readonly AccountRole[];
  readonly side: 'sales' | 'purchase';
  readonly partnerId: string | null;
  /** The invoice that another corrects. */
  readonly rectifies: string | null;
  readonly items: readonly string[];
  readonly taxes: readonly string[];
  /** Further accounts, for example of lines. */
  readonly accounts: readonly string[];
}

interface RawBook {
  readonly config: Readonly<Record<string, unknown>>;
  readonly ownSurcharge: boolean;
  readonly places: number;
  readonly partnerAccountId: string | null;
  readonly rectifiedAccountId: string | null;
  readonly items: readonly BookItem[] | null;
  readonly taxes: readonly BookTax[] | null;
  readonly accounts: readonly BookAccount[] | null;
}

const CATEGORY_ACCOUNT = `(with recursive above as (
    select c.parent_id, case when :side = 'sales' then c.sales_account_id else c.purchase_account_id end as account, 0 as step
    from categories c where c.id = i.category_id
    union all
    select c.parent_id, case when :side = 'sales' then c.sales_account_id else c.purchase_account_id end, above.step + 1
    from above join categories c on c.id = above.parent_id where above.account is null
  ) select account from above where account is not null order by step limit 1)`;

const BOOK_SQL = `
  with conf as (
    select coalesce((select value from settings where name = 'accounting'), '{}') as value
  ), partner as (
    select case when :side = 'sales' then g.receivable_account_id else g.payable_account_id end as account
    from partners p join partner_groups g on g.id = p.group_id where p.id = :partner::uuid
  ), rectified as (
    select l.account_id as account from journal_entries e join journal_lines l on l.entry_id = e.id and l.line_number = 1
    where e.source_id = :rectifies::uuid and e.reversal_of is null and e.status = 'posted' limit 1
  ), used_items as (
    select i.id, i.type, coalesce(case when :side = 'sales' then i.sales_account_id else i.purchase_account_id end, ${CATEGORY_ACCOUNT}) as "accountId"
    from items i where i.id = any(:items::uuid[])
  ), used_taxes as (
    select id, rate::text, surcharge_rate::text as "surchargeRate", kind, output_account_id as "outputAccountId", input_account_id as "inputAccountId", surcharge_account_id as "surchargeAccountId",
      intra_eu_output_account_id as "intraEuOutputAccountId", intra_eu_input_account_id as "intraEuInputAccountId"
    from taxes where id = any(:taxes::uuid[])
  ), named as (
    select unnest(:accounts::uuid[]) as id
    union all select member.value::uuid from conf, jsonb_each_text(conf.value) member where member.key like '%AccountId'
    union all select account from partner
    union all select account from rectified
    union all select "accountId" from used_items
    union all select a.id from used_taxes, unnest(array["outputAccountId", "inputAccountId", "surchargeAccountId", "intraEuOutputAccountId", "intraEuInputAccountId"]) as a(id)
  )
  select (select value from conf) as config,
    coalesce((select (value->>'decimalPrecision')::integer from settings where name = 'format'), 2) as places,
    coalesce((select (value->>'surchargeRegime')::boolean from settings where name = 'tax'), false) as "ownSurcharge",
    (select account from partner) as "partnerAccountId",
    (select account from rectified) as "rectifiedAccountId",
    (select json_agg(used_items) from used_items) as items,
    (select json_agg(used_taxes) from used_taxes) as taxes,
    (select json_agg(json_build_object('id', id, 'code', code, 'isHeading', is_heading, 'active', active))
     from accounts where code = any(:codes::text[]) or id in (select id from named)) as accounts`;

/** Accounts by what they are for. Each is checked when it is taken; faults are collected, so that all are told at once. */
export class AccountBook {
  readonly items: ReadonlyMap<string, BookItem>;
  readonly taxes: ReadonlyMap<string, BookTax>;
  /** Of the partner's group, for the side asked for. */
  readonly partnerAccountId: string | null;
  /** Where the invoice that is corrected has its partner. */
  readonly rectifiedAccountId: string | null;
  /** Whether the company itself buys under the equivalence surcharge: it deducts no VAT. */
  readonly ownSurcharge: boolean;
  /** Decimals of amounts. */
  readonly places: number;
  /** Whether counts that differ are entered at once. */
  readonly stockCountEntries: boolean;
  readonly faults = new Faults();
  readonly #config: RawBook['config'];
  readonly #byId: ReadonlyMap<string, BookAccount>;
  readonly #byCode: ReadonlyMap<string, BookAccount>;

  private constructor(raw: RawBook) {
    const accounts = raw.accounts ?? [];
    this.items = new Map((raw.items ?? []).map((item) => [item.id, item]));
    this.taxes = new Map((raw.taxes ?? []).map((tax) => [tax.id, tax]));
    this.partnerAccountId = raw.partnerAccountId;
    this.rectifiedAccountId = raw.rectifiedAccountId;
    this.ownSurcharge = raw.ownSurcharge;
    this.places = raw.places;
    this.stockCountEntries = raw.config.stockCountEntries !== false;
    this.#config = raw.config;
    this.#byId = new Map(accounts.map((account) => [account.id, account]));
    this.#byCode = new Map(accounts.map((account) => [account.code, account]));
  }

  /** Reads what is asked for, in one round trip. */
  static async load(trx: Db, request: Partial<BookRequest> & Pick<BookRequest, 'roles'>): Promise<AccountBook> {
    const {
      roles,
      side = 'sales',
      partnerId = null,
      rectifies = null,
      items = [],
      taxes = [],
      accounts = [],
    } = request;
    const [raw] = await prepared<RawBook>(trx, BOOK_SQL, {
      codes: roles.map((role) => ACCOUNT_ROLES[role]),
      side,
      partner: partnerId,
      rectifies,
      items: [...new Set(items)],
      taxes: [...new Set(taxes)],
      accounts: [...new Set(accounts)],
    });
    if (!raw) throw new Error('the statement always returns one row');
    return new AccountBook(raw);
  }

  /** The company's account of a role. @returns '' where there is none to use, which is a fault */
  role(role: AccountRole): string {
    const id = this.roleId(role);
    const member = roleMember(role);
    if (id === null) {
      const message = `there is no account ${ACCOUNT_ROLES[role]}: set ${member} in /api/config/accounting`;
      return this.#refuse('', 'no_account', message);
    }
    return this.use(id, `(${member} of /api/config/accounting)`);
  }

  /** The same without a check. */
  roleId(role: AccountRole): string | null {
    const named = this.#config[roleMember(role)];
    const chosen = typeof named === 'string' ? this.#byId.get(named) : undefined;
    return (chosen ?? this.#byCode.get(ACCOUNT_ROLES[role]))?.id ?? null;
  }

  /**
   * An account that something names.
   * @param where of it, for whoever has to set it right
   * @returns '' where it cannot be entered on, which is a fault
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
