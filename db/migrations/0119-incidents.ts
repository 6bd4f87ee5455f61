/** What is wrong at the moment, so that people are told once when it begins and once when it is over. */
import { tenantTable } from './schema.ts';

export const up = `
  ${tenantTable(
    'incidents',
    `kind text not null,
     subject text not null,
     failures integer not null default 0,
     begun_at timestamptz not null,
     seen_at timestamptz not null,
     constraint incidents_subject_key unique (tenant_id, kind, subject)`,
    { versioned: false, systemGrants: 'select, delete' },
  )}
`;
