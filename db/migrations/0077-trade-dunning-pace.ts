import { describe } from './schema.ts';

/** The day of each invoice's last reminder, so that a level is not followed by the next one at once. */
export const up = `
  alter table documents add column dunned_on date;
  ${describe(
    'documents',
    'Documents: quotations, orders, delivery notes and invoices.',
    `
    dunned_on date, -- Day on which it reached its level of reminders; null for none`,
  )}
`;
