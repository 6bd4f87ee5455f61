/** Adds a record to the end of its chain, within the statement's own transaction (RD 1007/2023, art. 9; Orden HAC/1177/2024, art. 7). */
import { SERVICE_VERSION } from '../../../config/version.ts';
import { emitForRows } from '../../../db/changes/event-sql.ts';
import { followUp } from '../../../db/changes/follow-up.ts';
import { newId } from '../../../db/ids.ts';
import { TIME_ZONE } from '../../../db/queries/time-zone.ts';
import { prepared } from '../../../db/sql.ts';
import { invalidMember } from '../../../domain/errors.ts';
import { annulmentText, registrationText } from '../../../domain/ledger/verifactu/hash.ts';
import type { Annulment, Registration } from '../../../domain/ledger/verifactu/records.ts';
import { VERIFACTU_DUE } from '../../../domain/platform/internal-events.ts';

/** Stand for what is known only at the end of the chain; no number of an invoice has such characters. */
const MARKS = { number: '\uE000', hash: '\uE001', time: '\uE002' } as const;

export type RecordToAdd = { readonly documentId: string; readonly issuer: string } & (
  | { readonly kind: 'registration'; readonly record: Registration }
  | { readonly kind: 'annulment'; readonly record: Annulment }
);

/** Time with the offset of the company's time zone, as ISO 8601 has it. */
const GENERATED = `to_char(at at time zone zone, :timeForm) ||
  case when at at time zone zone >= at at time zone 'UTC' then '+' else '' end ||
  to_char((at at time zone zone) - (at at time zone 'UTC'), :offsetForm)`;
/** In values, since a colon in a statement begins the name of one. */
const FORMS = { timeForm: 'YYYY-MM-DD"T"HH24:MI:SS', offsetForm: 'HH24:MI' };

/**
 * The head is locked until the commit, after the number of the invoice and nothing else: transactions make their records one after another.
 * A clock that goes backwards repeats the time of the record before, so that times never do. The workflow that sends records is started
 * only if none will look for this one.
 */
const ADD = `
  with head as materialized (
    select * from verifactu_chains where issuer = :issuer for update
  ), placed as materialized (
    select h.*, greatest(date_trunc('second', :now::timestamptz), h.generated_at) as at, coalesce(f.code, d.code) as code,
      coalesce(f.date, d.date) as issued, ${TIME_ZONE} as zone
    from head h join documents d on d.id = :documentId::uuid left join full_invoices f on f.document_id = d.id
  ), timed as materialized (
    select *, ${GENERATED} as generated_text from placed
  ), hashed as materialized (
    select *, replace(replace(replace(:text, '${MARKS.number}', btrim(code)), '${MARKS.hash}', coalesce(hash, '')),
      '${MARKS.time}', generated_text) as hashed_text
    from timed
  ), added as (
    insert into verifactu_records (id, tenant_id, chain_id, seq, kind, document_id, record, version, previous, generated_at, generated_text,
      hashed_text, hash)
    select :id::uuid, tenant_id, id, seq + 1, :kind, :documentId::uuid,
      jsonb_set(:record::jsonb, '{invoice,number}', to_jsonb(code)), :version,
      case when hash is not null then jsonb_build_object('issuer', issuer, 'number', number, 'date', date, 'hash', hash) end,
      at, generated_text, hashed_text, upper(encode(sha256(convert_to(hashed_text, 'UTF8')), 'hex'))
    from hashed
    returning *
  ), woken as (
    ${emitForRows('select tenant_id, id from head where not awake', 'VerifactuChain')}
  )
  update verifactu_chains c
  set seq = a.seq, number = h.code, date = h.issued, hash = a.hash, generated_at = a.generated_at, awake = true
  from added a, hashed h where c.id = a.chain_id
  returning c.seq`;

/** Adds the record of an invoice whose row was written. @throws ServiceError validation_failed if the company's tax id has no chain */
export const addRecord = followUp<RecordToAdd>(
  'add a record for the tax agency',
  async (trx, ctx, toAdd) => {
    const { documentId, issuer, kind } = toAdd;
    const link = { previous: { issuer, number: '', date: '', hash: MARKS.hash }, generatedAt: MARKS.time };
    const invoice = { ...toAdd.record.invoice, number: MARKS.number };
    const text =
      toAdd.kind === 'registration'
        ? registrationText({ ...toAdd.record, invoice }, link)
        : annulmentText({ ...toAdd.record, invoice }, link);
    const added = await prepared<{ seq: number }>(trx, ADD, {
      id: newId(),
      documentId,
      issuer,
      kind,
      text,
      record: JSON.stringify(toAdd.record),
      version: SERVICE_VERSION,
      now: ctx.now.toISOString(),
      eventId: newId(),
      event: VERIFACTU_DUE,
      ...FORMS,
    });
    if (added.length === 0) {
      const way = 'PUT /api/config/verifactu again, and its records begin a chain of their own';
      throw invalidMember('', 'no_chain', `cannot be posted because the tax id of the company changed: ${way}`);
    }
  },
  { together: true },
);
