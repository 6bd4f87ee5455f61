import { Type } from 'typebox';
import { CHART_CODES } from '../../../domain/ledger/accounting/charts/index.ts';
import { TAX_SETS } from '../../../domain/trade/documents/tax-sets.ts';
import {
  choice,
  email,
  instant,
  integer,
  label,
  nullable,
  text,
  webAddress,
} from '../../../services/platform/validation/schemas.ts';

const country = () => text({ pattern: '^[A-Z]{2}$', description: 'ISO 3166 code of two letters' });
const currency = () => text({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code of three letters' });

/** Members of a company: name and tax ID are required, the rest has defaults. */
const companyInputMembers = {
  name: label(),
  taxId: label({
    max: 30,
    description: 'Validated for countries of the European Union, and stored without separators',
  }),
  address: Type.Optional(nullable(text({ min: 0, max: 200 }))),
  city: Type.Optional(nullable(text({ min: 0, max: 100 }))),
  zipCode: Type.Optional(nullable(text({ min: 0, max: 20 }))),
  country: Type.Optional(country()),
  email: Type.Optional(nullable(email())),
  phone: Type.Optional(nullable(text({ min: 0, max: 50 }))),
  website: Type.Optional(nullable(text({ min: 0, max: 200 }))),
  logoUrl: Type.Optional(nullable(webAddress())),
  taxSet: Type.Optional(
    choice(TAX_SETS, {
      description:
        'The indirect tax that it charges: a new company that of its postal code (35 and 38 igic, 51 and 52 ipsi). Stays as it is if ' +
        'left out',
    }),
  ),
  currency: Type.Optional(currency()),
  fiscalYearStart: Type.Optional(text({ pattern: '^\\d\\d-\\d\\d$', description: 'MM-DD' })),
};

export const companyInputSchema = Type.Object(companyInputMembers, { title: 'CompanyReplacementInput' });

export const newCompanySchema = Type.Object(
  {
    ...companyInputMembers,
    chart: Type.Optional(
      choice(CHART_CODES, {
        description: 'The chart of accounts it begins with, and its taxes: by default that of its country',
      }),
    ),
  },
  { title: 'CompanyInput' },
);

export const logoSchema = Type.Object(
  {
    contentType: text({
      description: 'Detected from the bytes: image/png, image/jpeg, image/gif, image/webp, image/svg+xml',
    }),
    size: integer({ description: 'Bytes' }),
    uploadedAt: instant({ description: 'When it was uploaded' }),
  },
  {
    title: 'UploadedLogo',
    description: 'The uploaded logo, if any',
    additionalProperties: false,
  },
);

export const companySchema = Type.Object(
  {
    name: text(),
    taxId: text(),
    address: nullable(text({ min: 0 })),
    city: nullable(text({ min: 0 })),
    zipCode: nullable(text({ min: 0 })),
    country: country(),
    email: nullable(email()),
    phone: nullable(text({ min: 0 })),
    website: nullable(text({ min: 0 })),
    logoUrl: nullable(webAddress()),
    logo: Type.Optional(logoSchema),
    taxSet: choice(TAX_SETS, {
      description: 'The indirect tax that it charges: VAT, IGIC (Canary Islands), IPSI (Ceuta, Melilla)',
    }),
    currency: currency(),
    fiscalYearStart: text({ description: 'MM-DD' }),
  },
  { title: 'Company' },
);
