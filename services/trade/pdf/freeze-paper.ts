/**
 * Freezes the data of an invoice's paper within the transaction that posts it. The PDF is rendered when it is
 * requested.
 */
import { followUp } from '../../../db/changes/follow-up.ts';
import { prepared } from '../../../db/sql.ts';
import { DOCUMENT_TYPES, type DocType } from '../../../domain/trade/documents/types.ts';
import { COMPANY_PART, DOCUMENT_FROM, DOCUMENT_PART } from './paper-parts.ts';

/** The same content has the same hash. */
const CONTENT_HASH = `encode(substring(sha256(convert_to(company::text, 'UTF8')) for 16), 'hex')::uuid`;

/** The company's part, and the bytes of its logo, are written only after a change. */
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
  insert into document_papers (tenant_id, document_id, settings_id, content)
  select tenant_id, id, coalesce((select id from known), (select id from new_settings)), content from paper
  on conflict do nothing`;

/**
 * Stores all data on the paper that is not in the invoice's own rows, unless it is stored already. The invoice's rows
 * and the movements of its goods must have been written.
 */
export const freezePaper = followUp<{
  readonly documentId: string;
  readonly docType: DocType;
}>(
  'freeze the paper',
  async (trx, _ctx, { documentId, docType }) => {
    await prepared(trx, FREEZE, { documentId, entityType: DOCUMENT_TYPES[docType].entityType });
  },
  { together: true },
);
