/**
 * Passwords, hashed with argon2id at OWASP's floor: 19 MiB, two passes, one lane. That is dear on purpose, so no process does much of it at
 * a time, and nobody more than one after the other: logins must not be a way to use up the CPU, or the threads that files and names need.
 */
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { invalidMember } from '../../domain/errors.ts';
import { normalizePassword, passwordFault } from '../../domain/identity/password.ts';
import { Turns } from './turns.ts';

const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };

/** The hash of a random text that nobody knows, made with PARAMETERS: what is compared when there is no account. */
const NOBODY = '$argon2id$v=19$m=19456,t=2,p=1$oGLKrj1plpNDr6n9KbZ5dA$oJMqRYXbzR0dHLdo9iBsk5y2m4lpzBhJgi84nksa1bQ';

/** Half of the cores, and half of the threads that a process has for such work. */
const turns = new Turns({
  places: Math.min(2, Math.max(1, Math.floor(availableParallelism() / 2))),
  waiting: 512,
  waitingOfOne: 128,
});

/** Whether a password fits; without a stored hash the answer is no, after the same work. */
export type PasswordCheck = (stored: string | null, password: string) => Promise<boolean>;

/** @throws ServiceError validation_failed at `pointer` when the password breaks the rules */
export function checkNewPassword(password: string, pointer: string): void {
  const fault = passwordFault(password);
  if (fault !== null) throw invalidMember(pointer, fault.code, fault.message);
}

/**
 * The hash to store. The password has been checked.
 * @param who whom it is made for, as turns count: a company, an address
 * @throws ServiceError too_many_requests
 */
export function hashPassword(password: string, who: string): Promise<string> {
  return turns.run(who, () => hash(normalizePassword(password), PARAMETERS));
}

/**
 * Runs what checks a password. Attempts of one run one after the other, so that each sees what those before it have counted.
 * @param who who tries, as turns count
 * @throws ServiceError too_many_requests
 */
export function checkingPassword<T>(who: string, attempt: (fits: PasswordCheck) => Promise<T>): Promise<T> {
  return turns.run(who, () =>
    attempt(async (stored, password) => {
      const fits = await verify(stored ?? NOBODY, normalizePassword(password));
      return fits && stored !== null;
    }),
  );
}
