/**
 * Renders the rows of printed tables as HTML. A report has tens of thousands of cells, and a template that inspects
 * each of them would take longer than reading the data.
 */

export interface Cell {
  readonly text: string;
  readonly numeric: boolean;
  /** Whether its text must stay on one line. */
  readonly whole: boolean;
  /** Indent in millimetres; 0 for the default. */
  readonly indent: number;
}

export interface Row {
  readonly cells: readonly Cell[];
  /** CSS class of the row, if any. */
  readonly kind: 'strong' | 'sum' | null;
}

/** Words of this length may be broken, since their column would take too much of the page. */
const LONG_WORD = /\S{15}/;

/** Renders the rows, with all texts escaped. */
export function tableRows(rows: readonly Row[]): string {
  return rows.map(({ cells, kind }) => `<tr${classAttribute(kind)}>${cells.map(cellHtml).join('')}</tr>`).join('\n');
}

function cellHtml({ text, numeric, whole, indent }: Cell): string {
  const style = indent > 0 ? ` style="padding-left: ${indent}mm"` : '';
  const kind = numeric ? 'number' : whole ? 'whole' : LONG_WORD.test(text) ? 'broken' : null;
  return `<td${classAttribute(kind)}${style}>${escapeHtml(text)}</td>`;
}

function classAttribute(name: string | null): string {
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

function escapeHtml(text: string): string {
  return SPECIAL.test(text) ? text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string) : text;
}
