/** Writes the file of model 180 for the tax agency (design of 2014). */
import { type Decimal, decimal, sum } from '../../money.ts';
import type { Design } from './fixed-width.ts';
import {
  COMMON,
  DECLARANT,
  type Declarant,
  declarantValues,
  joinRecords,
  type Missing,
  writeInformative,
} from './informative.ts';
import type { RentedPlace } from './model115.ts';
import { ANNUAL } from './periods.ts';

/** Rents of one property at one percentage. */
export interface Rent180 {
  readonly name: string;
  readonly nif: string;
  /** First two digits of the landlord's postal code. */
  readonly province: string;
  readonly rate: Decimal;
  readonly base: Decimal;
  readonly withheld: Decimal;
  readonly property: RentedPlace;
}

export const DECLARANT_180 = {
  ...DECLARANT,
  records: [136, 9, 'digits'],
  base: [145, 16, 'signed'],
  withheld: [161, 15, 'cents'],
} as const satisfies Design;

export const LANDLORD_180 = {
  ...COMMON,
  nif: [18, 9, 'text'],
  name: [36, 40, 'text'],
  province: [76, 2, 'digits'],
  mode: [78, 1, 'digits'],
  base: [79, 14, 'signed'],
  rate: [93, 4, 'cents'],
  withheld: [97, 13, 'cents'],
  accrualYear: [110, 4, 'digits'],
  situation: [114, 1, 'digits'],
  cadastralReference: [115, 20, 'text'],
  streetType: [135, 5, 'text'],
  street: [140, 50, 'text'],
  numbering: [190, 3, 'text'],
  number: [193, 5, 'digits'],
  stairs: [207, 3, 'text'],
  floor: [210, 3, 'text'],
  door: [213, 3, 'text'],
  details: [216, 40, 'text'],
  town: [256, 30, 'text'],
  municipality: [286, 30, 'text'],
  municipalityCode: [316, 5, 'digits'],
  propertyProvince: [321, 2, 'digits'],
  zipCode: [323, 5, 'digits'],
} as const satisfies Design;

/** Rents that are paid in money. */
const IN_MONEY = 1;
const BASQUE_COUNTRY = ['01', '20', '48'];
const NAVARRE = '31';

/** Writes the file of model 180. @param rents with what the agency demands of each; no tax withheld is below 0 */
export function file180(year: number, declarant: Declarant, rents: readonly Rent180[]): string {
  const first = writeInformative(DECLARANT_180, {
    ...declarantValues(180, { year, period: ANNUAL }, declarant),
    records: rents.length,
    base: sum(rents.map(({ base }) => base)).toFixed(),
    withheld: sum(rents.map(({ withheld }) => withheld)).toFixed(),
  });
  const common = { record: 2, model: 180, year, taxId: declarant.taxId };
  const others = rents.map(({ property, ...rent }) => {
    const { stairs, floor, door, details, municipality, number } = property;
    return writeInformative(LANDLORD_180, {
      ...{ ...common, ...rent, mode: IN_MONEY, accrualYear: 0, province: Number(rent.province) },
      situation: situation(property),
      cadastralReference: property.cadastralReference ?? '',
      streetType: property.streetType,
      street: property.street,
      numbering: number === null ? 'S/N' : 'NUM',
      number: number ?? 0,
      ...{ stairs: stairs ?? '', floor: floor ?? '', door: door ?? '', details: details ?? '' },
      ...{ town: '', municipality },
      municipalityCode: Number(property.municipalityCode ?? 0),
      propertyProvince: Number(property.zipCode.slice(0, 2)),
      zipCode: Number(property.zipCode),
    });
  });
  return joinRecords([first, ...others]);
}

/** Where a property is: 1 under the common rules, 2 in the Basque Country, 3 in Navarre; 4 if it has no cadastral reference. */
function situation({ cadastralReference, zipCode }: RentedPlace): 1 | 2 | 3 | 4 {
  const province = zipCode.slice(0, 2);
  if (cadastralReference === null) return 4;
  if (province === NAVARRE) return 3;
  return BASQUE_COUNTRY.includes(province) ? 2 : 1;
}

/** Whether the record cannot have the tax withheld, because it is below 0. */
export function isNegative180({ withheld }: Pick<Rent180, 'withheld'>): boolean {
  return decimal(withheld).lt(0);
}

interface Known180 {
  readonly partnerId: string | null;
  readonly name: string | null;
  readonly nif: string | null;
  readonly province: string | null;
  readonly property: object | null;
}

/** Lists what is missing of rents, with the path of the record that lacks it. */
export function missing180({ partnerId, name, nif, province, property }: Known180): Missing[] {
  const missing = (record: string | null, member: string) => ({ name: name ?? '', record, member });
  if (partnerId === null) return [missing(null, 'partnerId')];
  const partner = `/api/partners/${partnerId}`;
  return [
    ...(nif === null ? [missing(partner, 'nif')] : []),
    ...(province === null ? [missing(`${partner}/addresses`, 'zipCode')] : []),
    ...(property === null ? [missing(`/api/rented-properties?partnerId=${partnerId}`, 'property')] : []),
  ];
}
