import { Type } from 'typebox';
import type { Db } from '../../../db/database.ts';
import { type AdjustmentLine, GroupAdjustment } from '../../../db/models/ledger/consolidation.ts';
import { checkReferences } from '../../../db/queries/references.ts';
import { query } from '../../../db/sql.ts';
import { invalidMember } from '../../../domain/errors.ts';
import { Faults } from '../../../domain/faults.ts';
import { balanceFault, SIDES } from '../../../domain/ledger/accounting/entry-template.ts';
import { assertOpenFor, type PeriodState } from '../../../domain/ledger/periods/areas.ts';
import { decimalPlaces } from '../../../domain/money.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { amount, choice, day, text, uuid } from '../../platform/validation/schemas.ts';
import { declareResource, type HookScope } from '../resources/declaration.ts';
import type { Row } from '../resources/field.ts';

const MAX_LINES = 100;

const LINE = Type.Object(
  {
    accountId: uuid({ description: 'An active account of this company that is not a heading' }),
    side: choice(SIDES),
    amount: amount({ exclusiveMinimum: 0, description: "In this company's currency" }),
  },
  { additionalProperties: false },
);

/** Amounts that the parent enters for its consolidated reports alone (decision 0410). */
export const groupAdjustments = declareResource({
  name: 'GroupAdjustment',
  plural: 'GroupAdjustments',
  path: '/api/group-adjustments',
  tag: 'Accounting',
  model: GroupAdjustment,
  defaultSort: '-date',
  problems: ['period_closed', 'period_locked'],
  fields: {
    date: {
      schema: day({ description: 'It counts in consolidated reports from this day on, among the eliminations' }),
      required: true,
    },
    description: { schema: text({ max: 500 }), required: true, searchable: true },
    lines: {
      schema: Type.Array(LINE, {
        minItems: 2,
        maxItems: MAX_LINES,
        description: 'Such as profit in goods that one company has bought from another; equal on both sides',
      }),
      required: true,
    },
    reversesOn: {
      schema: day({ description: 'The day on which the opposite counts, such as the first of the next year' }),
    },
  },
  filters: { lines: { type: 'text', filterable: false, sortable: false } },
  onCreate: (scope, values) => checked(scope, values, []),
  onPatch: (scope, values, current) => checked(scope, values, [current]),
  onDelete: ({ trx }, current) => assertOpen(trx, daysIn(current)),
});

type Days = Partial<Readonly<Record<'date' | 'reversesOn', unknown>>>;

/**
 * Checks a new or changed adjustment.
 * @param before the row as it was, if it is changed
 * @throws ServiceError validation_failed, period_closed, period_locked
 */
async function checked({ trx }: HookScope, values: Row, before: readonly GroupAdjustment[]): Promise<Row> {
  const next: Days = { ...before[0], ...values };
  if (typeof next.reversesOn === 'string' && next.reversesOn <= String(next.date))
    throw invalidMember('/reversesOn', 'out_of_range', 'must be after date');
  await assertOpen(trx, [...before, next].flatMap(daysIn));
  if (values.lines !== undefined) await checkLines(trx, values.lines as readonly AdjustmentLine[]);
  return values;
}

/** @throws ServiceError validation_failed */
async function checkLines(trx: Db, lines: readonly AdjustmentLine[]): Promise<void> {
  const { decimalPrecision: places } = await loadSettings(trx, 'format');
  const faults = new Faults();
  lines.forEach(({ amount: value }, index) => {
    if (decimalPlaces(value) > places)
      faults.add(`/lines/${index}/amount`, 'too_many_decimals', `must have at most ${places} decimals`);
  });
  const fault = balanceFault(lines.map((line) => ({ ...line, percent: null })));
  if (faults.list.length === 0 && fault !== null) faults.add('/lines', 'unbalanced', fault);
  faults.throwIfAny();
  await checkReferences(
    trx,
    lines.map(({ accountId: id }, index) => {
      return { pointer: `/lines/${index}/accountId`, table: 'accounts', id, mustBeActive: true };
    }),
  );
}

function daysIn({ date, reversesOn }: Days): string[] {
  return [date, reversesOn].flatMap((one) => (typeof one === 'string' ? [one] : []));
}

/** An adjustment does not change once the period of its day is closed. @throws ServiceError period_closed, period_locked */
async function assertOpen(trx: Db, days: readonly string[]): Promise<void> {
  const periods = await query<PeriodState>(
    trx,
    `select code, status, locked_areas as "lockedAreas" from periods p
     where exists (select 1 from unnest(:days::date[]) day where day between p."from" and p."to")
     order by p."from" for share`,
    { days },
  );
  for (const period of periods) assertOpenFor(period, 'general');
}
