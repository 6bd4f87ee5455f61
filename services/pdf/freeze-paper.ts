/** Freezes what the paper of an invoice shows, within the transaction that posts it: the PDF is made when somebody asks for it. */
import type { Db } from '../../db/database.ts';
import { prepared } from '../../db/sql.ts';
import { DOCUMENT_TYPES, type DocType } from '../../domain/documents/types.ts';
import { COMPANY_PART, DOCUMENT_FROM, DOCUMENT_PART } from './paper-parts.ts';

/**
 * Keeps what is beside the invoice's own rows as it is now. Its rows, and the movements of its goods, must be written.
 * @throws an error of the database when the invoice has been frozen before
 */
export async function freezePaper(
  trx: Db,
  document: { readonly id: string; readonly docType: DocType },
): Promise<void> {
  const { entityType } = DOCUMENT_TYPES[document.docType];
  await prepared(trx, FREEZE, { documentId: document.id, entityType });
}

/** What the company's part is known by: the same content has the same id. */
const CONTENT_ID = `encode(substring(sha256(convert_to(tenant_id::text || company::text, 'UTF8')) for 16), 'hex')::uuid`;

/** Nothing is inserted that is there, and the bytes of a logo are read only if it is new. */
const FREEZE = `
  with parts as materialized (
    select d.id, d.tenant_id, ${COMPANY_PART} as company, ${DOCUMENT_PART} as content from ${DOCUMENT_FROM} where d.id = :documentId
  ), paper as materialized (
    select *, ${CONTENT_ID} as settings_id, (company->>'logoId')::uuid as logo_id from parts
  ), new_logo as (
    insert into paper_logos (id, tenant_id, content)
    select f.id, f.tenant_id, f.content from files f join paper on paper.logo_id = f.id
    where not exists (select from paper_logos l where l.id = paper.logo_id)
    on conflict do nothing
  ), new_settings as (
    insert into paper_settings (id, tenant_id, content, logo_id)
    select settings_id, tenant_id, company, logo_id from paper
    where not exists (select from paper_settings s where s.id = paper.settings_id)
    on conflict do nothing
  )
  insert into document_papers (tenant_id, document_id, settings_id, content)
  select tenant_id, id, settings_id, content from paper`;
