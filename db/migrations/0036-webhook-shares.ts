/**
 * Secrets that still sign for a while after a rotation (encrypted as one list with their ends), and how much of the service an
 * endpoint may take up.
 */
export const up = `
  alter table webhooks
    add column retired_secrets_encrypted bytea,
    add column secret_rotated_at timestamptz,
    add column max_in_flight integer not null default 10 check (max_in_flight between 1 and 100),
    add column rate_per_second integer not null default 100 check (rate_per_second between 1 and 1000);
`;
