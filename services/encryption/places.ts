/** What stored secrets are bound to: each can be opened for its place alone. */

interface Owner {
  readonly tenantId: string;
  readonly id: string;
}

/** The secret that signs for a webhook. */
export function webhookSecretPlace({ tenantId, id }: Owner): string {
  return `webhook/${tenantId}/${id}`;
}

/** The secrets that its rotations have replaced. */
export function retiredSecretsPlace(owner: Owner): string {
  return `${webhookSecretPlace(owner)}/retired`;
}

/** The answer that is kept for an Idempotency-Key. */
export function keptAnswerPlace(
  tenantId: string,
  { caller, path, key }: { readonly caller: string; readonly path: string; readonly key: string },
): string {
  return JSON.stringify(['idempotency', tenantId, caller, path, key]);
}
