import { SepaMandate } from '../../../db/models/bank/sepa.ts';
import { DEBIT_SCHEMES } from '../../../domain/bank/sepa/direct-debit.ts';
import { choice, day, flag, text, uuid } from '../../platform/validation/schemas.ts';
import { checkBankDetails } from '../resources/bank-details.ts';
import { declareResource } from '../resources/declaration.ts';

/** SEPA mandates: customers' authorizations to collect money from their accounts. */
export const sepaMandates = declareResource({
  name: 'SepaMandate',
  plural: 'SepaMandates',
  path: '/api/partners/:id/mandates',
  idParameter: 'mandateId',
  parent: { member: 'partnerId', table: 'partners', phrase: 'This partner' },
  tag: 'Partners',
  model: SepaMandate,
  defaultSort: 'reference',
  problems: ['in_use'],
  fields: {
    partnerId: { schema: uuid(), filled: true, write: 'never' },
    reference: {
      schema: text({
        pattern: "^[a-zA-Z0-9\\-?:().,'+]{1,35}$",
        description: 'Unique; printed on the mandate and sent in each order',
      }),
      required: true,
      write: 'create',
      searchable: true,
    },
    signedOn: { schema: day(), required: true },
    scheme: {
      schema: choice(DEBIT_SCHEMES, { description: 'B2B: between companies, who cannot return a debit' }),
      default: 'CORE',
    },
    oneOff: { schema: flag({ description: 'For a single debit only' }), default: false },
    iban: {
      schema: text({ max: 50, description: 'IBAN of the debited account; validated' }),
      required: true,
      searchable: true,
    },
    bic: { schema: text({ max: 20, description: '8 or 11 characters; validated' }) },
    active: { schema: flag(), default: true },
  },
  onCreate: async (_, values) => checkBankDetails(values),
  onPatch: async (_, values) => checkBankDetails(values),
});
