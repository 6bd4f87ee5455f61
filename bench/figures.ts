/** Figures of a run, saved to a file for comparison with later runs on the same machine. */
import { readFileSync, writeFileSync } from 'node:fs';

/** Figures by benchmark and name. */
export type Figures = Record<string, Readonly<Record<string, number>>>;

export function saveFigures(file: string, figures: Figures): void {
  writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`);
}

/** Prints each figure that exists in both, with its change. */
export function compareFigures(file: string, figures: Figures): void {
  const earlier = JSON.parse(readFileSync(file, 'utf8')) as Figures;
  for (const [benchmark, now] of Object.entries(figures)) {
    for (const [name, value] of Object.entries(now)) {
      const before = earlier[benchmark]?.[name];
      if (before === undefined) continue;
      console.log(
        `      ${benchmark} ${name}: ${before.toFixed(2)} → ${value.toFixed(2)} (${(value / before).toFixed(2)} ×)`,
      );
    }
  }
}
