/** Parses the recipients that a client names. */
import { isEmail } from '../../email.ts';

/** Maximum recipients of one mail. */
export const MAX_RECIPIENTS = 20;

/** Line breaks would start another header, and headers cannot contain other control characters (RFC 5322, section 2.2). */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}]/u;

export interface AddressFault {
  readonly code: 'required' | 'format' | 'too_many';
  readonly message: string;
}

/** Whether a text could break out of its header line. */
export function breaksHeader(text: string): boolean {
  return CONTROL_CHARACTERS.test(text);
}

/** Services at which dots in the name make no difference. */
const DOTLESS = new Set(['gmail.com', 'googlemail.com']);

/** The address in one spelling: mails to `Ana+shop@x.es` and `ana@x.es` reach the same person. */
export function addressKey(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1).toLowerCase();
  const name = address
    .slice(0, at)
    .toLowerCase()
    .replace(/(?<=.)\+.*$/su, '');
  return `${DOTLESS.has(domain) ? name.replaceAll('.', '') : name}@${domain}`;
}

/**
 * Parses one or several addresses, separated by commas or semicolons, and drops duplicates.
 * @returns the addresses, or the fault that makes them unusable
 */
export function parseRecipients(text: string): readonly string[] | AddressFault {
  if (breaksHeader(text)) return { code: 'format', message: 'cannot contain line breaks or control characters' };
  const named = text.split(/[,;]/).map((address) => address.trim());
  const addresses = [...new Map(named.filter(Boolean).map((address) => [address.toLowerCase(), address])).values()];
  if (addresses.length === 0) return { code: 'required', message: 'must name an address' };
  const wrong = addresses.find((address) => !isEmail(address));
  if (wrong !== undefined) return { code: 'format', message: `"${wrong}" is not an e-mail address` };
  if (addresses.length > MAX_RECIPIENTS) {
    return { code: 'too_many', message: `must name at most ${MAX_RECIPIENTS} addresses` };
  }
  return addresses;
}
