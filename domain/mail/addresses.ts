/** The recipients that a client names. */
import { isEmail } from '../email.ts';

/** The most recipients of one mail. */
export const MOST_RECIPIENTS = 20;

/** Line breaks would start another header, and other control characters have no place in one (RFC 5322, section 2.2). */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;

export interface AddressFault {
  readonly code: 'required' | 'format' | 'too_many';
  readonly message: string;
}

/** Whether a text could break out of its line in the head of a mail. */
export function breaksHeader(text: string): boolean {
  return CONTROL.test(text);
}

/** One or several addresses, separated by commas or semicolons; each once. Or what is wrong with them. */
export function recipientsIn(text: string): readonly string[] | AddressFault {
  if (breaksHeader(text)) return { code: 'format', message: 'cannot contain line breaks or control characters' };
  const named = text.split(/[,;]/).map((address) => address.trim());
  const addresses = [...new Map(named.filter(Boolean).map((address) => [address.toLowerCase(), address])).values()];
  if (addresses.length === 0) return { code: 'required', message: 'must name an address' };
  const wrong = addresses.find((address) => !isEmail(address));
  if (wrong !== undefined) return { code: 'format', message: `"${wrong}" is not an e-mail address` };
  if (addresses.length > MOST_RECIPIENTS) {
    return { code: 'too_many', message: `must name at most ${MOST_RECIPIENTS} addresses` };
  }
  return addresses;
}
