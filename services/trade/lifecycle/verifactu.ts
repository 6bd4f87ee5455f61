/** Gives posted sales invoices their records for the tax agency, and cancelled ones their annulments. */
import type { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import type { PostalAddress } from '../../../db/models/trade/documents.ts';
import { TODAY } from '../../../db/queries/time-zone.ts';
import { prepared, query } from '../../../db/sql.ts';
import { validationFailed } from '../../../domain/errors.ts';
import type { Reasons } from '../../../domain/ledger/verifactu/breakdown.ts';
import { annulmentFlags, type PastRecord } from '../../../domain/ledger/verifactu/corrections.ts';
import { registrationFaults } from '../../../domain/ledger/verifactu/faults.ts';
import type { InvoiceType, Registration } from '../../../domain/ledger/verifactu/records.ts';
import { registration, replacedAmounts } from '../../../domain/ledger/verifactu/registration.ts';
import type { Decimal } from '../../../domain/money.ts';
import type { TaxSet } from '../../../domain/trade/documents/tax-sets.ts';
import type { EntryToWrite } from '../../ledger/accounting/write-entry.ts';
import { addRecord } from '../../ledger/verifactu/add-record.ts';
import { taxesInCompanyCurrency } from '../documents/in-company-currency.ts';
import type { DocumentRow, LoadedDocument, StoredDocument } from '../documents/stored.ts';
import { substitution } from '../documents/substitution.ts';

export interface IssueFacts {
  readonly company: { readonly name: string; readonly taxId: string; readonly taxSet: TaxSet };
  readonly partner: { readonly name: string; readonly taxId: string | null; readonly country: string };
  readonly rectified: { readonly number: string; readonly date: string; readonly type: InvoiceType | null } | null;
  /** Date of a full invoice in exchange for a simplified one, whose number and date follow; null for others. */
  readonly exchange: { readonly date: string; readonly number: string; readonly issuedOn: string } | null;
  readonly reasons: Reasons;
  readonly simplifiedLimit: Decimal;
  readonly hasCompanyAddress: boolean;
  readonly hasCustomerAddress: boolean;
  readonly today: string;
  /** Number that the series will give next, but for those that others take meanwhile. */
  readonly nextNumber: string;
}

const FACTS_SQL = `
  select json_build_object('name', c.value->>'name', 'taxId', c.value->>'taxId',
      'taxSet', coalesce(c.value->>'taxSet', 'vat')) as company,
    json_build_object('name', p.name, 'taxId', p.nif, 'country', p.country_code) as partner,
    (select json_build_object('number', coalesce(rf.code, r.code), 'date', coalesce(rf.date, r.date),
        'type', (select v.record->>'type' from verifactu_records v where v.document_id = r.id and v.kind = 'registration'
          order by v.seq desc limit 1))
      from documents r where r.id = d.rectifies) as rectified,
    case when coalesce(:date::date, f.date) is not null then json_build_object('date', coalesce(:date::date, f.date), 'number', d.code,
      'issuedOn', d.date) end as exchange,
    (select coalesce(json_object_agg(t.id, t.exemption_reason), '{}') from taxes t
      where t.exemption_reason is not null and t.id in (select tax_group_id from document_lines where document_id = d.id)) as reasons,
    coalesce(s.value->>'simplifiedLimit', '400') as "simplifiedLimit",
    coalesce(c.value->>'address', '') <> '' and coalesce(c.value->>'city', '') <> '' as "hasCompanyAddress",
    coalesce(a.billing->>'street', '') <> '' and coalesce(a.billing->>'city', '') <> '' as "hasCustomerAddress",
    ${TODAY} as today,
    e.prefix || lpad(e.next_number::text, greatest(e.padding, length(e.next_number::text)), '0') || e.suffix as "nextNumber"
  from documents d
  left join full_invoices f on f.document_id = d.id
  left join full_invoices rf on rf.document_id = d.rectifies
  cross join lateral (select coalesce(:address::jsonb, f.billing_address, d.billing_address, rf.billing_address) as billing) a
  join partners p on p.id = coalesce(:partnerId::uuid, f.partner_id, rf.partner_id, d.partner_id)
  join series e on e.id = coalesce(:seriesId::uuid, f.series_id, d.series_id)
  join settings s on s.name = 'verifactu' and (s.value->>'enabled')::boolean
  join settings c on c.name = 'company'
  where d.id = :id::uuid`;

/** A full invoice that is about to be given for a simplified one. */
export interface Exchange {
  readonly partnerId: string;
  readonly seriesId: string;
  readonly date: string;
  readonly billingAddress: PostalAddress | null;
}

/**
 * Loads what the record of an invoice needs; null for purchases, and where no records are made. An invoice that was exchanged is the full
 * one.
 */
export async function loadIssueFacts(
  trx: Db,
  ctx: Context,
  { id, docType }: DocumentRow,
  exchange: Exchange | null = null,
): Promise<IssueFacts | null> {
  if (docType !== 'SINV') return null;
  const [facts] = await prepared<IssueFacts>(trx, FACTS_SQL, {
    id,
    now: ctx.now.toISOString(),
    partnerId: exchange?.partnerId ?? null,
    seriesId: exchange?.seriesId ?? null,
    date: exchange?.date ?? null,
    address: exchange?.billingAddress ? JSON.stringify(exchange.billingAddress) : null,
  });
  return facts ?? null;
}

/** The entry of a document, or of the part of it that takes the place of another; the record has its taxes. */
export type EntryFor = (document: StoredDocument) => EntryToWrite;

/**
 * Adds the record of an invoice that is posted.
 * @throws ServiceError validation_failed naming what keeps the invoice from being issued
 */
export function addRegistration(
  changes: Changes,
  facts: IssueFacts,
  document: StoredDocument,
  entryFor: EntryFor,
): void {
  const record = invoiceRecord(facts, document, entryFor);
  const faults = registrationFaults(record, facts);
  if (faults.length > 0) throw validationFailed(faults);
  const about = { documentId: document.row.id, issuer: facts.company.taxId };
  changes.follow(addRecord, { kind: 'registration', record, ...about });
}

/** Makes the record of an invoice. */
export function invoiceRecord(
  { company, partner, rectified, exchange, reasons, nextNumber }: IssueFacts,
  document: StoredDocument,
  entryFor: EntryFor,
): Registration {
  const { stated, replaced } = substitution(document) ?? { stated: document, replaced: null };
  const { row, lines } = stated;
  return registration({
    company,
    partner,
    rectified,
    replaced: replaced && replacedAmounts(taxesInCompanyCurrency(replaced.taxes, row)),
    rectificationType: row.rectificationType,
    number: nextNumber,
    date: exchange?.date ?? row.date,
    operationDate: row.operationDate ?? exchange?.issuedOn ?? null,
    simplified: exchange === null ? null : { number: exchange.number, date: exchange.issuedOn },
    texts: lines.flatMap(({ description }) => description ?? []),
    taxes: entryFor(stated).lines.flatMap(({ tax }) => tax ?? []),
    reasons,
  });
}

/** Adds the annulment of an invoice that is cancelled, if it has a record. */
export async function addAnnulment(trx: Db, changes: Changes, { row, record }: LoadedDocument): Promise<void> {
  if (record === null) return;
  const { invoice } = record;
  const annulment = { invoice, ...annulmentFlags(await loadPastRecords(trx, row.id)) };
  changes.follow(addRecord, { kind: 'annulment', documentId: row.id, issuer: invoice.issuer, record: annulment });
}

/** All records of an invoice, in order, with what became of them. */
export async function loadPastRecords(trx: Db, documentId: string): Promise<PastRecord[]> {
  return await query<PastRecord>(
    trx,
    `select r.kind, e.status, e.error->>'code' as "errorCode" from verifactu_records r
     left join verifactu_results e on e.record_id = r.id where r.document_id = :documentId::uuid order by r.seq`,
    { documentId },
  );
}
