import { Type } from 'typebox';
import type { Db } from '../../../db/database.ts';
import { EntryTemplate } from '../../../db/models/ledger/accounting.ts';
import { checkReferences } from '../../../db/queries/references.ts';
import { prepared } from '../../../db/sql.ts';
import { Faults } from '../../../domain/faults.ts';
import type { Requirement } from '../../../domain/ledger/accounting/dimensions.ts';
import { balanceFault, SIDES, type TemplateLine } from '../../../domain/ledger/accounting/entry-template.ts';
import { checkRequired } from '../../ledger/accounting/dimension-rules.ts';
import { amount, choice, flag, label, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { declareResource, type HookScope } from '../resources/declaration.ts';
import type { Row } from '../resources/field.ts';

const MAX_LINES = 100;

/** Members of lines with references, and their tables. */
const REFERENCES = [
  ['accountId', 'accounts'],
  ['partnerId', 'partners'],
  ['costCenterId', 'cost_centers'],
  ['projectId', 'projects'],
] as const;

const TEMPLATE_LINE = Type.Object(
  {
    accountId: uuid({ description: 'An active account that is not a heading' }),
    side: choice(SIDES),
    percent: Type.Optional(
      nullable(
        amount({
          places: 4,
          exclusiveMinimum: 0,
          maximum: 1000,
          description: 'Percentage of the amount that is entered; either this or `amount`',
        }),
      ),
    ),
    amount: Type.Optional(nullable(amount({ exclusiveMinimum: 0, description: 'The same amount in each entry' }))),
    partnerId: Type.Optional(nullable(uuid())),
    costCenterId: Type.Optional(nullable(uuid())),
    projectId: Type.Optional(nullable(uuid())),
    description: Type.Optional(nullable(text({ max: 500 }))),
  },
  { additionalProperties: false },
);

/** Templates of journal entries (decision 0356). */
export const entryTemplates = declareResource({
  name: 'EntryTemplate',
  plural: 'EntryTemplates',
  path: '/api/entry-templates',
  tag: 'Accounting',
  model: EntryTemplate,
  defaultSort: 'name',
  fields: {
    code: { schema: label({ max: 30 }), required: true, searchable: true },
    name: { schema: label(), required: true, searchable: true },
    description: { schema: text({ max: 500, description: 'Text of its entries; by default the name' }) },
    lines: {
      schema: Type.Array(TEMPLATE_LINE, {
        minItems: 2,
        maxItems: MAX_LINES,
        description: 'Percentages, and likewise amounts, add up to the same on both sides',
      }),
      required: true,
    },
    active: { schema: flag(), default: true },
  },
  filters: { lines: { type: 'text', filterable: false, sortable: false } },
  onCreate: withLines,
  onPatch: withLines,
});

/** Completes and checks the lines. @throws ServiceError validation_failed */
async function withLines({ trx }: HookScope, values: Row): Promise<Row> {
  if (values.lines === undefined) return values;
  const given = values.lines as readonly (Partial<TemplateLine> & Pick<TemplateLine, 'accountId' | 'side'>)[];
  const lines = given.map(
    ({ accountId, side, percent = null, amount = null, partnerId = null, ...line }): TemplateLine => {
      const { costCenterId = null, projectId = null, description = null } = line;
      return { accountId, side, percent, amount, partnerId, costCenterId, projectId, description };
    },
  );
  const faults = new Faults();
  lines.forEach(({ percent, amount }, index) => {
    const pointer = `/lines/${index}/percent`;
    if (percent === null && amount === null) faults.add(pointer, 'required', 'is required unless amount is given');
    if (percent !== null && amount !== null) faults.add(pointer, 'not_allowed', 'cannot be given together with amount');
  });
  const fault = balanceFault(lines);
  if (faults.list.length === 0 && fault !== null) faults.add('/lines', 'unbalanced', fault);
  faults.throwIfAny();
  const references = lines.flatMap((line, index) =>
    REFERENCES.flatMap(([member, table]) => {
      const id = line[member];
      return id === null ? [] : [{ pointer: `/lines/${index}/${member}`, table, id, mustBeActive: true }];
    }),
  );
  await checkReferences(trx, references);
  await checkRequirements(trx, lines);
  return { ...values, lines };
}

/** Checks that lines name what their accounts require: who enters by the template cannot. @throws ServiceError validation_failed */
async function checkRequirements(trx: Db, lines: readonly TemplateLine[]): Promise<void> {
  const accounts = await prepared<{ id: string; code: string; requires: Requirement }>(
    trx,
    `select id, code, requires from accounts where id = any(:ids::uuid[]) and requires <> 'none'`,
    { ids: lines.map(({ accountId }) => accountId) },
  );
  const requiring = new Map(accounts.map((account) => [account.id, account]));
  const faults = new Faults();
  lines.forEach((line, index) => {
    const account = requiring.get(line.accountId);
    if (account !== undefined) checkRequired(account, line, `/lines/${index}`, faults);
  });
  faults.throwIfAny();
}
