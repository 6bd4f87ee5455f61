/** Rules for new passwords. Length is what counts; there are no rules about kinds of characters. */

/** Minimum length in code points, after normalization. */
export const PASSWORD_MIN = 12;
/** Maximum length: far above any passphrase, but limits the work of hashing. */
export const PASSWORD_MAX = 256;

/** Normalizes a password before hashing and comparing: the same text typed on another keyboard is the same password. */
export function normalizePassword(password: string): string {
  return password.normalize('NFKC');
}

/** Finds the fault of a new password, as code and message of a 422 entry; null if it is acceptable. */
export function passwordFault(password: string): { code: string; message: string } | null {
  const normal = normalizePassword(password);
  const length = [...normal].length;
  if (length < PASSWORD_MIN) return { code: 'too_short', message: `must have at least ${PASSWORD_MIN} characters` };
  if (length > PASSWORD_MAX) return { code: 'too_long', message: `must have at most ${PASSWORD_MAX} characters` };
  return null;
}
