/**
 * The rows of printed tables as HTML. A report has tens of thousands of cells: a template that asks of each what it is takes longer than
 * reading them.
 */

export interface Cell {
  readonly text: string;
  readonly numeric: boolean;
  /** Whether it stays on one line. */
  readonly whole: boolean;
  /** Millimetres; 0 for the usual. */
  readonly indent: number;
}

export interface Row {
  readonly cells: readonly Cell[];
  /** The class that its style has, if any. */
  readonly kind: 'strong' | 'sum' | null;
}

/** A word that may be broken, since its column would take too much of the page. */
const LONG_WORD = /\S{15}/;

/** The rows, with every text escaped. */
export function tableRows(rows: readonly Row[]): string {
  return rows.map(({ cells, kind }) => `<tr${classed(kind)}>${cells.map(cellHtml).join('')}</tr>`).join('\n');
}

function cellHtml({ text, numeric, whole, indent }: Cell): string {
  const style = indent > 0 ? ` style="padding-left: ${indent}mm"` : '';
  return `<td${classed(numeric ? 'number' : whole ? 'whole' : LONG_WORD.test(text) ? 'broken' : null)}${style}>${escaped(text)}</td>`;
}

function classed(name: string | null): string {
  return name === null ? '' : ` class="${name}"`;
}

const SPECIAL = /[&<>"']/;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return SPECIAL.test(text) ? text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string) : text;
}
