/**
 * Has the reads of each company take turns on its share of the connections: long searches and reports of one leave the rest to others,
 * whose reads take milliseconds.
 */
import { ServiceError } from '../domain/errors.ts';

interface Company {
  running: number;
  /** In the order of asking; each is woken when a place is free. */
  readonly waiting: Set<() => void>;
}

/** Longer than this nobody waits for a place. */
const PATIENCE_MS = 10_000;

export class ReadTurns {
  readonly #share: number;
  readonly #patienceMs: number;
  readonly #companies = new Map<string, Company>();

  /** @param share how many statements of a company run at a time */
  constructor(share: number, patienceMs = PATIENCE_MS) {
    this.#share = share;
    this.#patienceMs = patienceMs;
  }

  /** Runs `work` when it is its turn. @throws ServiceError too_many_requests when no place becomes free in time */
  async in<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    const company = this.#companies.get(tenantId) ?? { running: 0, waiting: new Set() };
    this.#companies.set(tenantId, company);
    // Who is woken takes over the place of the one before.
    if (company.running < this.#share) company.running += 1;
    else await this.#turn(company);
    try {
      return await work();
    } finally {
      const [next] = company.waiting;
      if (next !== undefined) next();
      else company.running -= 1;
      if (company.running === 0) this.#companies.delete(tenantId);
    }
  }

  #turn({ waiting }: Company): Promise<void> {
    return new Promise((resolve, reject) => {
      const come = () => {
        clearTimeout(timer);
        waiting.delete(come);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(come);
        reject(
          new ServiceError(
            'too_many_requests',
            'Too much of this company is being read at once; try again in a moment',
            {
              retryAfter: 5,
            },
          ),
        );
      }, this.#patienceMs);
      waiting.add(come);
    });
  }
}
