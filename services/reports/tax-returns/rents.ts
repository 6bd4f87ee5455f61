/** Models 115 and 180, income tax withheld from rents of urban property. */
import { type Static, Type } from 'typebox';
import { file115 } from '../../../domain/ledger/tax-returns/file111.ts';
import { file180, isNegative180, missing180, type Rent180 } from '../../../domain/ledger/tax-returns/file180.ts';
import { COUNTS_115, type Rent, type RentedPlace } from '../../../domain/ledger/tax-returns/model115.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import { FORM_115, FORM_180 } from '../../../domain/reports/tax-returns/form115.ts';
import { DECLARATION_115, DECLARATION_180 } from '../../ledger/tax-returns/declarations.ts';
import { YEAR } from '../../ledger/tax-returns/schemas.ts';
import type { Days } from '../../ledger/tax-returns/taxes.ts';
import { amount, choice, integer, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { defineReport, percent } from '../engine/declaration.ts';
import { MISSING, paymentFile, summaryFile } from './agency-file.ts';
import { formFile } from './tax-form.ts';
import { assertSpanish, changedRows, checkPeriodic, FILED_DATA, invoicesPath, QUARTER_OR_MONTH } from './tax-model.ts';
import { readPaid, readSummary } from './withheld-rows.ts';

const SUMS = { base: amount({ description: 'Rents' }), withheld: amount({ description: 'Income tax withheld' }) };
const PLACE = nullable(
  Type.Object(
    {
      id: uuid(),
      cadastral_reference: nullable(text()),
      street_type: text(),
      street: text(),
      number: nullable(integer({ description: 'House number; null: none' })),
      stairs: nullable(text()),
      floor: nullable(text()),
      door: nullable(text()),
      details: nullable(text()),
      municipality: text(),
      municipality_code: nullable(text()),
      zip_code: text(),
    },
    {
      description:
        'Where the property is; null: the landlord has none, or several and none with the cost center of the rent',
    },
  ),
);
const ROW = Type.Object({
  partner_id: nullable(uuid({ description: 'null: no line of the entry names the landlord' })),
  name: nullable(text({ max: 500 })),
  nif: nullable(text()),
  country: nullable(text()),
  province: nullable(text({ description: "First two digits of the landlord's postal code in Spain" })),
  property: nullable(text({ max: 500, description: 'Name of the rented property' })),
  place: PLACE,
  rate: percent(),
  ...SUMS,
  drilldown: nullable(text({ max: 500 })),
});
type Row = Static<typeof ROW>;
/** Columns of files: the parts of the address are in the record of the property. */
const COLUMNS = ['name', 'nif', 'country', 'province', 'property', 'rate', 'base', 'withheld'];
type Money = (value: Decimal) => number;

export const model115Report = defineReport({
  name: 'tax/model115',
  title: { en: 'Model 115: income tax withheld from rents', es: 'Modelo 115: retenciones de alquileres' },
  description: 'Box by box: what entries of rents (account 621) withheld, by their days, and by landlord.',
  cents: true,
  area: 'accounting',
  parameters: QUARTER_OR_MONTH,
  data: Type.Object({
    year: YEAR,
    period: text(),
    type: choice(['I', 'N'], { description: 'I: to pay, N: nothing' }),
    ...FILED_DATA,
    rows: Type.Array(ROW, { description: 'As the books have them: the form does not name landlords' }),
  }),
  summary: Type.Object({ ...SUMS, result: amount({ description: 'Box 05' }) }),
  consistent: true,
  check: checkPeriodic,
  read: async (request) => await readPaid(request, DECLARATION_115, toRow),
  formats: {
    aeat: paymentFile('115', file115),
  },
  file: (view) => ({
    ...formFile(FORM_115, view, { period: `${view.data.year} ${view.data.period}`, counts: COUNTS_115 }),
    tables: [{ row: ROW, rows: view.data.rows, totals: view.summary, columns: COLUMNS }],
  }),
});

export const model180Report = defineReport({
  name: 'tax/model180',
  title: { en: 'Model 180: rents of a year', es: 'Modelo 180: resumen anual de alquileres' },
  description: 'A row for each landlord, property and percentage; the sums are those of the models 115 of the year.',
  cents: true,
  area: 'accounting',
  parameters: { year: Type.Optional(YEAR) },
  data: Type.Object({
    year: YEAR,
    ...FILED_DATA,
    rows: Type.Array(ROW),
    changed_rows: changedRows(ROW),
    missing: MISSING,
  }),
  summary: Type.Object(SUMS),
  consistent: true,
  check: assertSpanish,
  read: async (request) =>
    await readSummary(request, DECLARATION_180, {
      toRow,
      detailed: (details) => details.rents,
      identify: ({ partner_id, place, rate }) => [partner_id, place?.id, rate],
      lacks: (row) => missing180({ ...row, partnerId: row.partner_id, property: row.place }),
    }),
  formats: {
    aeat: summaryFile('180', { toRecord: toRents, isNegative: isNegative180, write: file180 }),
  },
  file: (view) => ({
    ...formFile(FORM_180, view, { period: String(view.data.year), counts: COUNTS_115 }),
    tables: [{ row: ROW, rows: view.data.rows, totals: view.summary, columns: COLUMNS }],
  }),
});

function toRow(rent: Rent, days: Days, money: Money) {
  const { partnerId, name, nif, country, rate, base, withheld } = rent;
  // Returns filed before the file was written have neither provinces nor properties.
  const { province = null, property = null }: Partial<Rent> = rent;
  return {
    ...{ partner_id: partnerId, name, nif, country, province, property: property?.name ?? null },
    place: property && toPlace(property),
    ...{ rate: Number(rate), base: money(base), withheld: money(withheld) },
    drilldown: partnerId && invoicesPath('purchases', partnerId, days),
  };
}

function toPlace({ id, street, number, stairs, floor, door, details, municipality, ...property }: RentedPlace) {
  return {
    ...{ id, cadastral_reference: property.cadastralReference, street_type: property.streetType, street },
    ...{ number, stairs, floor, door, details, municipality },
    ...{ municipality_code: property.municipalityCode, zip_code: property.zipCode },
  };
}

/** The rent that a row shows, with exact amounts; none if it has no property, which is listed as missing. */
function toRents({ name, nif, province, property, place, rate, base, withheld }: Row): Rent180[] {
  if (place === null) return [];
  const exact = (value: number) => decimal(value).toFixed();
  const { id, street, number, stairs, floor, door, details, municipality, ...rest } = place;
  return [
    {
      ...{ name: name ?? '', nif: nif ?? '', province: province ?? '' },
      ...{ rate: exact(rate), base: exact(base), withheld: exact(withheld) },
      property: {
        ...{ id, name: property ?? '', street, number, stairs, floor, door, details, municipality },
        ...{ cadastralReference: rest.cadastral_reference, streetType: rest.street_type },
        ...{ municipalityCode: rest.municipality_code, zipCode: rest.zip_code },
      },
    },
  ];
}
