/** What the API has of the income tax on wages. */
import { Type } from 'typebox';
import { type Decimal, decimal, toNumber } from '../../domain/money.ts';
import { type IncomeTax, incomeTaxOf } from '../../services/payroll/income-tax.ts';
import { readTaxData, replaceTaxData, TAX_DATA, TaxDataInput } from '../../services/people/tax-data.ts';
import { amount, dataOf, day, flag, integer, nullable, uuid } from '../../services/validation/schemas.ts';
import { ok } from '../respond.ts';
import { defineRoute, type Route } from '../route.ts';

const TAG = 'People';
const EMPLOYEE = Type.Object({ id: uuid() });
const TaxData = Type.Object(
  {
    id: uuid({ description: 'Of the employee' }),
    ...TAX_DATA,
    version: integer({ description: '0 until something is told' }),
  },
  { title: 'EmployeeTaxData' },
);

const GROSS = { description: 'In money and in kind' };
const PAY = {
  gross: amount({ places: 2, ...GROSS }),
  contributions: amount({ places: 2, description: 'Of the employee' }),
};
const WITHHELD = { withheld: amount({ places: 2, description: 'Income tax' }) };
const MONTHS = { months: Type.Array(integer({ minimum: 1, maximum: 12 }), { description: 'Months of the year' }) };

const IncomeTaxInput = Type.Object(
  {
    date: Type.Optional(
      nullable(
        day({ description: 'Pay from its month on is still to come, unless its payroll is posted; today by default' }),
      ),
    ),
    year: Type.Optional(
      nullable(
        integer({
          minimum: 1900,
          maximum: 9998,
          description: 'Instead of `date`: from today in the present year, else the whole',
        }),
      ),
    ),
    before: Type.Optional(
      nullable(
        Type.Object(
          {
            gross: amount({ places: 2, minimum: 0, ...GROSS }),
            contributions: amount({ places: 2, minimum: 0, description: 'Of the employee' }),
            withheld: amount({ places: 2, minimum: 0, description: 'Income tax' }),
          },
          {
            additionalProperties: false,
            description: 'What was paid in the year before payrolls were kept in this service',
          },
        ),
      ),
    ),
    apply: Type.Optional(
      nullable(flag({ default: false, description: 'Whether the contract in force gets the percentage' })),
    ),
  },
  { additionalProperties: false },
);

const Result = Type.Object(
  {
    employeeId: uuid(),
    contractId: uuid(),
    date: day(),
    year: integer(),
    currentRate: amount({ places: 2, description: 'Of the contract until now' }),
    rate: amount({
      places: 2,
      description: 'For the rest of the year: what is left of the tax, of the pay still expected',
    }),
    applied: flag({ description: 'Whether the contract has it now' }),
    taxData: Type.Object(TAX_DATA, { description: 'What the employee has told' }),
    paid: Type.Object(
      { ...MONTHS, ...PAY, ...WITHHELD },
      { description: 'By posted payrolls of the year, and `before`' },
    ),
    expected: Type.Object(
      { ...MONTHS, ...PAY },
      { description: 'By contracts and pay items, until the end of the year' },
    ),
    steps: Type.Object(
      {
        ...PAY,
        expenses: amount({ description: 'That everybody has' }),
        reduction: amount({ description: 'For low income' }),
        manyChildren: amount({ description: 'For more than two children' }),
        base: amount({ description: 'What is left of the gross' }),
        taxOfBase: amount({ description: 'What the scale takes of the base' }),
        minimum: amount({ description: 'Free of tax, for the person and the children' }),
        taxOfMinimum: amount({ description: 'What it takes of the minimum, which is taken off' }),
        exempt: amount({ description: 'The yearly pay up to which nothing is withheld' }),
        cap: nullable(amount({ description: '43 % of what exceeds it; null for pay above 35,200' })),
        tax: amount({ description: 'Of the year' }),
        rate: amount({ places: 2, description: 'Of the year as a whole' }),
      },
      { description: 'How the tax of the year is worked out' },
    ),
  },
  { title: 'IncomeTax' },
);

export const routes: Route[] = [
  defineRoute({
    tag: TAG,
    method: 'GET',
    path: '/api/employees/:id/tax-data',
    id: 'getEmployeeTaxData',
    summary: 'What an employee has told of family and age',
    description:
      'The income tax on wages follows from it. Until it is told, the employee counts as having no children.',
    access: 'payroll:read',
    params: EMPLOYEE,
    responses: { 200: dataOf(TaxData) },
    handler: async ({ reader, params }) => shown(params.id, await readTaxData(reader, params.id)),
  }),
  defineRoute({
    tag: TAG,
    method: 'PUT',
    path: '/api/employees/:id/tax-data',
    id: 'replaceEmployeeTaxData',
    summary: 'Replace what an employee has told of family and age',
    description: `Members left out return to their defaults. Percentages that were worked out before stay until \`…/irpf\` is asked again.`,
    access: 'payroll:update',
    params: EMPLOYEE,
    body: TaxDataInput,
    responses: { 200: dataOf(TaxData) },
    handler: async ({ db, ctx, params, body, ifMatch }) =>
      shown(params.id, await replaceTaxData(db, ctx, params.id, body, ifMatch)),
  }),
  defineRoute({
    tag: TAG,
    method: 'POST',
    path: '/api/employees/:id/irpf',
    id: 'workOutIncomeTax',
    summary: 'Work out the percentage of income tax',
    description: `By the agency's algorithm of the year. Until a payroll of the year is posted it is that of the whole year. Later it
regularises: what is left of the year's tax, of the pay still expected.

With \`apply: true\` the contract in force gets it. Drafts of payrolls that exist already keep theirs.`,
    access: 'payroll:update',
    problems: ['invalid_transition'],
    params: EMPLOYEE,
    body: IncomeTaxInput,
    responses: { 200: dataOf(Result) },
    async handler({ db, ctx, caller, params, body }) {
      const { date, year, before, apply } = body;
      const request = { date, year, before: before == null ? null : exact(before), apply: apply === true };
      return ok(toJson(params.id, await incomeTaxOf({ trx: db, ctx, role: caller.role }, params.id, request)));
    },
  }),
];

function shown(id: string, { family, version }: Awaited<ReturnType<typeof readTaxData>>) {
  return ok({ id, ...family, version });
}

function exact({ gross, contributions, withheld }: { gross: number; contributions: number; withheld: number }) {
  const text = (value: number) => decimal(value).toFixed();
  return { gross: text(gross), contributions: text(contributions), withheld: text(withheld) };
}

function toJson(employeeId: string, { contract, family, paid, expected, yearly, ...rest }: IncomeTax) {
  const { date, year, rate, applied } = rest;
  return {
    employeeId,
    contractId: contract.id,
    date,
    year,
    currentRate: toNumber(contract.irpfRate),
    rate: toNumber(rate),
    applied,
    taxData: { ...family },
    paid: { ...numbers(paid), months: paid.months },
    expected: { ...numbers(expected), months: expected.months },
    steps: { ...numbers(yearly), cap: yearly.cap === null ? null : toNumber(yearly.cap) },
  };
}

/** The members that are amounts, as numbers. */
function numbers<Amounts extends object>(amounts: Amounts) {
  const entries = Object.entries(amounts).filter((entry): entry is [string, Decimal] => typeof entry[1] === 'string');
  return Object.fromEntries(entries.map(([name, value]) => [name, toNumber(value)])) as {
    [Member in keyof Amounts]: number;
  };
}
