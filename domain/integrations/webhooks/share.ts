/** Limits on the capacity that one endpoint may use. */

export interface Share {
  /** Concurrent exchanges. */
  readonly max_in_flight: number;
  /** Exchanges started per second. */
  readonly rate_per_second: number;
}

export const DEFAULT_SHARE: Share = { max_in_flight: 10, rate_per_second: 100 };
export const MAX_SHARE: Share = { max_in_flight: 100, rate_per_second: 1000 };
