/** Mapping of columns in a bank's table, saved for the bank account until the client changes it (decision 0159). */
import { Type } from 'typebox';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { BankAccount } from '../../../db/models/records/master-data.ts';
import { patchRow } from '../../../db/write.ts';
import { COLUMN_NAMES } from '../../../domain/bank/statements/table-columns.ts';
import type { ColumnMapping } from '../../../domain/bank/statements/table-header.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { label } from '../../platform/validation/schemas.ts';
import { findUnstorableText } from '../../platform/validation/text.ts';
import { valueValidator } from '../../platform/validation/validate.ts';

const title = () => label({ max: 60 });
const titles = (description: string) =>
  Type.Array(title(), { minItems: 1, maxItems: 20, uniqueItems: true, description });

/** Column titles by meaning; several text columns are joined. */
export const StatementColumns = Type.Object(
  {
    ...Object.fromEntries(COLUMN_NAMES.map((name) => [name, Type.Optional(title())])),
    text: Type.Optional(Type.Union([title(), titles('Several columns, joined')])),
    ignore: Type.Optional(titles('Columns that are left out knowingly')),
  },
  { title: 'StatementColumns', additionalProperties: false },
);

type Given = Readonly<Record<string, string | readonly string[]>>;

const findFaults = valueValidator(StatementColumns);

/**
 * Parses the parameter `columns`: a JSON object with column titles by meaning.
 * @throws ServiceError invalid_parameter
 */
export function parseColumns(parameter: string): ColumnMapping {
  const refuse = (why: string) => new ServiceError('invalid_parameter', `columns ${why}`);
  let given: unknown;
  try {
    given = JSON.parse(parameter);
  } catch {
    throw refuse('must be a JSON object such as {"date": "Fecha", "amount": "Importe", "sign": "D/H"}');
  }
  const [fault] = [...findFaults(given), ...[findUnstorableText(given) ?? []].flat()];
  if (fault !== undefined) throw refuse(`${fault.pointer.slice(1) || 'as a whole'} ${fault.message}`);
  const mapping = Object.fromEntries(Object.entries(given as Given).map(([name, named]) => [name, [named].flat()]));
  const all = Object.values(mapping).flat();
  const twice = all.find((one, index) => all.indexOf(one) !== index);
  if (twice !== undefined) throw refuse(`must not name the column ${twice} twice`);
  return mapping;
}

/** Saves the mapping for the accounts; an empty one deletes it. */
export async function saveColumns(
  trx: Db,
  ctx: Context,
  bankAccountIds: readonly string[],
  columns: ColumnMapping,
): Promise<void> {
  const rows = await BankAccount.query(trx)
    .whereIn('id', [...bankAccountIds])
    .orderBy('id')
    .forUpdate();
  const kept = Object.keys(columns).length === 0 ? null : columns;
  for (const row of rows) {
    if (mappingText(row.statementColumns) !== mappingText(kept))
      await patchRow(trx, ctx, BankAccount, row, { statementColumns: kept });
  }
}

/** Canonical text of a mapping, independent of the order of its members. */
export function mappingText(columns: ColumnMapping | null): string {
  return JSON.stringify(Object.entries(columns ?? {}).sort(([one], [other]) => one.localeCompare(other)));
}
