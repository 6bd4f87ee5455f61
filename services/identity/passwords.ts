/** Passwords, hashed with argon2id at OWASP's floor: 19 MiB, two passes, one lane. */
import { hash, verify } from '@node-rs/argon2';
import { invalidMember } from '../../domain/errors.ts';
import { normalizePassword, passwordFault } from '../../domain/identity/password.ts';

const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };

/** The hash of a random text that nobody knows, made with PARAMETERS: what is compared when there is no account. */
const NOBODY = '$argon2id$v=19$m=19456,t=2,p=1$oGLKrj1plpNDr6n9KbZ5dA$oJMqRYXbzR0dHLdo9iBsk5y2m4lpzBhJgi84nksa1bQ';

/** @throws ServiceError validation_failed at `pointer` when the password breaks the rules */
export function checkNewPassword(password: string, pointer: string): void {
  const fault = passwordFault(password);
  if (fault !== null) throw invalidMember(pointer, fault.code, fault.message);
}

/** The hash to store. The password has been checked. */
export function hashPassword(password: string): Promise<string> {
  return hash(normalizePassword(password), PARAMETERS);
}

/** Whether a password fits; without a stored hash the answer is no, after the same work. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const fits = await verify(stored ?? NOBODY, normalizePassword(password));
  return fits && stored !== null;
}
