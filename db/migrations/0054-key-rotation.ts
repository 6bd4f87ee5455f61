import { SYSTEM_ROLE } from '../database.ts';

/** Stored secrets of all companies are sealed anew when the key is changed. */
export const up = `
  grant update (secret_encrypted, retired_secrets_encrypted) on webhooks to ${SYSTEM_ROLE};
  grant update (body_sealed) on idempotency_keys to ${SYSTEM_ROLE};
`;
