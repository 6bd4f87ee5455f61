import { ParentCompany } from '../../../db/models/ledger/consolidation.ts';
import { label, uuid } from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';
import { assertNamedCompany } from './named-company.ts';

/** Companies that may consolidate this one: the consent, which deleting withdraws (decision 0367). */
export const parentCompanies = declareResource({
  name: 'ParentCompany',
  plural: 'ParentCompanies',
  path: '/api/parent-companies',
  tag: 'Accounting',
  model: ParentCompany,
  defaultSort: 'name',
  naturalKey: ['companyId'],
  fields: {
    companyId: {
      schema: uuid({
        description: 'A company in which you work. Its readers still need rights of their own in this one',
      }),
      required: true,
      write: 'create',
    },
    name: { schema: label(), required: true, searchable: true },
  },
  async onCreate(scope, values) {
    await assertNamedCompany(scope, values.companyId, 'company:read');
    return values;
  },
});
