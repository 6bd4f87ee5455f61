/** The boxes of model 390: bases and quotas by rate. */

export type Pair = readonly [base: string, quota: string];
/** Boxes by rate. */
export type Rates = Readonly<Record<string, Pair>>;

/** Boxes of output tax, by operation. */
export const OUTPUT_390 = {
  sales: {
    '0': ['700', '701'],
    '2': ['667', '668'],
    '4': ['01', '02'],
    '5': ['702', '703'],
    '7.5': ['669', '670'],
    '10': ['03', '04'],
    '21': ['05', '06'],
  },
  /** Under the margin scheme. */
  margin: {
    '0': ['712', '713'],
    '2': ['679', '680'],
    '4': ['07', '08'],
    '5': ['714', '715'],
    '7.5': ['681', '682'],
    '10': ['09', '10'],
    '21': ['11', '12'],
  },
  intraEuGoods: {
    '2': ['683', '684'],
    '4': ['21', '22'],
    '5': ['718', '719'],
    '7.5': ['685', '686'],
    '10': ['23', '24'],
    '21': ['25', '26'],
  },
  intraEuServices: {
    '2': ['687', '688'],
    '4': ['545', '546'],
    '5': ['722', '723'],
    '7.5': ['689', '690'],
    '10': ['547', '548'],
    '21': ['551', '552'],
  },
} as const satisfies Record<string, Rates>;

export const SURCHARGES_390: Rates = {
  '0': ['663', '664'],
  '0.26': ['691', '692'],
  '0.5': ['35', '36'],
  '0.62': ['665', '666'],
  '1': ['693', '694'],
  '1.4': ['599', '600'],
  '5.2': ['601', '602'],
  '1.75': ['41', '42'],
};

const INPUT_RATES = ['2', '4', '5', '7.5', '10', '21'] as const;

function group(byRate: string, total: string): { readonly rates: Rates; readonly total: Pair } {
  const pair = (text: string) => text.split('/') as unknown as Pair;
  const pairs = byRate.split(' ').map(pair);
  return {
    rates: Object.fromEntries(INPUT_RATES.map((rate, index) => [rate, pairs[index] as Pair])),
    total: pair(total),
  };
}

/** Boxes of deducted tax, by kind of purchase: by rate, and for the group's total. */
export const INPUT_390 = {
  current: group('695/696 190/191 724/725 697/698 603/604 605/606', '48/49'),
  investment: group('749/750 196/197 728/729 751/752 611/612 613/614', '50/51'),
  imports: group('757/758 202/203 732/733 759/760 619/620 621/622', '52/53'),
  importedInvestment: group('761/762 208/209 734/735 763/764 623/624 625/626', '54/55'),
  intraEuGoods: group('765/766 214/215 736/737 767/768 627/628 629/630', '56/57'),
  intraEuInvestment: group('769/770 220/221 738/739 771/772 631/632 633/634', '58/59'),
  intraEuServices: group('773/774 587/588 740/741 775/776 635/636 637/638', '597/598'),
} as const;
export type InputGroup = keyof typeof INPUT_390;

export const boxPairs = (rates: Rates): Pair[] => Object.values(rates);
export const OUTPUT_PAIRS: Pair[] = [
  ...Object.values(OUTPUT_390).flatMap(boxPairs),
  ['27', '28'],
  ['29', '30'],
  ['31', '32'],
];
export const SURCHARGE_PAIRS: Pair[] = [...boxPairs(SURCHARGES_390), ['43', '44'], ['45', '46']];
export const INPUT_GROUPS = Object.values(INPUT_390);
export const VOLUME = [
  '99',
  '653',
  '103',
  '104',
  '105',
  '110',
  '125',
  '126',
  '127',
  '128',
  '100',
  '101',
  '102',
  '227',
  '228',
];
export const LESS = ['106', '107'];

const STATED = [
  ...['60', '61', '63', '660', '661', '83', '658', '659', '96', '524', '100', '101', '106', '107', '126', '127', '128'],
  ...['228', '653', '109', '111', '113', '231', '523', '654', '655', '656', '657', '513', '521', '652'],
];
const FOUND = [
  ...[...OUTPUT_PAIRS, ...SURCHARGE_PAIRS, ...INPUT_GROUPS.flatMap(({ rates }) => boxPairs(rates))].flat(),
  ...['639', '62', '522', '85', '95', '97', '98', '662'],
  ...['99', '102', '103', '104', '105', '110', '125', '227', '230', '232'],
];
const DERIVED = ['33', '34', '47', ...INPUT_GROUPS.flatMap(({ total }) => total), '64', '65', '84', '86', '108'];

export const BOXES_390 = [...new Set([...FOUND, ...STATED, ...DERIVED])];
export const STATABLE_390: ReadonlySet<string> = new Set([...FOUND, ...STATED]);
