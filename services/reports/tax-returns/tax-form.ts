/** The filled-in form of a tax model in files. */

import { compareBoxes } from '../../../domain/ledger/tax-returns/boxes.ts';
import type { Language } from '../../../domain/locale/formats.ts';
import { formatsFor } from '../../../domain/locale/formats.ts';
import { localDay } from '../../../domain/records/tables/times.ts';
import type { Texts } from '../../../domain/reports/engine/texts.ts';
import { type FormLayout, fillForm } from '../../../domain/reports/tax-returns/forms.ts';
import type { ReportFile, ReportRequest } from '../engine/declaration.ts';

/** Data of a model that its form shows. */
interface Model {
  readonly boxes: Readonly<Record<string, number>>;
  /** Kind of the result, for models that have one. */
  readonly type?: keyof typeof RESULTS;
  readonly filed: { readonly filed_at: string } | null;
  readonly changed?: Readonly<Record<string, number>>;
  readonly changed_rows?: readonly unknown[];
  readonly unmapped?: readonly unknown[];
}

type View = Pick<ReportRequest, 'language' | 'settings'> & { readonly data: Model };

interface Options {
  /** As on the form: 2026 4T. */
  readonly period: string;
  /** Boxes that contain percentages. */
  readonly percents?: ReadonlySet<string>;
  /** Boxes that contain numbers of people. */
  readonly counts?: ReadonlySet<string>;
  readonly shows?: (box: string) => boolean;
  /** Notes in addition to its boxes. */
  readonly notes?: readonly string[];
}

const RESULTS = {
  I: { es: 'Resultado a ingresar', en: 'Result: to pay' },
  C: { es: 'Resultado a compensar', en: 'Result: to compensate' },
  D: { es: 'Resultado a devolver', en: 'Result: to be refunded' },
  B: { es: 'Resultado a deducir', en: 'Result: to deduct in later quarters' },
  N: { es: 'Resultado cero o sin actividad', en: 'Result: nothing' },
} as const;

const NOT_FILED: Texts = { es: 'Según los libros, sin presentar', en: 'As the books have it, not filed' };
const FILED: Texts = { es: 'Presentado el', en: 'Filed on' };
const CHANGED: Texts = {
  es: 'Los libros han cambiado desde entonces en las casillas',
  en: 'Since then the books have changed in the boxes',
};
const CHANGED_ROWS: Texts = {
  es: 'Filas que los libros tienen de otro modo desde entonces',
  en: 'Rows that the books have otherwise since then',
};
const UNMAPPED: Texts = {
  es: 'Hay impuestos a tipos sin casilla en el modelo, que no están en ninguna suma',
  en: 'There are taxes at rates for which the form has no box; they are in none of the sums',
};

/** Builds the form of a model. */
export function formFile(layout: FormLayout, view: View, options: Options): ReportFile {
  const { data, language, settings } = view;
  const { period, percents = new Set(), counts = new Set(), shows = () => true, notes = [] } = options;
  const shown = Object.entries(data.boxes).filter(([box]) => shows(box));
  const values = Object.fromEntries(shown.map(([box, value]) => [box, `${value}` as `${number}`]));
  const form = fillForm(layout, { values, percents, counts, language, money: Number });
  const { name, taxId } = settings.company;
  const title = [form.title, name, taxId, period].filter((part) => part !== '').join(' · ');
  return { tables: [], forms: [{ ...form, title, notes: [...formNotes(view), ...notes] }] };
}

/** Lists notes on the result, on the filing, and on facts that no box shows. */
function formNotes({
  data: { type, filed, changed = {}, changed_rows = [], unmapped = [] },
  language,
  settings: { format },
}: View): string[] {
  const { day } = formatsFor(format, null);
  const state =
    filed === null
      ? NOT_FILED[language]
      : `${FILED[language]} ${day(localDay(new Date(filed.filed_at), format.timezone))}`;
  const result = type === undefined ? [] : [RESULTS[type][language]];
  // In an object, a name such as 27 comes before 07.
  const boxes = Object.keys(changed).sort(compareBoxes);
  const rows = changed_rows.length === 0 ? [] : [`${CHANGED_ROWS[language]}: ${changed_rows.length}`];
  return [[...result, state].join(' · '), ...warnings(boxes, unmapped.length > 0, language), ...rows];
}

function warnings(changed: readonly string[], isUnmapped: boolean, language: Language): string[] {
  const books = changed.length === 0 ? [] : [`${CHANGED[language]} ${changed.join(', ')}`];
  return isUnmapped ? [...books, UNMAPPED[language]] : books;
}
