/**
 * Boxes of the accounting pages of model 200, the corporate tax return: balance sheet on pages 3 to 6, profit and loss account on 7 and
 * 8. They are those of small companies (initial P of the form), by the headings of the PGC PYMES.
 */
import { type Decimal, decimal } from '../../money.ts';

/** A heading of the annual accounts with its amount. */
export interface Headed {
  readonly code: string;
  readonly name: string;
  readonly amount: Decimal;
  readonly children: readonly Headed[];
}

export interface BoxRow {
  readonly box: string;
  readonly page: number;
  readonly name: string;
  readonly amount: Decimal;
}

/** A heading for which the pages have no box. */
export type Unplaced = Pick<BoxRow, 'name' | 'amount'>;

/** A statement of the annual accounts: boxes by headings, and the pages with their first boxes. */
interface Statement {
  readonly boxes: Readonly<Record<string, string>>;
  readonly pages: readonly (readonly [firstBox: string, page: number])[];
}

const ASSETS: Statement = {
  pages: [
    ['00101', 3],
    ['00149', 4],
  ],
  boxes: {
    ...{
      A: '00101',
      'A.I': '00102',
      'A.II': '00111',
      'A.III': '00115',
      'A.IV': '00118',
      'A.V': '00126',
      'A.VI': '00134',
    },
    ...{
      'A.VII': '00135',
      B: '00136',
      'B.0': '00137',
      'B.I': '00138',
      'B.II': '00149',
      'B.II.1': '00150',
      'B.II.2': '00158',
    },
    ...{ 'B.II.3': '00159', 'B.III': '00160', 'B.IV': '00167', 'B.V': '00176', 'B.VI': '00177', ACTIVO: '00180' },
  },
};

const EQUITY_AND_LIABILITIES: Statement = {
  pages: [
    ['00185', 5],
    ['00228', 6],
  ],
  boxes: {
    ...{ A: '00185', 'A-1': '00186', 'A-1.I': '00187', 'A-1.I.1': '00188', 'A-1.I.2': '00189', 'A-1.II': '00190' },
    ...{ 'A-1.III': '00191', 'A-1.IV': '00194', 'A-1.V': '00195', 'A-1.VI': '00198', 'A-1.VII': '00199' },
    ...{ 'A-1.VIII': '00200', 'A-1.IX': '00201', 'A-2': '00208', 'A-3': '00209', B: '00210', 'B.I': '00211' },
    ...{ 'B.II': '00216', 'B.II.1': '00218', 'B.II.2': '00219', 'B.II.3': '00222', 'B.III': '00223', 'B.IV': '00224' },
    ...{
      'B.V': '00225',
      'B.VI': '00226',
      'B.VII': '00227',
      C: '00228',
      'C.0': '00229',
      'C.I': '00230',
      'C.II': '00231',
    },
    ...{ 'C.II.1': '00233', 'C.II.2': '00234', 'C.II.3': '00237', 'C.III': '00238', 'C.IV': '00239' },
    ...{ 'C.IV.1': '00240', 'C.IV.2': '00249', 'C.V': '00250', 'C.VI': '00251', PASIVO: '00252' },
  },
};

const PROFIT_AND_LOSS: Statement = {
  pages: [
    ['00255', 7],
    ['00297', 8],
  ],
  boxes: {
    ...{
      '1': '00255',
      '2': '00258',
      '3': '00259',
      '4': '00260',
      '5': '00265',
      '6': '00270',
      '7': '00279',
      '8': '00284',
    },
    ...{ '9': '00285', '10': '00286', '11': '00287', '12': '00295', A: '00296', '13': '00297', '14': '00305' },
    ...{
      '15': '00309',
      '16': '00312',
      '17': '00313',
      '18': '00329',
      B: '00324',
      C: '00325',
      '19': '00326',
      D: '00500',
    },
  },
};

export const STATEMENTS_200 = { ASSETS, EQUITY_AND_LIABILITIES, PROFIT_AND_LOSS };

/**
 * Places headings in boxes, in their order.
 * @returns also the headings without box that have an amount of their own, which are in the sums all the same
 */
export function placeInBoxes(
  statement: Statement,
  headings: readonly Headed[],
): { rows: BoxRow[]; unplaced: Unplaced[] } {
  const rows: BoxRow[] = [];
  const unplaced: Unplaced[] = [];
  for (const { code, name, amount, children } of headings) {
    const box = statement.boxes[code];
    const below = placeInBoxes(statement, children);
    rows.push(...below.rows);
    unplaced.push(...below.unplaced);
    if (box !== undefined) rows.push({ box, page: pageWith(statement, box), name, amount });
    else if (children.length === 0 && !decimal(amount).eq(0)) unplaced.push({ name, amount });
  }
  return { rows, unplaced };
}

function pageWith({ pages }: Statement, box: string): number {
  return pages.findLast(([first]) => first <= box)?.[1] as number;
}
