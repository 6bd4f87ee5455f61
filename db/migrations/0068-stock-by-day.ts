/**
 * Days after back-dated movements are checked from now on. What earlier releases let fall below zero on past days has happened, and cannot
 * be told from what was allowed: its movements are marked, so that `verify` leaves them alone.
 */
export const up = `
  alter table stock_movements add column days_checked boolean not null default false;
`;
