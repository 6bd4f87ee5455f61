/** Reports of models that declare what was withheld from each recipient: rents (115 and 180) and capital (123 and 193). */
import { type Missing, withoutRepeats } from '../../../domain/ledger/tax-returns/informative.ts';
import { ANNUAL, periodSpan } from '../../../domain/ledger/tax-returns/periods.ts';
import { type Decimal, sum } from '../../../domain/money.ts';
import { type Declaration, type Details, readDeclared } from '../../ledger/tax-returns/declared.ts';
import type { Days } from '../../ledger/tax-returns/taxes.ts';
import type { ReportRequest } from '../engine/declaration.ts';
import { filedData, listChanges, requestedPeriod, requestedYear } from './tax-model.ts';

type Money = (value: Decimal) => number;

/** An amount withheld from somebody, and what it was withheld from. */
interface Withheld {
  readonly base: Decimal;
  readonly withheld: Decimal;
}

type ToRow<Found, Row> = (found: Found, days: Days, money: Money) => Row;

/** Reads a model by which the tax of a month or quarter is paid, with the rows of the books. */
export async function readPaid<Found extends Withheld, D extends Details, Row>(
  request: Pick<ReportRequest, 'reader' | 'money' | 'params' | 'range'>,
  declaration: Declaration<readonly Found[], D>,
  toRow: ToRow<Found, Row>,
) {
  const { reader, money } = request;
  const period = requestedPeriod(request);
  const days = periodSpan(period);
  const declared = await readDeclared(reader, declaration, period);
  const { found } = declared;
  const data = filedData(declared, { money });
  const result = data.boxes[declaration.result ?? ''] ?? 0;
  const type = result > 0 ? ('I' as const) : ('N' as const);
  return {
    ...days,
    data: { ...period, type, ...data, rows: found.map((one) => toRow(one, days, money)) },
    summary: { ...sums(found, money), result },
  };
}

/**
 * Reads the summary of a year, with the rows as they were filed, otherwise those of the books.
 * @param detailed the rows that the return keeps
 * @param identify texts that are the same for what is the same row
 * @param lacks what the file for the agency needs of a row, and it does not have
 */
export async function readSummary<Found extends Withheld, D extends Details, Row extends object>(
  request: Pick<ReportRequest<{ readonly year?: number }>, 'reader' | 'money' | 'params' | 'range'>,
  declaration: Declaration<readonly Found[], D>,
  {
    toRow,
    detailed,
    identify,
    lacks,
  }: {
    readonly toRow: ToRow<Found, Row>;
    readonly detailed: (details: D) => readonly Found[];
    readonly identify: (row: Row) => readonly unknown[];
    readonly lacks: (row: Row) => readonly Missing[];
  },
) {
  const { reader, params, range, money } = request;
  const year = requestedYear(params, range);
  const period = { year, period: ANNUAL };
  const days = periodSpan(period);
  const declared = await readDeclared(reader, declaration, period);
  const { found, computed, filed } = declared;
  const kept = detailed((filed ?? computed).details);
  const toRows = (all: readonly Found[]) => all.map((one) => toRow(one, days, money));
  const rows = toRows(kept);
  const changes = listChanges(filed && rows, () => toRows(found), identify);
  return {
    ...days,
    data: {
      year,
      ...filedData(declared, { money }),
      rows,
      changed_rows: changes,
      missing: withoutRepeats(rows.flatMap(lacks)),
    },
    summary: sums(kept, money),
  };
}

function sums(found: readonly Withheld[], money: Money) {
  return {
    base: money(sum(found.map(({ base }) => base)).toFixed()),
    withheld: money(sum(found.map(({ withheld }) => withheld)).toFixed()),
  };
}
