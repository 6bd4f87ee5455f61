/** The account of a customer as they see it: what is open, what they were sent, and where to pay. */

import type { Context } from '../../../db/context.ts';
import type { Reader } from '../../../db/database.ts';
import { companyOutstanding, unappliedInCompany } from '../../../db/queries/company-amounts.ts';
import { STATE } from '../../../db/queries/document-states.ts';
import { TODAY } from '../../../db/queries/time-zone.ts';
import { query } from '../../../db/sql.ts';
import { notFound } from '../../../domain/errors.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import type { DocType } from '../../../domain/trade/documents/types.ts';
import { PLACES } from '../../platform/settings/format.ts';

/** Most documents that are shown. */
const SHOWN = 200;
/** Months for which settled invoices are shown. */
const MONTHS = 24;

export interface AccountDocument {
  readonly id: string;
  readonly docType: DocType;
  readonly code: string;
  readonly date: string;
  readonly dueDate: string | null;
  readonly total: Decimal;
  readonly outstanding: Decimal;
  readonly currency: string;
  readonly overdue: boolean;
}

export interface CustomerAccount {
  readonly partner: { readonly name: string; readonly language: string | null };
  readonly company: string;
  readonly currency: string;
  readonly today: string;
  /** The company's account to pay to; null if it has none. */
  readonly bank: { readonly iban: string; readonly bic: string | null; readonly bankName: string | null } | null;
  readonly invoices: readonly AccountDocument[];
  readonly orders: readonly AccountDocument[];
  /** Sum of what is outstanding, also of entries without an invoice. */
  readonly outstanding: Decimal;
  /** The part of it that is overdue. */
  readonly overdue: Decimal;
  /** Paid, and not applied to anything yet. */
  readonly credit: Decimal;
}

const DOCUMENT = `json_build_object('id', d.id, 'docType', d.doc_type, 'code', d.code, 'date', d.date, 'dueDate', d.due_date,
  'total', d.total::text, 'outstanding', (d.total - d.paid_total)::text, 'currency', d.currency,
  'overdue', d.total > d.paid_total and coalesce(d.due_date, d.date) < day.value)`;

/** Invoices of the customer that count. */
const ISSUED = `d.partner_id = :partner::uuid and d.doc_type = 'SINV' and d.posted_at is not null
        and d.status <> ${STATE.cancelled}`;

/** Amounts that entries leave open with the customer. */
const ITEM = `i.partner_id = :partner::uuid and i.direction = 'in' and i.total <> i.paid_total`;

const SQL = `
  with day as (select ${TODAY} as value)
  select (select json_build_object('name', name, 'language', language) from partners where id = :partner::uuid) as partner,
    coalesce((select value ->> 'name' from settings where name = 'company'), t.name) as company, t.currency,
    (select value::text from day) as today,
    (select json_build_object('iban', iban, 'bic', bic, 'bankName', bank_name) from bank_accounts where is_default) as bank,
    (select json_agg(shown) from (select ${DOCUMENT} as shown from documents d, day
      where ${ISSUED} and (d.total <> d.paid_total or d.date > day.value - interval '${MONTHS} months')
      order by d.total = d.paid_total, d.date desc, d.id desc limit ${SHOWN}) i) as invoices,
    (select json_agg(shown) from (select ${DOCUMENT} as shown from documents d, day
      where d.partner_id = :partner::uuid and d.doc_type = 'SO' and d.status in (${STATE.open}, ${STATE.partial})
      order by d.date desc, d.id desc limit ${SHOWN}) o) as orders,
    ((select coalesce(sum(${companyOutstanding('d')}), 0) from documents d where ${ISSUED})
      + (select coalesce(sum(i.total - i.paid_total), 0) from open_items i where ${ITEM}))::text as outstanding,
    ((select coalesce(sum(${companyOutstanding('d')}), 0) from documents d, day
      where ${ISSUED} and d.total > d.paid_total and coalesce(d.due_date, d.date) < day.value)
      + (select coalesce(sum(i.total - i.paid_total), 0) from open_items i, day
        where ${ITEM} and i.total > i.paid_total and i.due_date < day.value))::text as overdue,
    (select coalesce(sum(round(${unappliedInCompany('p')}, ${PLACES})), 0)::text from payments p
      where p.partner_id = :partner::uuid and p.direction = 'in' and p.applied_total < p.amount) as credit
  from tenants t where t.id = :tenant`;

type Nullable<T, M extends keyof T> = Omit<T, M> & { readonly [N in M]: T[N] | null };

/** @throws ServiceError not_found */
export async function customerAccount(
  reader: Reader,
  { tenantId, now }: Pick<Context, 'tenantId' | 'now'>,
  partnerId: string,
): Promise<CustomerAccount> {
  const [found] = await query<Nullable<CustomerAccount, 'partner' | 'invoices' | 'orders'>>(reader, SQL, {
    tenant: tenantId,
    partner: partnerId,
    now: now.toISOString(),
  });
  if (found === undefined || found.partner === null) throw notFound('The page');
  return { ...found, partner: found.partner, invoices: found.invoices ?? [], orders: found.orders ?? [] };
}

/** Whether a document is one that the customer may see: their own, issued, of sales. */
export async function isOwnDocument(reader: Reader, partnerId: string, documentId: string): Promise<DocType | null> {
  const [found] = await query<{ docType: DocType }>(
    reader,
    `select doc_type as "docType" from documents where id = :documentId::uuid and partner_id = :partnerId::uuid
       and doc_type in ('SINV', 'SO', 'SDN', 'SQ') and status not in (${STATE.draft}, ${STATE.cancelled})`,
    { documentId, partnerId },
  );
  return found?.docType ?? null;
}

/** The debt of a customer, less what they paid and is not applied yet; nothing if that is more. */
export function owed({ outstanding, credit }: Pick<CustomerAccount, 'outstanding' | 'credit'>): Decimal {
  const left = decimal(outstanding).minus(credit);
  return left.gt(0) ? left.toFixed() : '0';
}

/** Whether something is to be paid. */
export function isOwed({ outstanding }: Pick<AccountDocument, 'outstanding'>): boolean {
  return decimal(outstanding).gt(0);
}
