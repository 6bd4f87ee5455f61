/** Companies are counted by the account that founded them, so that one person cannot have any number of shares of the service. */
export const up = `
  alter table tenants add column founder_id uuid;
  comment on column tenants.founder_id is
    'Account among whose companies it counts; null for companies of version 1.0.0, which count for their first owner';
`;
