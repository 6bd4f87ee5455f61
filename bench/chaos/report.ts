/** Tells of a run: its requests, and for how long none succeeded after each kind of fault. */
import { median, percentile } from '../report.ts';
import type { Fault } from './harm.ts';
import type { Arrivals, Seen } from './losses.ts';

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

function longestGap(answered: readonly number[]): number {
  return answered.reduce((longest, time, nth) => Math.max(longest, time - (answered[nth - 1] ?? time)), 0);
}

export function describeRun(run: {
  readonly minutes: number;
  readonly seed: number;
  readonly trace: Seen['trace'];
  readonly receiver: Seen['receiver'];
  readonly listeners: Seen['listeners'];
  readonly arrivals: Arrivals;
  /** When the run ended, by `performance.now()`. */
  readonly end: number;
  readonly recoveries: ReadonlyMap<string, readonly number[]>;
}): string {
  const { trace, receiver, listeners, arrivals, minutes, seed, end } = run;
  const failed = [...trace.failed].map(([why, count]) => `${count} ${why}`).join(', ') || 'none';
  const deliveries = [...receiver.events.values()];
  const twice = deliveries.reduce((sum, ids) => sum + ids.length - 1, 0);
  const delays = receiver.delays.map(({ ms }) => ms / 1000).sort((one, other) => one - other);
  const late = receiver.delays.filter(({ at }) => at > end).length;
  const seconds = (values: readonly number[], share: number) => `${percentile(values, share).toFixed(1)} s`;
  return [
    `${minutes} minutes with seed ${seed}: ${trace.requests} requests, of which failed and were repeated: ${failed}.`,
    `${trace.posted.size} invoices posted, ${trace.paid.size} paid, ${trace.printed} printed, ${trace.uploaded.size} files.`,
    `${deliveries.length} delivered, ${twice} of them again, ${late} after the end; ` +
      `from the event to the delivery ${seconds(delays, 0.5)} (half), ` +
      `${seconds(delays, 0.95)} (95 %), ${seconds(delays, 1)} (all).`,
    `${arrivals.mails} mails, ${arrivals.mailsAgain} of them again; all was there ${(arrivals.lastMs / 1000).toFixed(0)} s after the end.`,
    `${listeners[0]?.came.length ?? 0} notifications over ${listeners.map(({ connections }) => connections).join(', ')} connections.`,
    `Longest time without a successful request: ${longestGap(trace.answered).toFixed(0)} ms. After each fault (median, most):`,
    ...[...run.recoveries]
      .sort()
      .map(
        ([name, times]) =>
          `  ${name} ${times.length} ×: ${median(times).toFixed(0)} ms, ${Math.max(...times).toFixed(0)} ms`,
      ),
  ].join('\n');
}
