/** Starts of the service: each is one, however many processes it has. Rules that wait for it did not run until now. */
import { SYSTEM_ROLE } from '../database.ts';

export const up = `
  create table service_starts (
    id text primary key,
    started_at timestamptz not null default clock_timestamp(),
    -- When all rules that wait for it had begun.
    told_at timestamptz
  );
  grant select, insert, update, delete on service_starts to ${SYSTEM_ROLE};
`;
