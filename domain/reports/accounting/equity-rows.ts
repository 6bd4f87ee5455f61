/** The rows of the statement of changes in equity, from one balance to the next. */
import type { Language } from '../../locale/formats.ts';
import { type Decimal, sum } from '../../money.ts';
import type { Texts } from '../engine/texts.ts';

/** Changes of equity in a year. Other changes are the last, as they have what is left. */
export const MOVEMENTS = [
  'adjustments',
  'result',
  'recognised',
  'capital_increase',
  'capital_reduction',
  'other_partners',
  'other',
] as const;
export type Movement = (typeof MOVEMENTS)[number];

/** Rows: balances, changes, and the sum of those that concern partners. */
export const ROW_KINDS = ['end', 'adjusted', 'partners', ...MOVEMENTS] as const;
export type RowKind = (typeof ROW_KINDS)[number];

/** The share of an account in a row. */
export interface EquityAccount {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  /** Code of its column. */
  readonly column: string;
  readonly amount: Decimal;
}

export interface EquityFigures {
  /** One for each column. */
  readonly amounts: readonly Decimal[];
  readonly accounts: readonly EquityAccount[];
}

export interface EquityRow extends EquityFigures {
  /** A, A.I, B, B.I …: the letter of a balance, or of the one before, and the number of the change. */
  readonly code: string;
  readonly name: string;
  /** From 0. */
  readonly level: number;
  /** Indices of the rows that add up to it. */
  readonly parts: readonly number[];
  readonly kind: RowKind;
  /** The year in which it is, or changes: 0 to 2. */
  readonly year: number;
}

const NAMES: Readonly<Record<Exclude<RowKind, 'end' | 'adjusted'>, readonly [string, Texts]>> = {
  adjustments: [
    'I',
    { es: 'Ajustes por cambios de criterio y por errores', en: 'Adjustments for changes in policies and for errors' },
  ],
  result: ['I', { es: 'Resultado de la cuenta de pérdidas y ganancias', en: 'Result of the profit and loss account' }],
  recognised: [
    'II',
    { es: 'Ingresos y gastos reconocidos en patrimonio neto', en: 'Income and expense recognised in equity' },
  ],
  partners: ['III', { es: 'Operaciones con socios o propietarios', en: 'Transactions with partners or owners' }],
  capital_increase: ['III.1', { es: 'Aumentos de capital', en: 'Capital increases' }],
  capital_reduction: ['III.2', { es: '(−) Reducciones de capital', en: '(−) Capital reductions' }],
  other_partners: [
    'III.3',
    { es: 'Otras operaciones con socios o propietarios', en: 'Other transactions with partners or owners' },
  ],
  other: ['IV', { es: 'Otras variaciones del patrimonio neto', en: 'Other changes in equity' }],
};
const OF_PARTNERS = ['capital_increase', 'capital_reduction', 'other_partners'] as const;

interface Statement {
  /** The balances at the end of the year before, and of each of both. */
  readonly ends: readonly EquityFigures[];
  /** The changes of both years. */
  readonly changes: readonly ReadonlyMap<Movement, EquityFigures>[];
  /** Names of the three years. */
  readonly years: readonly string[];
}

/** Lists the rows: a balance, its adjustments, the adjusted balance, the changes of the year, the next balance, and so on. */
export function equityRows({ ends, changes, years }: Statement, language: Language): EquityRow[] {
  const rows: EquityRow[] = [];
  let letter = 'A';
  let parts: number[] = [];
  const add = (row: Omit<EquityRow, 'parts'>, of: readonly number[] = []) => rows.push({ ...row, parts: of }) - 1;
  const change = (kind: keyof typeof NAMES, year: number, figures: EquityFigures, of: readonly number[] = []) => {
    const [number, name] = NAMES[kind];
    const level = number.includes('.') ? 2 : 1;
    return add(
      { code: `${letter}.${number}`, name: `${number}. ${name[language]}`, level, kind, year, ...figures },
      of,
    );
  };
  const balance = (kind: 'end' | 'adjusted', year: number, figures: EquityFigures) => {
    letter = String.fromCharCode('A'.charCodeAt(0) + 2 * year - (kind === 'adjusted' ? 1 : 0));
    const name = `${letter}) ${balanceName(kind, years[year] as string)[language]}`;
    parts = [add({ code: letter, name, level: 0, kind, year, ...figures }, parts)];
  };
  for (const [year, end] of ends.entries()) {
    const own = changes[year - 1];
    if (own !== undefined) {
      const figures = (movement: Movement) => own.get(movement) as EquityFigures;
      const before = ends[year - 1] as EquityFigures;
      parts.push(change('adjustments', year, figures('adjustments')));
      balance('adjusted', year, { amounts: total([before, figures('adjustments')]), accounts: [] });
      parts.push(change('result', year, figures('result')), change('recognised', year, figures('recognised')));
      const at = rows.length;
      const ofPartners = OF_PARTNERS.map((_, index) => at + 1 + index);
      parts.push(change('partners', year, { amounts: total(OF_PARTNERS.map(figures)), accounts: [] }, ofPartners));
      for (const movement of OF_PARTNERS) change(movement, year, figures(movement));
      parts.push(change('other', year, figures('other')));
    }
    balance('end', year, end);
  }
  return rows;
}

function balanceName(kind: 'end' | 'adjusted', year: string): Texts {
  return kind === 'end'
    ? { es: `Saldo, final del año ${year}`, en: `Balance at the end of ${year}` }
    : { es: `Saldo ajustado, inicio del año ${year}`, en: `Adjusted balance at the beginning of ${year}` };
}

/** Sums figures column by column. */
function total(figures: readonly EquityFigures[]): Decimal[] {
  const [first] = figures;
  return (first?.amounts ?? []).map((_, column) =>
    sum(figures.map(({ amounts }) => amounts[column] as Decimal)).toFixed(),
  );
}
