import { type Absent, spanLength } from '../../domain/records/people/spans.ts';

/** An absence; its days are its dates unless something else is said. */
export function absence(from: string, to: string, days?: Absent['days']): Absent {
  return { from, to, days: days ?? `${spanLength({ from, to })}` };
}
