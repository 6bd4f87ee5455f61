/** Reads what models declare that add up the books of a period, and carry nothing over to the next (decision 0347). */
import type { Reader } from '../../../db/database.ts';
import type { BoxValues, Overrides } from '../../../domain/ledger/tax-returns/boxes.ts';
import type { TaxModel } from '../../../domain/ledger/tax-returns/models.ts';
import type { TaxPeriod } from '../../../domain/ledger/tax-returns/periods.ts';
import { type FiledReturn, readOwn } from './filed.ts';

/** People whom a return declares, by the name of their list. */
export type Details = Readonly<Record<string, readonly object[]>>;

/** A model, its boxes, and the people whom it declares, by what the books have. */
export interface Declaration<Found, D extends Details> {
  readonly model: TaxModel;
  /** The box of the amount to pay; null for models by which nothing is paid. */
  readonly result: string | null;
  read(reader: Reader, period: TaxPeriod): Promise<Found>;
  boxes(found: Found, overrides: Overrides): BoxValues;
  /** These are kept at filing. */
  details(found: Found): D;
}

export interface Declared<Found, D extends Details> {
  /** According to the books as they are now. */
  readonly found: Found;
  readonly computed: { readonly boxes: BoxValues; readonly details: D };
  readonly filed: (FiledReturn & { readonly details: D }) | undefined;
}

/** Reads a model of a period, with its return in force. @param overrides of a return to file; else those of the filed one */
export async function readDeclared<Found, D extends Details>(
  reader: Reader,
  { model, read, boxes, details }: Declaration<Found, D>,
  period: TaxPeriod,
  overrides?: Overrides,
): Promise<Declared<Found, D>> {
  const filed = await readOwn<D>(reader, model, period);
  const found = await read(reader, period);
  const computed = { boxes: boxes(found, overrides ?? filed?.overrides ?? {}), details: details(found) };
  return { found, computed, filed };
}
