import { APP_ROLE, SYSTEM_ROLE } from '../database.ts';
import { forceRowSecurity, table } from './schema.ts';

/** Restores from backups: what was under way at their time may have been done since. */
export const up = `
  ${table(
    'restores',
    'Restores of the database from a backup.',
    `
    as_of timestamptz primary key, -- Time whose state was restored
    restored_at timestamptz not null -- When what was under way then was held
  `,
  )}
  ${forceRowSecurity('restores')}
  create policy restores_system on restores to ${SYSTEM_ROLE} using (true) with check (true);
  create policy restores_read on restores for select to ${APP_ROLE} using (true);
  grant select on restores to ${APP_ROLE};
  grant select, insert on restores to ${SYSTEM_ROLE};
`;
