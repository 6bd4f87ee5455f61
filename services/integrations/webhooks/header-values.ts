/** Values of the headers that companies add to their requests: stored encrypted, next to the names with masks. */
import { HEADER_MASK, type Headers } from '../../../domain/integrations/webhooks/headers.ts';
import { type EncryptionKeys, headersPlace, SealError, seal, unseal } from '../../platform/encryption/seal.ts';

interface Owner {
  readonly tenantId: string;
  /** The webhook or automation. */
  readonly id: string;
}

/** Error for values that cannot be decrypted. */
export const HEADERS_LOST = 'The values of its headers cannot be opened: give the headers again';

/**
 * Encrypts the values of headers; null if there are no headers.
 * @param lists one list for each request that the owner defines: a webhook has one, an automation one for each action
 */
export function sealHeaders(keys: EncryptionKeys, owner: Owner, lists: readonly Headers[]): Buffer | null {
  const isEmpty = lists.every((headers) => Object.keys(headers).length === 0);
  return isEmpty ? null : seal(keys, headersPlace(owner), JSON.stringify(lists));
}

/**
 * Restores the values of headers. Values without a mask, which version 1.0.0 stored, stay as they are.
 * @param index the list of these headers
 * @throws SealError
 */
export function openHeaders(
  keys: EncryptionKeys,
  owner: Owner & { readonly headersEncrypted: Buffer | null },
  shown: Headers,
  index = 0,
): Headers {
  if (!Object.values(shown).includes(HEADER_MASK)) return shown;
  if (owner.headersEncrypted === null) throw new SealError();
  const lists = JSON.parse(unseal(keys, headersPlace(owner), owner.headersEncrypted)) as readonly Headers[];
  const values = Object.entries(shown).map(([name, value]) => {
    const opened = value === HEADER_MASK ? lists[index]?.[name] : value;
    if (opened === undefined) throw new SealError();
    return [name, opened] as const;
  });
  return Object.fromEntries(values);
}
