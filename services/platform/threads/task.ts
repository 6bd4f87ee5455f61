/** The exports that a module for threads must have. */

/** Input and clock of a run. A thread writes to the clock when it begins: waiting for it to start does not count. */
export interface Run<Input> {
  readonly input: Input;
  readonly clock: SharedArrayBuffer;
}

/** Makes a function that `runInThread` can run. */
export function threadTask<Input, Output>(work: (input: Input) => Output): (run: Run<Input>) => Output {
  return ({ input, clock }) => {
    new Float64Array(clock)[0] = monotonicMs();
    return work(input);
  };
}

/** Milliseconds of a clock that all threads share, and nobody sets. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}
