/** Writes the files of models 347 and 349 for the tax agency: a record of the company, and one for each that it declares. */
import { type Decimal, sum } from '../../money.ts';
import type { Design } from './fixed-width.ts';
import {
  COMMON,
  DECLARANT,
  type Declarant,
  declarantValues,
  joinRecords,
  writeInformative as write,
} from './informative.ts';
import { type Record347, yearTotal } from './model347.ts';
import type { Correction349, Declared349 } from './model349.ts';
import { ANNUAL, type TaxPeriod } from './periods.ts';

const DECLARANT_347 = {
  ...DECLARANT,
  records: [136, 9, 'digits'],
  total: [145, 16, 'signed'],
  properties: [161, 9, 'digits'],
  rents: [170, 16, 'signed'],
} as const satisfies Design;

const DECLARED_347 = {
  ...COMMON,
  nif: [18, 9, 'text'],
  name: [36, 40, 'text'],
  sheet: [76, 1, 'text'],
  province: [77, 2, 'digits'],
  country: [79, 2, 'text'],
  key: [82, 1, 'text'],
  total: [83, 16, 'signed'],
  cash: [101, 15, 'cents'],
  property: [116, 16, 'signed'],
  cashYear: [132, 4, 'digits'],
  q1: [136, 16, 'signed'],
  property1: [152, 16, 'signed'],
  q2: [168, 16, 'signed'],
  property2: [184, 16, 'signed'],
  q3: [200, 16, 'signed'],
  property3: [216, 16, 'signed'],
  q4: [232, 16, 'signed'],
  property4: [248, 16, 'signed'],
  vatNumber: [264, 17, 'text'],
  reverse: [282, 1, 'text'],
  cashBasis: [284, 16, 'signed'],
} as const satisfies Design;

const DECLARANT_349 = {
  ...DECLARANT,
  period: [136, 2, 'text'],
  records: [138, 9, 'digits'],
  total: [147, 15, 'cents'],
  corrections: [162, 9, 'digits'],
  rectified: [171, 15, 'cents'],
} as const satisfies Design;

const OPERATOR_349 = {
  ...COMMON,
  vatNumber: [76, 17, 'text'],
  name: [93, 40, 'text'],
  key: [133, 1, 'text'],
} as const satisfies Design;

const DECLARED_349 = { ...OPERATOR_349, base: [134, 13, 'cents'] } as const satisfies Design;

const CORRECTION_349 = {
  ...OPERATOR_349,
  correctedYear: [147, 4, 'digits'],
  correctedPeriod: [151, 2, 'text'],
  rectified: [153, 13, 'cents'],
  before: [166, 13, 'cents'],
} as const satisfies Design;

/** Designs by the record that they describe, for those who check them. */
export const DESIGNS_347 = { DECLARANT_347, DECLARED_347, DECLARANT_349, DECLARED_349, CORRECTION_349 };

const SPAIN = 'ES';
/** Code of those who are in no province. */
const ABROAD = '99';

/** Writes the file of model 347. @param records people in Spain have a tax id and a province, as the agency demands */
export function file347(year: number, declarant: Declarant, records: readonly Record347[]): string {
  const common = { record: 2, model: 347, year, taxId: declarant.taxId };
  const property = { property: 0, property1: 0, property2: 0, property3: 0, property4: 0 };
  const first = write(DECLARANT_347, {
    ...declarantValues(347, { year, period: ANNUAL }, declarant),
    records: records.length,
    total: sum(records.map(yearTotal)).toFixed(),
    properties: 0,
    rents: 0,
  });
  const others = records.map((each) => {
    const [q1, q2, q3, q4] = each.quarters;
    const isHere = each.country === SPAIN;
    return write(DECLARED_347, {
      ...{ ...common, ...property, q1, q2, q3, q4, name: each.name, key: each.key, cash: each.cash, sheet: 'D' },
      nif: isHere ? (each.nif ?? '') : '',
      vatNumber: isHere ? '' : (each.nif ?? ''),
      province: isHere ? Number(each.province) : ABROAD,
      country: isHere ? '' : each.country,
      total: yearTotal(each),
      cashYear: each.cash === '0' ? 0 : year,
      reverse: each.isReverse ? 'X' : '',
      cashBasis: 0,
    });
  });
  return joinRecords([first, ...others]);
}

/** Writes the file of model 349. Bases must not be negative. */
export function file349(
  period: TaxPeriod,
  declarant: Declarant,
  declared: readonly Declared349[],
  corrections: readonly Correction349[],
): string {
  const operator = ({ nif, name, key }: Declared349 | Correction349) => ({
    ...{ record: 2, model: 349, year: period.year, taxId: declarant.taxId },
    ...{ vatNumber: nif ?? '', name, key },
  });
  const total = (values: readonly Decimal[]) => sum(values).toFixed();
  const first = write(DECLARANT_349, {
    ...declarantValues(349, period, declarant),
    period: period.period,
    records: declared.length,
    total: total(declared.map(({ base }) => base)),
    corrections: corrections.length,
    rectified: total(corrections.map(({ rectified }) => rectified)),
  });
  const operators = declared.map((each) => write(DECLARED_349, { ...operator(each), base: each.base }));
  const corrected = corrections.map((each) =>
    write(CORRECTION_349, {
      ...operator(each),
      correctedYear: each.period.year,
      correctedPeriod: each.period.period,
      rectified: each.rectified,
      before: each.before,
    }),
  );
  return joinRecords([first, ...operators, ...corrected]);
}
