import { SYSTEM_ROLE } from '../database.ts';
import { describe, reference, tenantTable } from './schema.ts';

/** Each with its meaning. */
const SENDER = [
  [
    'awake boolean not null default false',
    'Whether a workflow will look for records to send: while it does, new ones start none',
  ],
  ['sent_seq integer not null default 0', 'Records up to this place have their answers'],
  ['failures integer not null default 0', 'Messages that have failed since the last answer'],
  ['next_send_at timestamptz', 'No message is sent before: the agency states a waiting time with each answer'],
  [
    'problem jsonb',
    'What keeps records from being sent: a code, and the error of the agency if it is one; null for nothing',
  ],
] as const;

/** Sending records of issued invoices to the tax agency: what was sent, what became of it, and the certificate with which it is sent. */
export const up = `
  alter table verifactu_chains ${SENDER.map(([column]) => `add column ${column}`).join(', ')};
  ${describe(
    'verifactu_chains',
    'Heads of the chains of records: one for each tax id with which the company has issued invoices.',
    SENDER.map(([column, meaning]) => `${column}, -- ${meaning}`).join('\n'),
  )}
  grant select, update on verifactu_chains to ${SYSTEM_ROLE};
  create policy verifactu_chains_system on verifactu_chains to ${SYSTEM_ROLE} using (true) with check (true);

  ${tenantTable(
    'verifactu_submissions',
    'Messages with records to the tax agency: one at a time for each chain, repeated until it is answered.',
    `
    chain_id uuid not null, -- Chain whose records it has
    first_seq integer not null, -- Place of its first record
    last_seq integer not null, -- Place of its last record
    incident boolean not null, -- Whether it says that records come late because of an incident
    attempts integer not null default 1, -- Number of times it was sent
    sent_at timestamptz not null, -- When it was sent last
    answered_at timestamptz, -- When all of its records had answers; null until then
    state text check (state in ('accepted', 'partly_accepted', 'rejected')), -- State of the message at the agency
    csv text, -- Code by which the agency can verify that it has the message; null if it stored nothing
    presented_at timestamptz, -- When the agency took it
    error jsonb, -- Why the last attempt failed: the code and text of the agency; null for none
    ${reference('verifactu_submissions', 'chain_id', 'verifactu_chains')}
  `,
    { versioned: false, grants: 'select, insert, update' },
  )}
  create unique index verifactu_submissions_open on verifactu_submissions (tenant_id, chain_id) where answered_at is null;
  create index verifactu_submissions_seq on verifactu_submissions (tenant_id, chain_id, first_seq);

  ${tenantTable(
    'verifactu_results',
    'What became of records at the tax agency.',
    `
    record_id uuid not null, -- Record
    submission_id uuid not null, -- Message with which it was sent
    status text not null check (status in ('accepted', 'accepted_with_errors', 'rejected')), -- State of the record at the agency
    error jsonb, -- Error of the agency: its code and text
    duplicate boolean not null, -- Whether the agency had a record of the invoice already
    answered_at timestamptz not null, -- When the answer came
    constraint verifactu_results_record_key unique (tenant_id, record_id),
    ${reference('verifactu_results', 'record_id', 'verifactu_records')},
    ${reference('verifactu_results', 'submission_id', 'verifactu_submissions')}
  `,
    { versioned: false, grants: 'select, insert' },
  )}
  create index verifactu_results_submission on verifactu_results (tenant_id, submission_id);
  create index verifactu_results_wrong on verifactu_results (tenant_id, answered_at) where status <> 'accepted';

  ${tenantTable(
    'verifactu_certificates',
    'Certificates with which companies identify themselves to the tax agency.',
    `
    kind text not null check (kind in ('personal', 'seal')), -- Of a person or representative, or the seal of a company
    holder text not null, -- Name in the certificate
    holder_tax_id text, -- Tax id in the certificate
    issuer text not null, -- Name of the authority that issued it
    serial text not null, -- Serial number in hexadecimal digits
    valid_from timestamptz not null, -- First moment at which it is valid
    valid_until timestamptz not null, -- Last moment at which it is valid
    sealed bytea not null, -- Key and certificates as JSON, encrypted
    told_days integer, -- The fewest days before its end of which people were told
    constraint verifactu_certificates_tenant_key unique (tenant_id)
  `,
    { grants: 'select, insert, update, delete', systemGrants: 'select, update' },
  )}
`;
