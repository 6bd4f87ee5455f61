/**
 * Mocha's usual reporter, which also writes how many cases of each suite passed and failed to the file named by `TEST_COUNTS`.
 */
import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

/** Cases by file of the suite; '' holds those that no file tells of. */
export type Counts = Record<string, { passed: number; failed: number }>;

export default class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const counts: Counts = {};
    const suite = ({ file = '' }: Mocha.Runnable) => {
      counts[file] ??= { passed: 0, failed: 0 };
      return counts[file];
    };
    runner.on('pass', (test) => suite(test).passed++);
    runner.on('fail', (test) => suite(test).failed++);
    runner.once('end', () => {
      if (process.env.TEST_COUNTS !== undefined) writeFileSync(process.env.TEST_COUNTS, JSON.stringify(counts));
    });
  }
}
