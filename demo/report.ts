/** Output of the demo: progress while it works, and a table at the end. */

/** Formats a table with aligned columns, numbers to the right. */
export function table(rows: readonly (readonly (string | number)[])[]): string {
  const cells = rows.map((row) => row.map(String));
  const widths: number[] = [];
  for (const row of cells) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    });
  }
  return cells
    .map((row, index) =>
      row
        .map((cell, column) => {
          const width = widths[column] ?? 0;
          const number = index > 0 && /^-?[\d.,]+ ?%?$/.test(cell);
          return number ? cell.padStart(width) : cell.padEnd(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Reports progress: in place on a terminal, elsewhere a line for each quarter. */
export class Progress {
  readonly #label: string;
  readonly #total: number;
  readonly #print: (text: string) => void;
  readonly #inPlace: boolean;
  #done = 0;

  constructor(label: string, total: number, output: Output) {
    this.#label = label;
    this.#total = total;
    this.#print = output.write;
    this.#inPlace = output.terminal;
  }

  step(): void {
    this.#done++;
    const last = this.#done === this.#total;
    if (this.#inPlace) this.#print(`\r  ${this.#label}: ${this.#done} of ${this.#total}${last ? '\n' : ''}`);
    else if (last || this.#done % Math.ceil(this.#total / 4) === 0) {
      this.#print(`  ${this.#label}: ${this.#done} of ${this.#total}\n`);
    }
  }
}

export interface Output {
  readonly write: (text: string) => void;
  readonly terminal: boolean;
}
