/**
 * The last date of which a person has had the daily summary. Who had asked for it before has none yet, and gets the first as soon as it is
 * due. The system role finds the companies where anybody wants one.
 */
import { SYSTEM_ROLE } from '../database.ts';

export const up = `
  alter table notification_settings add column summary_on date;
  create policy notification_settings_system on notification_settings to ${SYSTEM_ROLE} using (true) with check (true);
  grant select on notification_settings to ${SYSTEM_ROLE};
`;
