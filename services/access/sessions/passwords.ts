/**
 * Hashes passwords with argon2id at OWASP's minimum: 19 MiB, two passes, one lane. Hashing is expensive on purpose, so each process limits
 * concurrent hashes, to one per caller: logins must not exhaust the CPU, or the threads that files and DNS need.
 */
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { FairQueue } from '../../../db/fair-queue.ts';
import { normalizePassword, passwordFault } from '../../../domain/access/accounts/password.ts';
import { invalidMember, ServiceError } from '../../../domain/errors.ts';

const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };

/** Hash of a random unknown text, made with PARAMETERS: compared when there is no account. */
const UNKNOWN_PASSWORD =
  '$argon2id$v=19$m=19456,t=2,p=1$oGLKrj1plpNDr6n9KbZ5dA$oJMqRYXbzR0dHLdo9iBsk5y2m4lpzBhJgi84nksa1bQ';

let queue = hashingQueue(1);

/** Grants all processes together half of the cores, and each at most half of its thread pool. */
function hashingQueue(processes: number): FairQueue {
  return new FairQueue({
    places: Math.min(2, Math.max(1, Math.floor(availableParallelism() / 2 / processes))),
    placesPerCaller: 1,
    waiting: 512,
    waitingPerCaller: 128,
    refusal: () =>
      new ServiceError('too_many_requests', 'Too many passwords are being checked; try again', { retryAfter: 1 }),
  });
}

/** Sets the number of processes that hash passwords on this machine. Call it before the first hash. */
export function sharePasswordWork(processes: number): void {
  queue = hashingQueue(processes);
}

/** Checks a password against the stored hash; without one it fails after the same work. */
export type PasswordCheck = (stored: string | null, password: string) => Promise<boolean>;

/** Checks the rules for new passwords. @throws ServiceError validation_failed at `pointer` */
export function checkNewPassword(password: string, pointer: string): void {
  const fault = passwordFault(password);
  if (fault !== null) throw invalidMember(pointer, fault.code, fault.message);
}

/**
 * Hashes a password that has been checked.
 * @param who the caller whose turns are counted: a company, an address
 * @throws ServiceError too_many_requests
 */
export function hashPassword(password: string, who: string): Promise<string> {
  return queue.run(() => hash(normalizePassword(password), PARAMETERS), who);
}

/**
 * Runs a password check. Attempts of one caller run one after the other, so that each sees the counters updated by the previous ones.
 * @param who the caller whose turns are counted
 * @throws ServiceError too_many_requests
 */
export function checkInTurn<T>(who: string, attempt: (fits: PasswordCheck) => Promise<T>): Promise<T> {
  return queue.run(
    () =>
      attempt(async (stored, password) => {
        const fits = await verify(stored ?? UNKNOWN_PASSWORD, normalizePassword(password));
        return fits && stored !== null;
      }),
    who,
  );
}
