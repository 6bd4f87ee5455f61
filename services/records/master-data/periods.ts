import { Type } from 'typebox';
import { Period } from '../../../db/models/records/master-data.ts';
import { PERIOD_STATUS, PERIOD_STATUSES } from '../../../domain/ledger/accounting/periods.ts';
import { AREA_LOCKS } from '../../../domain/ledger/periods/areas.ts';
import { openWork } from '../../ledger/closing/checklist.ts';
import { checkNewPeriod, checkPeriodChange, checkPeriodDeletion } from '../../ledger/periods/periods.ts';
import { choice, day, label } from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';

export const periods = declareResource({
  name: 'Period',
  plural: 'Periods',
  path: '/api/periods',
  tag: 'Periods',
  model: Period,
  defaultSort: 'from',
  problems: ['overlap', 'in_use', 'period_closed', 'invalid_transition', 'has_drafts'],
  fields: {
    code: { schema: label({ max: 20 }), required: true, searchable: true },
    name: { schema: label({ min: 0 }), searchable: true },
    from: { schema: day(), required: true },
    to: { schema: day({ description: 'The last day of the period' }), required: true },
    status: { schema: choice(PERIOD_STATUSES, { description: 'O open, C closed' }), default: PERIOD_STATUS.open },
    lockedAreas: {
      schema: Type.Array(choice(AREA_LOCKS), {
        uniqueItems: true,
        description: 'Areas in which nothing dated in the period is accepted, though it is open; `all` for everything',
      }),
      default: [],
    },
  },
  filters: { lockedAreas: { type: 'text', filterable: false, sortable: false } },
  async onCreate({ trx, ctx }, values) {
    await checkNewPeriod(trx, ctx, values);
    return values;
  },
  async onPatch({ trx, role }, values, current) {
    await checkPeriodChange(trx, role, values, current);
    return values;
  },
  warn: async ({ trx }, row) => (row.status === PERIOD_STATUS.closed ? await openWork(trx, row) : []),
  onDelete: async (_, current) => checkPeriodDeletion(current),
});
