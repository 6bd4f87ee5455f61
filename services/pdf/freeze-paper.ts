/** Freezes what the paper of an invoice shows, within the transaction that posts it: the PDF is rendered when somebody asks for it. */
import type { Db } from '../../db/database.ts';
import { prepared } from '../../db/sql.ts';
import { DOCUMENT_TYPES, type DocType } from '../../domain/documents/types.ts';
import { COMPANY_PART, DOCUMENT_FROM, DOCUMENT_PART } from './paper-parts.ts';

/**
 * Keeps what is beside the invoice's own rows as it is now, unless that is kept already. Its rows, and the movements of its goods, must be
 * written.
 * @param late whether an earlier release has posted it
 */
export async function freezePaper(
  trx: Db,
  { id: documentId, docType }: { readonly id: string; readonly docType: DocType },
  { late = false } = {},
): Promise<void> {
  await prepared(trx, FREEZE, { documentId, entityType: DOCUMENT_TYPES[docType].entityType, late });
}

/** The same content has the same hash. */
const CONTENT_HASH = `encode(substring(sha256(convert_to(company::text, 'UTF8')) for 16), 'hex')::uuid`;

/** What is of the company, and the bytes of its logo, are only written after a change. */
const FREEZE = `
  with parts as materialized (
    select d.id, d.tenant_id, ${COMPANY_PART} as company, ${DOCUMENT_PART} as content from ${DOCUMENT_FROM} where d.id = :documentId
  ), paper as materialized (
    select *, ${CONTENT_HASH} as content_hash from parts
  ), known as materialized (
    select s.id from paper_settings s where s.content_hash = (select content_hash from paper) limit 1
  ), new_settings as (
    insert into paper_settings (id, tenant_id, content_hash, content)
    select gen_random_uuid(), tenant_id, content_hash, company from paper where not exists (select from known)
    returning id
  ), new_logo as (
    insert into paper_logos (id, tenant_id, file_id, content)
    select gen_random_uuid(), f.tenant_id, f.id, f.content from paper join files f on f.id = (paper.company->>'logoId')::uuid
    where not exists (select from known) and not exists (select from paper_logos l where l.file_id = f.id)
  )
  insert into document_papers (tenant_id, document_id, settings_id, content, late)
  select tenant_id, id, coalesce((select id from known), (select id from new_settings)), content, :late::boolean from paper
  on conflict do nothing`;
