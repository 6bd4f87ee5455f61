/** Plugins are called, and fire hooks. Those of earlier releases do neither until they are upgraded. */
import { SYSTEM_ROLE } from '../database.ts';

export const up = `
  alter table plugins
    add base_url text,
    add hooks jsonb not null default '[]',
    add actions jsonb not null default '[]',
    add secret_encrypted bytea,
    add retired_secrets_encrypted bytea,
    add secret_rotated_at timestamptz,
    -- When the company was last told that it fails.
    add error_told_at timestamptz;
  alter table plugins alter hooks drop default, alter actions drop default;
  -- ENCRYPTION_KEY is replaced for all companies at once.
  grant update (secret_encrypted, retired_secrets_encrypted) on plugins to ${SYSTEM_ROLE};
`;
