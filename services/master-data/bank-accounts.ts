import { BankAccount } from '../../db/models/master-data.ts';
import { invalidMember } from '../../domain/errors.ts';
import { bicOf, ibanOf } from '../../domain/identifiers.ts';
import { declareResource } from '../resources/declaration.ts';
import { firstIsDefault } from '../resources/defaults.ts';
import type { Row } from '../resources/fields.ts';
import { flag, label, text, uuid } from '../validation/schemas.ts';

/** The company's own accounts, at which it is paid and from which it pays. */
export const bankAccounts = declareResource({
  name: 'BankAccount',
  plural: 'BankAccounts',
  path: '/api/config/bank-accounts',
  tag: 'Configuration',
  permission: 'bank_accounts',
  model: BankAccount,
  defaultSort: 'name',
  oneDefaultPer: [],
  fields: {
    name: { schema: label(), required: true, searchable: true },
    iban: {
      schema: text({ max: 50, description: 'Unique; checked, and kept without spaces' }),
      required: true,
      searchable: true,
    },
    bank_name: { schema: label({ min: 0 }), searchable: true },
    bic: { schema: text({ max: 20, description: 'Of 8 or 11 signs; checked' }) },
    account_id: {
      schema: uuid({ description: "Of the ledger; the company's own for banks (572) when empty" }),
      reference: { table: 'accounts', mustBeActive: true },
    },
    is_default: {
      schema: flag({ description: 'A new default takes over; the first account is the default unless told otherwise' }),
      filled: true,
    },
  },
  onCreate: ({ trx }, values) => firstIsDefault(trx, 'bank_accounts', [], checked(values)),
  onPatch: async (_, values) => checked(values),
});

/** @throws ServiceError validation_failed */
function checked(values: Row): Row {
  const next = { ...values };
  if (typeof values.iban === 'string') {
    next.iban = ibanOf(values.iban);
    if (next.iban === null) throw invalidMember('/iban', 'invalid_format', 'is no valid IBAN');
  }
  if (typeof values.bic === 'string') {
    next.bic = bicOf(values.bic);
    if (next.bic === null) throw invalidMember('/bic', 'invalid_format', 'is no valid BIC');
  }
  return next;
}
