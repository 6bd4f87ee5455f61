import { SYSTEM_ROLE } from '../database.ts';

/** One row that is changed to see whether the database takes changes. */
export const up = `
  create table write_probe (id integer primary key default 1 check (id = 1), tried_at timestamptz);
  insert into write_probe default values;
  grant select, update on write_probe to ${SYSTEM_ROLE};
`;
