import { reference, tenantTable } from './schema.ts';

/** The chain of records of issued invoices (RD 1007/2023): its head changes, its records never do. */
export const up = `
  ${tenantTable(
    'verifactu_chains',
    'Heads of the chains of records: one for each tax id with which the company has issued invoices.',
    `
    issuer text not null, -- Tax id of the company
    seq integer not null default 0, -- Number of records
    number text, -- Number of the last record's invoice
    date date, -- Date of that invoice
    hash text, -- Hash of the last record
    generated_at timestamptz, -- Time of the last record
    constraint verifactu_chains_issuer_key unique (tenant_id, issuer)
  `,
    { versioned: false, grants: 'select, insert, update' },
  )}

  ${tenantTable(
    'verifactu_records',
    'Records of issued and annulled invoices for the tax agency, each linked to the one before.',
    `
    chain_id uuid not null, -- Chain that it is part of
    seq integer not null, -- Place in the chain, from 1
    kind text not null check (kind in ('registration', 'annulment')), -- Of an invoice, or of its annulment
    document_id uuid not null, -- Invoice
    record jsonb not null, -- What is reported of the invoice
    version text not null, -- Version of the program that made it
    previous jsonb, -- Invoice and hash of the record before; null for the first
    generated_at timestamptz not null, -- Time at which it was made, never before that of the record before
    generated_text text not null, -- The same as it is reported, with the offset of the company's time zone
    hashed_text text not null, -- Text that the hash is of
    hash text not null, -- SHA-256 of that text, in capitals
    constraint verifactu_records_seq_key unique (tenant_id, chain_id, seq),
    ${reference('verifactu_records', 'chain_id', 'verifactu_chains')},
    ${reference('verifactu_records', 'document_id', 'documents')}
  `,
    { versioned: false, grants: 'select, insert' },
  )}
  create index verifactu_records_document on verifactu_records (tenant_id, document_id, seq);
  create function refuse_change_of_record() returns trigger language plpgsql as $$
  begin
    raise exception 'records of issued invoices are never changed or deleted (RD 1007/2023, art. 8)';
  end $$;
  create trigger verifactu_records_kept before update or delete on verifactu_records
    for each row execute function refuse_change_of_record();
`;
