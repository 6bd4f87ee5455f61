/** Models 115 and 180: income tax withheld from rents of urban property, of a quarter or month and of a year. */
import { type Decimal, sum } from '../../money.ts';
import { Boxes, type BoxValues, type Overrides } from './boxes.ts';

/** A property that the company rents. */
export interface RentedPlace {
  readonly id: string;
  readonly name: string;
  readonly cadastralReference: string | null;
  /** Type of way, by the codes of the INE. */
  readonly streetType: string;
  readonly street: string;
  readonly number: number | null;
  readonly stairs: string | null;
  readonly floor: string | null;
  readonly door: string | null;
  readonly details: string | null;
  readonly municipality: string;
  /** By the INE. */
  readonly municipalityCode: string | null;
  readonly zipCode: string;
}

/** Rents of one landlord for one property, at one percentage. */
export interface Rent {
  /** null if no line of the entry names somebody. */
  readonly partnerId: string | null;
  readonly name: string | null;
  readonly nif: string | null;
  readonly country: string | null;
  /** First two digits of the landlord's Spanish postal code; null if it is not known. */
  readonly province: string | null;
  /** null if it is not known. */
  readonly property: RentedPlace | null;
  readonly rate: Decimal;
  readonly base: Decimal;
  readonly withheld: Decimal;
}

export const BOXES_115 = ['01', '02', '03', '04', '05'];
export const STATABLE_115: ReadonlySet<string> = new Set(['01', '02', '03', '04']);
export const BOXES_180 = ['01', '02', '03'];
/** Boxes that contain a number of people. */
export const COUNTS_115: ReadonlySet<string> = new Set(['01']);

/** Computes the boxes of 115: landlords, rents, tax withheld, results of earlier returns of the period, and the result. */
export function model115(rents: readonly Rent[], overrides: Overrides = {}): BoxValues {
  const boxes = filled(rents);
  boxes.override(overrides);
  boxes.set('05', boxes.get('03').minus(boxes.get('04')));
  return boxes.values(BOXES_115);
}

/** Computes the boxes of 180: landlords, rents, tax withheld. */
export function model180(rents: readonly Rent[]): BoxValues {
  return filled(rents).values(BOXES_180);
}

function filled(rents: readonly Rent[]): Boxes {
  const boxes = new Boxes();
  boxes.set('01', new Set(rents.map(({ partnerId }) => partnerId)).size);
  boxes.set('02', sum(rents.map(({ base }) => base)));
  boxes.set('03', sum(rents.map(({ withheld }) => withheld)));
  return boxes;
}
