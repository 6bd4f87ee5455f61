/** Mocha's global hooks: the servers of the tests end with the run. */
import { errorMessage } from '../../runtime/errors.ts';
import { findTestTemporalCli, removeAbandonedRuns, stopTestServers } from './servers.ts';

/** Does here what may take minutes the first time on a machine: no test's time limit applies. */
export async function mochaGlobalSetup(): Promise<void> {
  await removeAbandonedRuns();
  try {
    await findTestTemporalCli();
  } catch (error) {
    // Tests that need no Temporal can still run; the others fail with this message of their own.
    process.stderr.write(`${errorMessage(error)}\n`);
  }
}

export async function mochaGlobalTeardown(): Promise<void> {
  await stopTestServers();
}
