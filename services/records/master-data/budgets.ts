import { Budget, BudgetLine } from '../../../db/models/ledger/budgets.ts';
import { removeRowsWhere } from '../../../db/write.ts';
import { invalidMember, ServiceError } from '../../../domain/errors.ts';
import { BUDGET_CONTROLS, BUDGET_STATUSES } from '../../../domain/ledger/budgets/positions.ts';
import { choice, flag, integer, label } from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';

/** Budgets (decision 0335). */
export const budgets = declareResource({
  name: 'BudgetVersion',
  plural: 'BudgetVersions',
  path: '/api/budgets',
  tag: 'Accounting',
  model: Budget,
  defaultSort: '-fiscalYear',
  naturalKey: ['fiscalYear', 'name'],
  oneDefaultPer: ['fiscalYear'],
  problems: ['invalid_transition'],
  fields: {
    name: { schema: label(), required: true, searchable: true },
    fiscalYear: {
      schema: integer({
        minimum: 1900,
        maximum: 9998,
        description: 'The calendar year in which its fiscal year begins',
      }),
      required: true,
      write: 'create',
    },
    status: {
      schema: choice(BUDGET_STATUSES, { description: 'The lines of an approved budget do not change' }),
      default: 'draft',
    },
    isDefault: {
      schema: flag({ description: 'Whether it is the current version of its fiscal year, which must be approved' }),
      default: false,
    },
    control: {
      schema: choice(BUDGET_CONTROLS, {
        description:
          'Effect of purchase invoices and manual entries that spend more than it has, while it is the current one',
      }),
      default: 'none',
    },
    countCommitments: {
      schema: flag({
        description:
          'Whether `control` counts what is ordered or received and not entered yet, and is about purchase orders too',
      }),
      default: false,
    },
  },
  onCreate: async (_, values) => withApproval(values, values),
  onPatch: async (_, values, current) => withApproval(values, { ...current, ...values }),
  async onDelete({ trx, ctx }, { id, name, isDefault, fiscalYear }) {
    if (!isDefault) return await removeRowsWhere(trx, ctx, BudgetLine, { budget_id: id });
    throw new ServiceError(
      'invalid_transition',
      `${name} cannot be deleted because it is the current budget of ${fiscalYear}; make another one current first`,
    );
  },
});

/** @throws ServiceError validation_failed for a current version that is not approved */
function withApproval<Values>(values: Values, { status, isDefault }: Readonly<Record<string, unknown>>): Values {
  if (isDefault === true && status !== 'approved')
    throw invalidMember(
      '/isDefault',
      'not_applicable',
      'must be false because the budget is a draft; approve it first',
    );
  return values;
}
