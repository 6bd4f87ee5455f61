/**
 * A session ends 90 days after its login, however often it was refreshed. Each refresh token says when that is: the tokens
 * before it, which tell when the login was, need not be looked for.
 */
export const up = `
  alter table refresh_tokens add column session_ends_at timestamptz;
  update refresh_tokens t set session_ends_at = f.began + interval '90 days'
    from (select family_id, min(created_at) as began from refresh_tokens group by family_id) f
    where f.family_id = t.family_id;
`;
