/** The boxes of model 425 (form of the Agencia Tributaria Canaria of 2024: Resolución of 18 November 2024). */
import type { RateLine } from './model303.ts';
import { OUTPUT_420 } from './model420.ts';

type Line = readonly [rate: RateLine['rates'][number], boxes: string];

function rateLines(...lines: readonly Line[]): readonly RateLine[] {
  return lines.map(([percent, boxes]) => {
    const [base = '', rate = '', quota = ''] = boxes.split(' ');
    return { rates: [percent], base, rate, quota };
  });
}

/** Lines of tax charged, by scheme; ordinary ones are those of model 420, and those of 5 % `bis` on the form. */
export const OUTPUT_425 = {
  ordinary: OUTPUT_420,
  usedGoods: rateLines(
    ['0', '19 20 21'],
    ['3', '22 23 24'],
    ['7', '25 26 27'],
    ['9.5', '28 29 30'],
    ['15', '31 32 33'],
  ),
  art: rateLines(['0', '34 35 36'], ['3', '37 38 39'], ['7', '40 41 42'], ['9.5', '43 44 45'], ['15', '46 47 48']),
  cashBasis: rateLines(
    ['0', '49 50 51'],
    ['3', '52 53 54'],
    ['5', '64b 65b 66b'],
    ['7', '55 56 57'],
    ['9.5', '58 59 60'],
    ['15', '61 62 63'],
    ['20', '64 65 66'],
  ),
  travel: rateLines(['7', '67 68 69']),
} as const;

export const LINES_425: readonly RateLine[] = Object.values(OUTPUT_425).flat();

/** Boxes that contain percentages. */
export const PERCENTS_425: ReadonlySet<string> = new Set(LINES_425.map(({ rate }) => rate));

/** Boxes of the year that have what those of model 420 have of a quarter, from the taxes of the books. */
export const LIKE_420: Readonly<Record<string, string>> = {
  ...{ '19': '75', '20': '76', '21': '70', '22': '71' },
  ...{ '26': '80', '27': '81', '28': '82', '29': '83', '30': '84', '31': '85' },
  ...{ '32': '86', '33': '87', '34': '88', '35': '89', '36': '90', '37': '91', '39': '93' },
  ...{ '46': '122', '47': '128', '48': '138', '49': '139', '50': '140', '51': '141' },
};

/** Boxes of the year that add up what the returns of its quarters state. */
export const FROM_RETURNS_425: Readonly<Record<string, string>> = { '77': '23', '78': '24', '92': '38', '112': '42' };

export const INPUT_QUOTAS_425 = ['81', '83', '85', '87', '89', '90', '91', '92', '93'];

/** Turnover (box 134), and what is not part of it: 132 and 133 (Ley 20/1991, art. 51). */
export const VOLUME_425 = ['120', '121', '122', '123', '124', '125', '126', '128', '129', '130', '131'];
export const LESS_425 = ['132', '133'];

/** Boxes that the ledger and the returns do not know. */
const STATED = ['72', '73', '117', '123', '124', '125', '129', '130', '131', '132', '133', '135', '137'];
const FOUND = [
  ...LINES_425.flatMap(({ base, quota }) => [base, quota]),
  ...Object.values(LIKE_420),
  ...Object.keys(FROM_RETURNS_425),
  ...['114', '116', '118', '119', '120', '121', '126', '136'],
];
const DERIVED = ['74', '79', '94', '95', '113', '115', '134'];

/** All boxes but those of the simplified scheme and of small entrepreneurs, and those that a person may state. */
export const BOXES_425 = [...FOUND, ...STATED, ...DERIVED, ...PERCENTS_425];
export const STATABLE_425: ReadonlySet<string> = new Set([...FOUND, ...STATED]);
