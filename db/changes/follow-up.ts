/** Steps that run after a change's rows are written because they depend on them, such as recomputing values from a movement. */
import type { Context } from '../context.ts';
import type { Db } from '../database.ts';

/** A kind of step, declared once. Its input is data, so that a change can be described before it is written. */
export interface FollowUp<Input extends object> {
  /** Names the step in descriptions, for example "recompute stock values". */
  readonly name: string;
  /** Whether it may travel with the statement that writes the rows: it needs them written, but none of that statement's results. */
  readonly together: boolean;
  readonly run: (trx: Db, ctx: Context, input: Input) => Promise<void>;
}

/** Declares a step. */
export function followUp<Input extends object>(
  name: string,
  run: FollowUp<Input>['run'],
  { together = false } = {},
): FollowUp<Input> {
  return { name, together, run };
}

/** A step with its input, as a change holds it. */
export interface Step {
  readonly name: string;
  readonly together: boolean;
  readonly input: object;
  readonly run: (trx: Db, ctx: Context) => Promise<void>;
}

/** Binds a step to its input. */
export function stepOn<Input extends object>({ name, together, run }: FollowUp<Input>, input: Input): Step {
  return { name, together, input, run: (trx, ctx) => run(trx, ctx, input) };
}
