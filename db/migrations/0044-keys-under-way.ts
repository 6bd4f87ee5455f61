/** Idempotency keys whose work is no single transaction are committed as under way first: `owner` is who works on it. */
export const up = `
  alter table idempotency_keys add column owner uuid;
`;
