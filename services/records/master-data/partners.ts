import { PartnerAddress } from '../../../db/models/records/catalogue.ts';
import { Partner } from '../../../db/models/records/master-data.ts';
import { removeRowsWhere } from '../../../db/write.ts';
import { SUBKEYS } from '../../../domain/ledger/tax-returns/withheld.ts';
import { VAT_REGIMES } from '../../../domain/trade/documents/vat.ts';
import { PAYMENT_METHODS } from '../../../domain/trade/payments/types.ts';
import {
  amount,
  choice,
  currencyCode,
  email,
  flag,
  integer,
  label,
  text,
  uuid,
} from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';
import { defaultDimensions } from './default-dimensions.ts';
import { assertNamedCompany } from './named-company.ts';
import { prepareChangedPartner, prepareNewPartner } from './prepare-partner.ts';

/** An office of a public body. */
const office = (description: string) =>
  text({ pattern: '^[A-Z0-9]{2,10}$', description: `${description}, by its DIR3 code` });

/** 31 is the last day of every month. */
const paymentDay = (description: string) => integer({ minimum: 1, maximum: 31, description });

export const partners = declareResource({
  name: 'Partner',
  plural: 'Partners',
  path: '/api/partners',
  tag: 'Partners',
  model: Partner,
  customFields: 'BusinessPartner',
  watched: 'partner',
  defaultSort: 'code',
  fields: {
    code: {
      schema: label({ max: 30, description: "Defaults to the group's codePrefix and the next number" }),
      filled: true,
      searchable: true,
    },
    name: { schema: label(), required: true, searchable: true },
    nif: {
      schema: label({ max: 30, description: 'Tax id; unique, and validated for countries of the European Union' }),
      searchable: true,
    },
    foreignName: { schema: label({ min: 0 }), searchable: true },
    phone: { schema: label({ min: 0, max: 50 }) },
    email: { schema: email() },
    website: { schema: text({ min: 0 }) },
    groupId: { schema: uuid(), required: true, reference: { table: 'partner_groups' } },
    priceListId: {
      schema: uuid({
        description: "Prices of document lines without a price; the item's own price where the list has none",
      }),
      reference: { table: 'price_lists', mustBeActive: true },
    },
    salespersonId: {
      schema: uuid({ description: 'Salesperson of its sales, unless a document names another' }),
      reference: { table: 'salespeople', mustBeActive: true },
    },
    ...defaultDimensions('lines of its documents that neither document nor item give one'),
    countryCode: {
      schema: text({ pattern: '^[A-Z]{2}$', description: "ISO 3166 code of two letters; defaults to the company's" }),
      filled: true,
    },
    currency: { schema: currencyCode("Currency of its documents; defaults to the company's") },
    paymentTermDays: { schema: integer({ minimum: 0, maximum: 3650 }), default: 0 },
    paymentTermsId: {
      schema: uuid({ description: 'When invoices are due, in parts; without them `paymentTermDays` counts' }),
      reference: { table: 'payment_terms', mustBeActive: true },
    },
    firstPaymentDay: { schema: paymentDay('A day of the month on which it pays: payment terms lead to the next one') },
    secondPaymentDay: { schema: paymentDay('Another day of the month on which it pays') },
    promptDiscountPercent: {
      schema: amount({
        places: 4,
        exclusiveMinimum: 0,
        maximum: 100,
        description: 'Off the total of an invoice that is paid at once within promptDiscountDays',
      }),
    },
    promptDiscountDays: {
      schema: integer({ minimum: 0, maximum: 3650, description: 'Days from the date of the invoice; none count as 0' }),
    },
    paymentMethod: { schema: choice(PAYMENT_METHODS) },
    iban: { schema: text({ max: 50 }) },
    dir3AccountingOffice: {
      schema: office(
        'Accounting office (oficina contable) of a public body, which takes invoices with this and the next two',
      ),
    },
    dir3ManagingBody: { schema: office('Managing body (órgano gestor)') },
    dir3ProcessingUnit: { schema: office('Processing unit (unidad tramitadora)') },
    dir3ProposingBody: { schema: office('Proposing body (órgano proponente), where it is wanted') },
    vatRegime: { schema: choice(VAT_REGIMES), default: 'general' },
    cashBasis: {
      schema: flag({
        description:
          'A supplier under the cash basis (criterio de caja), whose VAT is deducted as its invoices are paid',
      }),
      default: false,
    },
    withholdingRate: { schema: amount({ places: 4, minimum: 0, maximum: 100 }), default: 0 },
    withholdingSubkey: {
      schema: choice(SUBKEYS, {
        description:
          'Subkey of model 190 of what is withheld from it, unless 01. 15 %: 05 intellectual property; 7 %: 02 insurance brokers, ' +
          'lottery agents and collectors, 03 those who begin, 04 artists, 06 and 07 authors; 2 %: 03 forestry; ' +
          '1 %: 02 pigs and poultry, 04 modules',
      }),
    },
    related: {
      schema: flag({
        description:
          'Whether it is related to the company: shareholders, directors, their families, companies of its group (LIS, art. 18). ' +
          'Model 193 declares interest of related people apart',
      }),
      default: false,
    },
    creditLimit: { schema: amount({ minimum: 0 }) },
    dunningPaused: { schema: flag({ description: 'Whether it is reminded of no overdue invoice' }), default: false },
    language: { schema: text({ max: 35, description: 'BCP 47, for example es-ES' }) },
    companyId: {
      schema: uuid({
        description:
          'The company of this service that it is, if both are of one group: consolidated reports eliminate what is between them. ' +
          'You must work in it',
      }),
    },
    active: { schema: flag(), default: true },
  },
  async onCreate(scope, values) {
    await assertNamedCompany(scope, values.companyId, 'company:read');
    return await prepareNewPartner(scope.trx, scope.ctx, values);
  },
  async onPatch(scope, values, current) {
    await assertNamedCompany(scope, values.companyId, 'company:read', current.companyId);
    return prepareChangedPartner(values, current);
  },
  onDelete: ({ trx, ctx }, { id }) => removeRowsWhere(trx, ctx, PartnerAddress, { partner_id: id }),
});
