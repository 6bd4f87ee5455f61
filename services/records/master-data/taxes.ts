import { Tax } from '../../../db/models/records/master-data.ts';
import { EU_MEMBERS } from '../../../domain/identifiers.ts';
import { EXEMPTION_REASONS } from '../../../domain/trade/documents/exemptions.ts';
import { RATE_KINDS } from '../../../domain/trade/documents/union-scheme.ts';
import { amount, choice, day, label, uuid } from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';
import { addRate, checkTaxChange } from '../taxes/prepare.ts';

/** An account for the tax's amounts that replaces the company's (config/accounting). */
const account = (description: string) =>
  ({ schema: uuid({ description }), reference: { table: 'accounts', mustBeActive: true } }) as const;

const percent = () => amount({ places: 4, minimum: 0, maximum: 100 });

const VALID_ON = `daterange(valid_from, valid_to, '[]') @> ?::date`;

export const taxes = declareResource({
  name: 'Tax',
  plural: 'Taxes',
  path: '/api/taxes',
  tag: 'Taxes',
  model: Tax,
  defaultSort: 'code',
  problems: ['in_use', 'overlap'],
  naturalKey: ['code', 'validFrom'],
  fields: {
    code: { schema: label({ max: 20 }), required: true, searchable: true },
    name: { schema: label(), required: true, searchable: true },
    rate: { schema: percent(), required: true },
    surchargeRate: { schema: percent(), default: 0 },
    kind: { schema: choice(['vat', 'exempt', 'reverse_charge', 'not_subject']), default: 'vat' },
    exemptionReason: { schema: choice(EXEMPTION_REASONS) },
    exemptionArticle: { schema: label({ max: 100 }) },
    consumptionCountry: { schema: choice(EU_MEMBERS) },
    rateKind: { schema: choice(RATE_KINDS) },
    outputAccountId: account('VAT on sales, and on purchases that the buyer declares'),
    inputAccountId: account('VAT on purchases'),
    surchargeAccountId: account('Equivalence surcharge on sales'),
    intraEuOutputAccountId: account('VAT on purchases within the EU, as declared'),
    intraEuInputAccountId: account('VAT on purchases within the EU, as deducted'),
    validFrom: { schema: day() },
    validTo: { schema: day() },
  },
  filters: { validOn: { type: 'date', condition: VALID_ON, sortable: false } },
  onCreate: ({ trx, ctx }, values) => addRate(trx, ctx, values),
  async onPatch({ trx }, values, current) {
    await checkTaxChange(trx, values, { ...current });
    return values;
  },
});
