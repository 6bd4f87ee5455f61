/** Stores the values of headers encrypted, like secrets. A worker seals those of version 1.0.0. */
import { SYSTEM_ROLE } from '../database.ts';

const TABLES = [
  { table: 'webhooks', column: 'headers', shown: 'Headers that are sent with them, with masks for their values' },
  { table: 'automations', column: 'actions', shown: 'Actions in order, with masks for the values of headers' },
  {
    table: 'automation_runs',
    column: 'actions',
    shown: 'Actions as they were when it began, with masks for the values of headers',
  },
];

export const up = TABLES.map(
  ({ table, column, shown }) => `
  alter table ${table} add column headers_encrypted bytea;
  comment on column ${table}.headers_encrypted is 'Values of the headers, encrypted';
  comment on column ${table}.${column} is '${shown}';
  grant update (${column}, headers_encrypted) on ${table} to ${SYSTEM_ROLE};
`,
).join('');
