/** Records of issued invoices: hashes, links and what they say. */
import { inCompany } from '../queries/company-amounts.ts';
import type { Invariant } from './invariant.ts';

const SPANISH = `to_char((r.record->'invoice'->>'date')::date, 'DD-MM-YYYY')`;
const LINK = `'&Huella=' || coalesce(r.previous->>'hash', '') || '&FechaHoraHusoGenRegistro=' || r.generated_text`;
const INVOICE = `r.record->'invoice'`;
const TEXT = `case r.kind
  when 'registration' then 'IDEmisorFactura=' || (${INVOICE}->>'issuer') || '&NumSerieFactura=' || trim(${INVOICE}->>'number')
    || '&FechaExpedicionFactura=' || ${SPANISH} || '&TipoFactura=' || (r.record->>'type') || '&CuotaTotal=' || (r.record->>'taxTotal')
    || '&ImporteTotal=' || (r.record->>'total') || ${LINK}
  else 'IDEmisorFacturaAnulada=' || (${INVOICE}->>'issuer') || '&NumSerieFacturaAnulada=' || trim(${INVOICE}->>'number')
    || '&FechaExpedicionFacturaAnulada=' || ${SPANISH} || ${LINK} end`;
/** The total that a rectification by substitution replaces. */
const REPLACED = ['base', 'amount', 'surchargeAmount']
  .map((member) => `coalesce((f.record->'replaced'->>'${member}')::numeric, 0)`)
  .join(' - ');
const RECORDS_OF_D = 'select * from verifactu_records r where r.tenant_id = d.tenant_id and r.document_id = d.id';

export const VERIFACTU: readonly Invariant[] = [
  {
    name: 'hashes_of_records',
    title: 'the hash of a record for the tax agency is that of its members, its time and the hash before',
    sql: `select r.tenant_id, r.id::text, r.hashed_text = ${TEXT}
        and r.hash = upper(encode(sha256(convert_to(r.hashed_text, 'UTF8')), 'hex'))
        and r.generated_text::timestamptz = r.generated_at as ok
      from verifactu_records r`,
  },
  {
    name: 'links_of_records',
    title:
      'each record names the one before it in its chain, was not made before it, and the head of the chain is the last one',
    sql: `select r.tenant_id, r.id::text, coalesce(r.seq = b.seq + 1 and r.generated_at >= b.generated_at
          and r.previous = (b.record->'invoice') || jsonb_build_object('hash', b.hash),
          r.seq = 1 and r.previous is not distinct from c.inherited)
        and (l.seq is not null or (c.seq, c.hash, c.generated_at) = (r.seq, r.hash, r.generated_at)) as ok
      from verifactu_records r
      join verifactu_chains c on c.tenant_id = r.tenant_id and c.id = r.chain_id
      left join verifactu_records b on b.tenant_id = r.tenant_id and b.chain_id = r.chain_id and b.seq = r.seq - 1
      left join verifactu_records l on l.tenant_id = r.tenant_id and l.chain_id = r.chain_id and l.seq = r.seq + 1`,
  },
  {
    name: 'records_of_invoices',
    title:
      'an invoice with a record is that of its first record, less what it replaces, before withholding and but for cents of single ' +
      'taxes; a cancelled one has an annulment at the end',
    sql: `select d.tenant_id, d.id::text, f.kind = 'registration'
        and ((f.record->'invoice'->>'number', (f.record->'invoice'->>'date')::date) = (d.code, d.date)
          or exists (select from full_invoices i where i.tenant_id = d.tenant_id and i.document_id = d.id
            and (f.record->'invoice'->>'number', (f.record->'invoice'->>'date')::date) = (i.code, i.date)))
        and d.posted_at is not null
        and abs((f.record->>'total')::numeric - ${REPLACED} - ${inCompany('d', 'total')} - ${inCompany('d', 'withholding_amount')})
          <= 0.01 * jsonb_array_length(f.record->'details')
        and (f.record->>'rectification' is not distinct from 'S') = (d.rectification_method is not null)
        and (d.status = 'X') = (l.kind = 'annulment') as ok
      from documents d
      join lateral (${RECORDS_OF_D} order by r.seq limit 1) f on true
      join lateral (${RECORDS_OF_D} order by r.seq desc limit 1) l on true`,
  },
  {
    name: 'answers_to_records',
    title:
      'records up to the place that a chain counts as answered have their answers, and those after it belong to one open message at most',
    sql: `select c.tenant_id, c.id::text, c.sent_seq <= c.seq
        and not exists (select from verifactu_records r where r.tenant_id = c.tenant_id and r.chain_id = c.id and r.seq <= c.sent_seq
          and not exists (select from verifactu_results e where e.tenant_id = r.tenant_id and e.record_id = r.id))
        and not exists (select from verifactu_submissions s where s.tenant_id = c.tenant_id and s.chain_id = c.id
          and (s.answered_at is null) = (s.last_seq <= c.sent_seq)) as ok
      from verifactu_chains c`,
  },
];
