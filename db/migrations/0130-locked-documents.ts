/** Rules lock documents, at once or at the end of a day. */
import { SYSTEM_ROLE } from '../database.ts';

export const up = `
  alter table documents
    add locked_at timestamptz,
    -- When it will be locked; null once it is.
    add lock_due_at timestamptz,
    add constraint documents_lock_check check (locked_at is null or lock_due_at is null);
  -- The relay and the comparison tell lifecycles of it.
  grant select (lock_due_at) on documents to ${SYSTEM_ROLE};
`;
