import { GroupCompany } from '../../../db/models/ledger/consolidation.ts';
import { invalidMember } from '../../../domain/errors.ts';
import { checkAccountTypes } from '../../ledger/accounting/account-types.ts';
import { amount, day, label, uuid } from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';
import { assertNamedCompany } from './named-company.ts';

const TYPES = { investmentAccountId: ['asset'] } as const;

/** Companies that this one consolidates (decision 0367). */
export const groupCompanies = declareResource({
  name: 'GroupCompany',
  plural: 'GroupCompanies',
  path: '/api/group-companies',
  tag: 'Accounting',
  model: GroupCompany,
  defaultSort: 'name',
  naturalKey: ['companyId'],
  fields: {
    companyId: {
      schema: uuid({
        description:
          'The company, in which you need the right to read accounting reports. It agrees to it with POST /api/parent-companies',
      }),
      required: true,
      write: 'create',
    },
    name: { schema: label({ description: 'Its name in consolidated reports' }), required: true, searchable: true },
    ownershipPercent: {
      schema: amount({
        places: 4,
        exclusiveMinimum: 0,
        maximum: 100,
        description: 'Share that the group owns. The company is consolidated in full; the rest belongs to minorities',
      }),
      default: 100,
    },
    joinedOn: {
      schema: day({ description: 'First day in the group: its results count from then on' }),
      required: true,
    },
    leftOn: { schema: day({ description: 'Last day in the group: reports of later days leave it out' }) },
    investmentAccountId: {
      schema: uuid({
        description: 'The account of the investment in it, such as 2403; of no other company of the group',
      }),
      reference: { table: 'accounts' },
    },
    acquiredEquity: {
      schema: amount({
        description:
          'All its equity on the day when it was acquired, the result until then included, in its own currency. What was paid for it ' +
          'beyond its share is goodwill. Without it, the group has founded the company. It counts with an investmentAccountId',
      }),
    },
  },
  async onCreate(scope, values) {
    await assertNamedCompany(scope, values.companyId, 'reports:accounting');
    await checkAccountTypes(scope.trx, values, TYPES);
    return checked(values, values);
  },
  async onPatch({ trx }, values, current) {
    await checkAccountTypes(trx, values, TYPES);
    return checked(values, { ...current, ...values });
  },
});

/** @throws ServiceError validation_failed for days in the wrong order */
function checked<Values>(values: Values, { joinedOn, leftOn }: Readonly<Record<string, unknown>>): Values {
  if (typeof leftOn === 'string' && leftOn < String(joinedOn)) {
    throw invalidMember('/leftOn', 'out_of_range', 'must not be before joinedOn');
  }
  return values;
}
