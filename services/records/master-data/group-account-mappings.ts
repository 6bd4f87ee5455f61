import { GroupAccountMapping } from '../../../db/models/ledger/consolidation.ts';
import { text, uuid } from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';

/** Accounts of group companies that stand on other accounts of this one (decision 0368). */
export const groupAccountMappings = declareResource({
  name: 'GroupAccountMapping',
  plural: 'GroupAccountMappings',
  path: '/api/group-account-mappings',
  tag: 'Accounting',
  model: GroupAccountMapping,
  defaultSort: 'beginning',
  naturalKey: ['groupCompanyId', 'beginning'],
  fields: {
    groupCompanyId: { schema: uuid(), required: true, write: 'create', reference: { table: 'group_companies' } },
    beginning: {
      schema: text({
        max: 12,
        pattern: '^[0-9]{1,12}$',
        description:
          'Code of an account of the group company, or the beginning of several; the longest that fits counts',
      }),
      required: true,
      searchable: true,
    },
    accountId: {
      schema: uuid({ description: 'The account of this company on which they stand in consolidated reports' }),
      required: true,
      reference: { table: 'accounts' },
    },
  },
});
