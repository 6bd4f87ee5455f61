/** Lines of an open order that were partly delivered or invoiced: only their quantity can change, and not below what was taken. */
import type { Db } from '../../../../db/database.ts';
import { query } from '../../../../db/sql.ts';
import { type ErrorCode, type FieldError, ServiceError } from '../../../../domain/errors.ts';
import { type Decimal, decimal } from '../../../../domain/money.ts';
import { takenQuantity } from '../../../../domain/trade/documents/progress.ts';
import type { LineRow } from '../../documents/stored.ts';

const FIXED = [
  'itemId',
  'description',
  'price',
  'priceWithTax',
  'discountPercent',
  'secondDiscountPercent',
  'taxGroupId',
  'warehouseId',
  'uomId',
  'vatRegime',
  'vatUse',
  'withholdingRate',
  'deductiblePercent',
  'accountId',
  'projectId',
  'costCenterId',
] as const;

/** @throws ServiceError invalid_transition with a pointer to each fault */
export function assertTakenKept(before: readonly LineRow[], after: readonly LineRow[]): void {
  const places = new Map(after.map((line, index) => [line.id, { line, pointer: `/lines/${index}` }]));
  const errors = before.flatMap((old): FieldError[] => {
    const taken = takenQuantity('order', old);
    if (decimal(taken).eq(0)) return [];
    const found = places.get(old.id);
    const what = `of line ${old.lineNumber} ${taken} is already delivered or invoiced`;
    if (!found)
      return [fault('invalid_transition', '/lines', `${what}; name the line by its id, with at least that quantity`)];
    const { line, pointer } = found;
    const fixed = FIXED.filter((member) => differs(old[member], line[member]));
    const less = decimal(line.quantity).lt(taken);
    return [
      ...(less ? [fault('invalid_transition', `${pointer}/quantity`, `${what}; it cannot be less`)] : []),
      ...fixed.map((member) =>
        fault('invalid_transition', `${pointer}/${member}`, `${what}; only its quantity can be changed`),
      ),
    ];
  });
  if (errors[0]) throw new ServiceError('invalid_transition', errors[0].message, { errors });
}

/** @throws ServiceError in_use when a removed line is referenced by a cancelled document */
export async function assertNotNamed(trx: Db, before: readonly LineRow[], after: readonly LineRow[]): Promise<void> {
  const kept = new Set(after.map(({ id }) => id));
  const gone = before.filter(({ id }) => !kept.has(id));
  if (gone.length === 0) return;
  const named = await query<{ id: string }>(
    trx,
    'select distinct base_line_id as id from document_lines where base_line_id = any(:gone::uuid[])',
    { gone: gone.map(({ id }) => id) },
  );
  const errors = gone
    .filter(({ id }) => named.some((line) => line.id === id))
    .map(({ lineNumber }) =>
      fault('in_use', '/lines', `line ${lineNumber} cannot be removed because a cancelled document refers to it`),
    );
  if (errors[0]) throw new ServiceError('in_use', errors[0].message, { errors });
}

function fault(code: ErrorCode, pointer: string, message: string): FieldError {
  return { pointer, code, message };
}

function differs(before: string | null, after: string | null): boolean {
  if (before === null || after === null) return before !== after;
  return before !== after && !(isNumber(before) && isNumber(after) && decimal(before).eq(after));
}

function isNumber(text: string): text is Decimal {
  return /^-?\d+(\.\d+)?$/.test(text);
}
