/** How the model suites use the time that they have. */

/** Share of a suite's time for its histories; the rest is for setup and the checks at the end. */
const SHARE = 0.8;

/**
 * Ends random histories before mocha does, so that a fault is shown with its history: the search for a shorter one stops in time.
 *
 * @param timeout time limit of the suite in ms
 * @returns parameters for `fc.assert`
 */
export function endsWithin(timeout: number) {
  return { interruptAfterTimeLimit: timeout * SHARE, markInterruptAsFailure: true, includeErrorInReport: true };
}
