/** The result of a benchmark, against its limit. */
export interface Check {
  readonly name: string;
  readonly measured: string;
  readonly limit: string;
  readonly passed: boolean;
  /** Figures for comparison with another run. */
  readonly figures?: Readonly<Record<string, number>>;
}

/** Prints one line. */
export function report({ name, measured, limit, passed }: Check): void {
  console.log(`${passed ? 'PASS' : 'FAIL'}  ${name}: ${measured}, limit ${limit}`);
}

/** Returns the median. */
export function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] as number;
}

/** Returns a percentile. @param sorted values in ascending order */
export function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] as number;
}
