/** Checks custom values on write, with the definitions locked until the transaction ends. */
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { type FieldError, validationFailed } from '../../../domain/errors.ts';
import type { CustomFieldTable, CustomValues } from '../../../domain/records/custom-fields.ts';
import { loadActiveFields, lockActiveFields } from './definitions.ts';
import { checkRow, splitCustom } from './rows.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * Checks the custom values of a new record.
 * @param given the body's custom members
 * @throws ServiceError validation_failed
 */
export async function newCustomValues(
  trx: Db,
  ctx: Context,
  table: CustomFieldTable,
  given: Row,
): Promise<CustomValues> {
  return acceptedValues(checkRow(ctx.tenantId, await lockActiveFields(trx, ctx, table), given, null));
}

/** Checks the custom values of a changed record, whose row must be locked. @throws ServiceError validation_failed */
export async function changedCustomValues(
  trx: Db,
  ctx: Context,
  table: CustomFieldTable,
  given: Row,
  stored: CustomValues,
): Promise<CustomValues> {
  if (Object.keys(given).length === 0) return stored;
  return acceptedValues(checkRow(ctx.tenantId, await lockActiveFields(trx, ctx, table), given, stored));
}

function acceptedValues({ values, faults }: ReturnType<typeof checkRow>): CustomValues {
  if (faults.length > 0) throw validationFailed(faults);
  return values;
}

/** Finds faults in a body's custom members, so that they are reported together with those of its schema. */
export async function customFaults(
  reader: Reader,
  ctx: Context,
  table: CustomFieldTable,
  body: unknown,
  isNew: boolean,
): Promise<readonly FieldError[]> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  return checkRow(
    ctx.tenantId,
    await loadActiveFields(reader, ctx, table),
    splitCustom(body as Row).custom,
    isNew ? null : {},
  ).faults;
}
