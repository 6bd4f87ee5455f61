/** Tells of a run: its requests, and for how long none succeeded after each kind of fault. */
import { median } from '../report.ts';
import type { Trace } from './clients.ts';
import type { Fault } from './faults.ts';
import type { ChaosReceiver } from './receiver.ts';

/** The longest time without an answer after a fault belongs to it, if it begins within this time. */
const AFTER_MS = 4000;

/** Milliseconds without a successful request after each fault, by part and kind. @param answered in the order of time */
export function recoveries(faults: readonly Fault[], answered: readonly number[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const { part, kind, at } of faults) {
    let longest = 0;
    let last = at;
    for (const time of answered) {
      if (time < at) continue;
      longest = Math.max(longest, time - last);
      last = time;
      if (time > at + AFTER_MS) break;
    }
    const name = `${part} ${kind}`;
    found.set(name, [...(found.get(name) ?? []), longest]);
  }
  return found;
}

export function describeRun(run: {
  readonly minutes: number;
  readonly seed: number;
  readonly trace: Trace;
  readonly receiver: ChaosReceiver;
  readonly recoveries: ReadonlyMap<string, readonly number[]>;
}): string {
  const { trace, receiver, minutes, seed } = run;
  const failed = [...trace.failed].map(([why, count]) => `${count} ${why}`).join(', ') || 'none';
  const deliveries = [...receiver.events.values()];
  const twice = deliveries.reduce((sum, ids) => sum + ids.length - 1, 0);
  return [
    `${minutes} minutes with seed ${seed}: ${trace.requests} requests, of which failed and were repeated: ${failed}.`,
    `${trace.posted.size} invoices posted, ${trace.paid.size} paid, ${trace.printed} printed.`,
    `${deliveries.length} delivered, ${twice} of them again.`,
    'Longest time without a successful request after a fault (median, most):',
    ...[...run.recoveries]
      .sort()
      .map(
        ([name, times]) =>
          `  ${name} ${times.length} ×: ${median(times).toFixed(0)} ms, ${Math.max(...times).toFixed(0)} ms`,
      ),
  ].join('\n');
}
