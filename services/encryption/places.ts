/** What stored secrets are bound to: each can be decrypted only for its place. */

interface Owner {
  readonly tenantId: string;
  readonly id: string;
}

/** The signing secret of a webhook. */
export function webhookSecretPlace({ tenantId, id }: Owner): string {
  return `webhook/${tenantId}/${id}`;
}

/** The signing secrets that rotations have replaced. */
export function retiredSecretsPlace(owner: Owner): string {
  return `${webhookSecretPlace(owner)}/retired`;
}

/** The answer stored for an Idempotency-Key. */
export function keptAnswerPlace(
  tenantId: string,
  { caller, path, key }: { readonly caller: string; readonly path: string; readonly key: string },
): string {
  return JSON.stringify(['idempotency', tenantId, caller, path, key]);
}
