/** Checks document series: once numbers are assigned, their form is fixed. */
import type { Db } from '../../../db/database.ts';
import { findUses } from '../../../db/queries/uses.ts';
import { inUse, invalidMember } from '../../../domain/errors.ts';

type Row = Record<string, unknown>;

const INVOICES = ['SINV', 'PINV'];
const FIXED_BY_NUMBERS = ['prefix', 'suffix', 'firstNumber', 'nextNumber', 'rectifying'] as const;

/** Completes a new series: numbering starts at `nextNumber`, by default at `firstNumber`. @throws ServiceError validation_failed */
export function prepareNewSeries(values: Row): Row {
  const complete = { ...values, nextNumber: values.nextNumber ?? values.firstNumber };
  checkSeries(complete);
  return complete;
}

/** Checks a change of a series. @throws ServiceError in_use once numbers are assigned; validation_failed */
export async function prepareChangedSeries(trx: Db, values: Row, current: Row & { id: string }): Promise<Row> {
  const fixed = FIXED_BY_NUMBERS.find((member) => values[member] !== undefined && values[member] !== current[member]);
  if (fixed !== undefined) {
    const uses = await findUses(trx, 'series', current.id);
    if (uses.length > 0) throw inUse(uses, { refused: `${fixed} cannot be changed`, instead: 'Create a new series' });
  }
  const restarted = values.firstNumber !== undefined && values.nextNumber === undefined;
  const complete = restarted ? { ...values, nextNumber: values.firstNumber } : values;
  checkSeries({ ...current, ...complete });
  return complete;
}

function checkSeries({ docType, rectifying, firstNumber, nextNumber }: Row): void {
  if (rectifying === true && !INVOICES.includes(String(docType))) {
    throw invalidMember('/rectifying', 'invalid_choice', 'is allowed only for series of invoices');
  }
  if (Number(nextNumber) < Number(firstNumber)) {
    throw invalidMember('/nextNumber', 'out_of_range', 'must not be less than firstNumber');
  }
}
