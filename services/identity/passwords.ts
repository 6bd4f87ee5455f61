/**
 * Passwords, hashed with argon2id at OWASP's minimum: 19 MiB, two passes, one lane. Hashing is expensive on purpose, so each process limits
 * how much runs at a time, and each caller gets one at a time: logins must not exhaust the CPU, or the threads that files and DNS need.
 */
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { invalidMember } from '../../domain/errors.ts';
import { normalizePassword, passwordFault } from '../../domain/identity/password.ts';
import { Turns } from './turns.ts';

const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };

/** The hash of a random text that nobody knows, made with PARAMETERS: compared when there is no account. */
const UNKNOWN_PASSWORD =
  '$argon2id$v=19$m=19456,t=2,p=1$oGLKrj1plpNDr6n9KbZ5dA$oJMqRYXbzR0dHLdo9iBsk5y2m4lpzBhJgi84nksa1bQ';

let turns = turnsOf(1);

/** Half of the cores for all processes together, and half of the process's thread pool. */
function turnsOf(processes: number): Turns {
  const places = Math.min(2, Math.max(1, Math.floor(availableParallelism() / 2 / processes)));
  return new Turns({ places, waiting: 512, waitingOfOne: 128 });
}

/** Says how many processes hash passwords on this machine; before the first is hashed. */
export function sharePasswordWork(processes: number): void {
  turns = turnsOf(processes);
}

/** Whether a password matches; without a stored hash the answer is no, after the same work. */
export type PasswordCheck = (stored: string | null, password: string) => Promise<boolean>;

/** @throws ServiceError validation_failed at `pointer` when the password breaks the rules */
export function checkNewPassword(password: string, pointer: string): void {
  const fault = passwordFault(password);
  if (fault !== null) throw invalidMember(pointer, fault.code, fault.message);
}

/**
 * Hashes a password that has been checked.
 * @param who on whose account turns are counted: a company, an address
 * @throws ServiceError too_many_requests
 */
export function hashPassword(password: string, who: string): Promise<string> {
  return turns.run(who, () => hash(normalizePassword(password), PARAMETERS));
}

/**
 * Runs a password check. Attempts of one caller run one after the other, so that each sees what the ones before it have counted.
 * @param who the caller, as turns count
 * @throws ServiceError too_many_requests
 */
export function inTurn<T>(who: string, attempt: (fits: PasswordCheck) => Promise<T>): Promise<T> {
  return turns.run(who, () =>
    attempt(async (stored, password) => {
      const fits = await verify(stored ?? UNKNOWN_PASSWORD, normalizePassword(password));
      return fits && stored !== null;
    }),
  );
}
