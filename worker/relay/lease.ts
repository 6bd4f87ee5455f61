/** Keeps a batch of events claimed while it is being worked on. */
import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import { type Claim, keepLease } from '../../services/platform/outbox/claim.ts';

/** The part of a lease kept in reserve: nothing is begun that the lease might not outlast. */
const RESERVE = 0.4;
const RENEWED_EACH = 1 / 4;

export interface Lease {
  /** Whether there is time for another event. Without the database the lease expires. */
  isSafe(): boolean;
  /** Stops renewing it. */
  end(): Promise<void>;
}

/** @param claimedAt by `performance.now()`, before the claim */
export function holdLease(
  { database, logger }: { readonly database: Database; readonly logger: Logger },
  claim: Claim,
  eventIds: readonly string[],
  claimedAt: number,
): Lease {
  const { seconds } = claim;
  let leasedAt = claimedAt;
  let renewing: Promise<void> = Promise.resolve();
  const renew = async () => {
    const at = performance.now();
    try {
      await database.withSystem((trx) => keepLease(trx, claim, eventIds));
      leasedAt = at;
    } catch (error) {
      logger.warn({ error: String(error) }, 'The lease on events could not be renewed');
    }
  };
  const timer = setInterval(
    () => {
      renewing = renewing.then(renew);
    },
    seconds * 1000 * RENEWED_EACH,
  );
  return {
    isSafe: () => performance.now() < leasedAt + seconds * 1000 * (1 - RESERVE),
    end: () => {
      clearInterval(timer);
      return renewing;
    },
  };
}
