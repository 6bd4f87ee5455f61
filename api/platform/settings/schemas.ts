/** Schemas of a company's settings; services/platform/settings holds their defaults. */
import { Type } from 'typebox';
import { OUTSIDE } from '../../../services/platform/settings/definitions.ts';
import {
  amount,
  choice,
  day,
  email,
  flag,
  integer,
  nullable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { logoSchema } from './company-schemas.ts';

const colour = () => text({ pattern: '^#[0-9a-fA-F]{6}$', description: '#rrggbb' });

const branding = {
  colorPrimary: colour(),
  colorAccent: colour(),
  logoUrl: text({ min: 0, max: 2000, description: 'An http or https address; empty for none' }),
  appName: text({ max: 100 }),
  fontFamily: choice(['sans', 'serif', 'mono']),
  themeMode: choice(['light', 'dark']),
};

const format = {
  locale: text({ max: 35, description: 'BCP 47, for example es-ES' }),
  dateFormat: text({ max: 20, description: 'dd, MM and yyyy or yy, each once, with separators' }),
  decimalPrecision: integer({ minimum: 0, maximum: 6, description: 'Decimals of amounts' }),
  quantityPrecision: integer({ minimum: 0, maximum: 6, description: 'Decimals of quantities' }),
  timezone: text({ max: 64, description: 'IANA zone; decides when the company’s days begin and end' }),
};

const flags = {
  allowNegativeStock: flag(),
  autoConfirmBatches: flag(),
  watermarkDraft: flag(),
  confirmBeforeCancel: flag({ description: 'A cancellation with X-Client: ui needs {"confirm": true}' }),
  enforceWarehouseZones: flag(),
  allowOverDelivery: flag(),
  creditLimit: choice(['off', 'warn', 'block'], {
    description:
      'What happens when a customer would exceed their credit limit: nothing, a warning, or 409 `credit_limit`',
  }),
};

const payments = {
  writeOffLimit: amount({ minimum: 0, description: 'The largest difference of a payment that may be written off' }),
  debtAges: Type.Array(
    Type.Object(
      {
        months: integer({ minimum: 0, maximum: 120, description: 'Months since the debt was due' }),
        percent: amount({ places: 2, minimum: 0, maximum: 100, description: 'Percentage of the debt from then on' }),
      },
      { additionalProperties: false },
    ),
    {
      maxItems: 20,
      description:
        'What is proposed as provision for bad debts; the last age that a debt has reached counts. By default 100 % from six months on',
    },
  ),
};

const percent = (description: string) => amount({ places: 2, minimum: 0, maximum: 100, description });

/** An amount for each year, or, as version 1.0.0 had it, one for all. A single schema, so that a fault is reported once. */
function amountByYear(description: string) {
  return Type.Unsafe<number | Record<string, number>>({
    ...amount({ description }),
    type: ['object', 'number'],
    patternProperties: { '^(19|20)[0-9]{2}$': amount() },
    additionalProperties: false,
  });
}

const tax = {
  taxpayer: choice(['company', 'sole_trader']),
  estimation: choice(['simplified', 'normal']),
  surchargeRegime: flag({
    description: 'The company is a retailer under the equivalence surcharge and deducts no VAT',
  }),
  proRata: percent('Percentage of the VAT paid that is deductible'),
  proRataKind: choice(['general', 'special'], {
    description: 'special: the pro rata leaves alone purchase lines that have a deductiblePercent of their own',
  }),
  cashBasisYears: Type.Array(integer({ minimum: 2014, maximum: 2199 }), {
    maxItems: 200,
    uniqueItems: true,
    description:
      'Calendar years in which the company is under the cash basis (criterio de caja): VAT is due as invoices are paid',
  }),
  ossFrom: nullable(
    day({
      description:
        'The first day under the Union scheme (one-stop shop, OSS), by which consumers in other member states pay the VAT of theirs; ' +
        'null: the company is not under it',
    }),
  ),
  monthlyRefunds: flag({
    description:
      'The company is in the register of monthly refunds (REDEME), so any month of model 303 may request one',
  }),
  stateShare: percent('Percentage of the turnover taxed by the state'),
  priorYearNetIncome: amountByYear(
    'Net income of a sole trader by calendar year, for the instalments of the year after; only for years that the ' +
      'ledger does not have. A single number is for any such year, and 0 is for none',
  ),
  homeLoan: flag({ description: 'A sole trader pays for a home with deduction' }),
  defaultSalesTaxGroupId: nullable(
    uuid({ description: 'For sales lines without an item; defaults to the general rate, such as IVA21' }),
  ),
  defaultPurchaseTaxGroupId: nullable(
    uuid({ description: 'For purchase lines without an item; defaults to the general rate, such as IVA21' }),
  ),
};

const payroll = {
  contributionAccount: nullable(
    text({ max: 20, description: "The company's account at social security (CCC), on payslips" }),
  ),
};

const automations = {
  max_runs_per_day: integer({
    minimum: 0,
    maximum: 100_000,
    description:
      'Runs of all automations within a day of the company; further ones are left out, which their logs say with 429',
  }),
};

const face = {
  environment: choice(['test', 'production'], { description: 'Where invoices to public bodies are sent' }),
  email: nullable(email({ description: "Address to which FACe reports; null for the company's" })),
};

const verifactu = {
  enabled: flag({ description: 'Whether posting makes records; once it has, they are made until the end of the year' }),
  environment: choice(['test', 'production'], { description: 'Where records are sent, and QR codes lead' }),
  outside: nullable(
    choice(OUTSIDE, {
      description:
        'Why the company is outside: it keeps its VAT books at the agency (sii), or is of the Basque Country or Navarre; null if it is not',
    }),
  ),
  mandatoryFrom: nullable(
    day({
      description:
        'From when it must; null for the date of the law, 2027-01-01 for companies and 2027-07-01 for others',
    }),
  ),
  endsOn: nullable(
    day({
      description:
        'Last day on which records are sent, told with each message: 31 December of this year or the last; null for no end',
    }),
  ),
  simplifiedLimit: amount({
    places: 2,
    minimum: 0,
    maximum: 3000,
    description: "The most that an invoice without the customer's tax id may be of, with taxes; 3,000 in some trades",
  }),
};

/** Settings without further rules; the company has its own routes (api/company). */
export const CONFIG = {
  branding: {
    input: Type.Partial(Type.Object(branding), { title: 'BrandingInput', additionalProperties: false }),
    answer: Type.Object({ ...branding, logo: Type.Optional(logoSchema) }, { title: 'Branding' }),
  },
  format: {
    input: Type.Partial(Type.Object(format), { title: 'FormatInput', additionalProperties: false }),
    answer: Type.Object(format, { title: 'Format' }),
  },
  flags: {
    input: Type.Partial(Type.Object(flags), { title: 'FlagsInput', additionalProperties: false }),
    answer: Type.Object(flags, { title: 'Flags' }),
  },
  payments: {
    input: Type.Partial(Type.Object(payments), { title: 'PaymentSettingsInput', additionalProperties: false }),
    answer: Type.Object(payments, { title: 'PaymentSettings' }),
  },
  tax: {
    input: Type.Partial(Type.Object(tax), { title: 'TaxSettingsInput', additionalProperties: false }),
    answer: Type.Object(tax, { title: 'TaxSettings' }),
  },
  payroll: {
    input: Type.Partial(Type.Object(payroll), { title: 'PayrollSettingsInput', additionalProperties: false }),
    answer: Type.Object(payroll, { title: 'PayrollSettings' }),
  },
  automations: {
    input: Type.Partial(Type.Object(automations), { title: 'AutomationSettingsInput', additionalProperties: false }),
    answer: Type.Object(automations, { title: 'AutomationSettings' }),
  },
  face: {
    input: Type.Partial(Type.Object(face), { title: 'FaceSettingsInput', additionalProperties: false }),
    answer: Type.Object(face, { title: 'FaceSettings' }),
  },
  verifactu: {
    input: Type.Partial(Type.Object(verifactu), { title: 'VerifactuSettingsInput', additionalProperties: false }),
    answer: Type.Object(verifactu, { title: 'VerifactuSettings' }),
  },
};
