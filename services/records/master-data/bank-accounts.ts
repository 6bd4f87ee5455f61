import { Type } from 'typebox';
import { BankAccount } from '../../../db/models/records/master-data.ts';
import { currencyCode, flag, label, text, uuid } from '../../platform/validation/schemas.ts';
import { checkBankDetails } from '../resources/bank-details.ts';
import { declareResource } from '../resources/declaration.ts';
import { withFirstAsDefault } from '../resources/defaults.ts';
import { defaultDimension } from './default-dimensions.ts';

type Row = Record<string, readonly string[]>;

/** The company's own bank accounts. */
export const bankAccounts = declareResource({
  name: 'BankAccount',
  plural: 'BankAccounts',
  path: '/api/config/bank-accounts',
  tag: 'Configuration',
  model: BankAccount,
  defaultSort: 'name',
  problems: ['in_use'],
  oneDefaultPer: [],
  fields: {
    name: { schema: label(), required: true, searchable: true },
    iban: {
      schema: text({ max: 50, description: 'Unique; validated, and stored without spaces' }),
      required: true,
      searchable: true,
    },
    bank_name: { schema: label({ min: 0 }), searchable: true },
    bic: { schema: text({ max: 20, description: '8 or 11 characters; validated' }) },
    account_id: {
      schema: uuid({ description: "Ledger account; defaults to the company's account for banks (572)" }),
      reference: { table: 'accounts', mustBeActive: true },
    },
    default_cost_center_id: defaultDimension('cost_centers', 'Cost center of what its statement lines are booked on'),
    default_project_id: defaultDimension('projects', 'Project of what its statement lines are booked on'),
    currency: {
      schema: currencyCode("Currency of the account; defaults to the company's"),
    },
    is_default: {
      schema: flag({
        description:
          'A new default replaces the previous one; the first account is the default unless stated otherwise',
      }),
      filled: true,
    },
    statement_columns: {
      schema: Type.Unsafe<Row>({
        type: 'object',
        description: 'Meanings of the columns of its statement tables, saved from `columns` of an import',
        additionalProperties: { type: 'array', items: { type: 'string' } },
      }),
      write: 'never',
    },
  },
  filters: { statement_columns: { type: 'text', filterable: false, sortable: false } },
  onCreate: ({ trx }, values) => withFirstAsDefault(trx, 'bank_accounts', [], checkBankDetails(values)),
  onPatch: async (_, values) => checkBankDetails(values),
});
