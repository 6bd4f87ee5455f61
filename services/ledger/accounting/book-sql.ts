/** SQL that loads an account book. */

import { inherited } from '../../../db/queries/categories.ts';
import { companyDimensions } from '../../../db/queries/dimensions.ts';
import type { AccountType } from '../../../domain/ledger/accounting/charts/chart.ts';
import { DEFAULT_CHART } from '../../../domain/ledger/accounting/charts/index.ts';
import type { Dimensions, Requirement } from '../../../domain/ledger/accounting/dimensions.ts';
import type { Decimal } from '../../../domain/money.ts';
import type { ExemptionReason } from '../../../domain/trade/documents/exemptions.ts';
import type { TaxSettings } from '../../platform/settings/definitions.ts';
import { PLACES } from '../../platform/settings/format.ts';
import type { ClosedDimension } from './dimension-rules.ts';

export interface BookAccount {
  readonly id: string;
  readonly code: string;
  readonly isHeading: boolean;
  readonly active: boolean;
  readonly type: AccountType;
  readonly requires: Requirement;
}

export interface BookItem {
  readonly id: string;
  readonly type: 'product' | 'service';
  /** The item's own account, or that of its category or the nearest ancestor with one. */
  readonly accountId: string | null;
}

export interface BookTax {
  readonly id: string;
  readonly rate: Decimal;
  readonly surchargeRate: Decimal;
  readonly kind: 'vat' | 'exempt' | 'reverse_charge' | 'not_subject';
  readonly exemptionReason: ExemptionReason | null;
  readonly consumptionCountry: string | null;
  readonly outputAccountId: string | null;
  readonly inputAccountId: string | null;
  readonly surchargeAccountId: string | null;
  readonly intraEuOutputAccountId: string | null;
  readonly intraEuInputAccountId: string | null;
}

export interface RawBook {
  readonly config: Readonly<Record<string, unknown>>;
  readonly tax: Partial<TaxSettings> | null;
  readonly places: number;
  readonly hasNoteEntries: boolean;
  readonly partnerAccountId: string | null;
  readonly rectifiedAccountId: string | null;
  readonly items: readonly BookItem[] | null;
  readonly taxes: readonly BookTax[] | null;
  readonly accounts: readonly BookAccount[] | null;
  /** The company's own. */
  readonly dimensions: Dimensions;
  readonly closed: readonly ClosedDimension[] | null;
}

const CATEGORY_ACCOUNT = inherited(
  'i.category_id',
  `case when :side = 'sales' then c.sales_account_id else c.purchase_account_id end`,
);

/** Closed projects or inactive cost centers among those named; they still take corrections of what names them. */
const closedSql = (table: string, ids: string, lock: string) => `select id, code from (
      select id, code, active from ${table} where id = any(:${ids}::uuid[]) order by id ${lock}) ${table}_named
    where not active and id not in (select id from corrected where id is not null)`;

/**
 * @param accounts the accounts, read or held
 * @param lock a clause that keeps projects and cost centers open until the transaction ends
 */
const bookSql = (accounts: string, lock: string) => `
  with conf as (
    select coalesce((select value from settings where name = 'accounting'), '{}') as value
  ), partner as (
    select case when :side = 'sales' then g.receivable_account_id else g.payable_account_id end as account
    from partners p join partner_groups g on g.id = p.group_id where p.id = :partner::uuid
  ), rectified as (
    select l.account_id as account from journal_entries e join journal_lines l on l.entry_id = e.id and l.partner_id is not null
    where e.source_id = :rectifies::uuid and e.reversal_of is null and e.status = 'posted' limit 1
  ), corrected as (
    select unnest(array[d.project_id, d.cost_center_id, l.project_id, l.cost_center_id]) as id
    from documents d join document_lines l on l.document_id = d.id where d.id = :rectifies::uuid
  ), used_items as (
    select i.id, i.type, coalesce(case when :side = 'sales' then i.sales_account_id else i.purchase_account_id
      end, ${CATEGORY_ACCOUNT}) as "accountId"
    from items i where i.id = any(:items::uuid[])
  ), used_taxes as (
    select id, rate::text, surcharge_rate::text as "surchargeRate", kind, exemption_reason as "exemptionReason",
      consumption_country as "consumptionCountry",
      output_account_id as "outputAccountId",
      input_account_id as "inputAccountId", surcharge_account_id as "surchargeAccountId",
      intra_eu_output_account_id as "intraEuOutputAccountId", intra_eu_input_account_id as "intraEuInputAccountId"
    from taxes where id = any(:taxes::uuid[])
  ), named as (
    select unnest(:accounts::uuid[]) as id
    union all select id from accounts where code = any(array(select jsonb_array_elements_text(
      :codes::jsonb -> coalesce((select value->>'chart' from conf), '${DEFAULT_CHART.code}'))))
    union all select member.value::uuid from conf, jsonb_each_text(conf.value) member where member.key like '%AccountId'
    union all select account from partner
    union all select account from rectified
    union all select "accountId" from used_items
    union all select a.id
      from used_taxes, unnest(array["outputAccountId", "inputAccountId", "surchargeAccountId", "intraEuOutputAccountId",
      "intraEuInputAccountId"]) as a(id)
  )
  select (select value from conf) as config,
    ${PLACES} as places,
    (select value from settings where name = 'tax') as tax,
    exists (select from unnest(:bases::uuid[]) g(id) left join document_lines b on b.id = g.id and b.base_type in ('SDN', 'PDN')
      join journal_lines j on j.note_line_id = coalesce(b.base_line_id, g.id)) as "hasNoteEntries",
    (select account from partner) as "partnerAccountId",
    (select account from rectified) as "rectifiedAccountId",
    (select json_agg(used_items) from used_items) as items,
    (select json_agg(used_taxes) from used_taxes) as taxes,
    (select json_agg(json_build_object('id', id, 'code', code, 'isHeading', is_heading, 'active', active, 'type', type,
        'requires', requires)) from ${accounts}) as accounts,
    (select ${companyDimensions('value')} from conf) as dimensions,
    (select json_agg(shut) from (
      ${closedSql('projects', 'projects', lock)} union all ${closedSql('cost_centers', 'costCenters', lock)}) shut) as closed`;
/** Selects by id, so that the size of the chart does not matter. */
const NAMED_ACCOUNTS = 'select * from accounts where id = any(array(select id from named))';
export const READ_SQL = bookSql(`(${NAMED_ACCOUNTS}) read`, '');
/**
 * Locks the accounts as foreign keys of lines would: this and turning an account into a heading wait for each other. So do entering on
 * a project and closing it.
 */
export const HELD_SQL = bookSql(`(${NAMED_ACCOUNTS} for key share) held`, 'for share');
