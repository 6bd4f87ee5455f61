/** Routes of the income tax on wages. */
import { Type } from 'typebox';
import { type Decimal, decimal, optionalNumber, toNumber } from '../../../domain/money.ts';
import { dataBody, uuid } from '../../../services/platform/validation/schemas.ts';
import { readTaxData, replaceTaxData, TaxDataInput } from '../../../services/records/people/tax-data.ts';
import { computeIncomeTax, type IncomeTax } from '../../../services/staff/payroll/income-tax.ts';
import { Regularisation, type Regularised, regularise } from '../../../services/staff/payroll/regularise.ts';
import { ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';
import { IncomeTaxInput, IncomeTaxResult, RegularisedRate, TaxData } from './income-tax-schemas.ts';

const TAG = 'People';
const EMPLOYEE = Type.Object({ id: uuid() });
export const routes: Route[] = [
  defineRoute({
    tag: TAG,
    method: 'GET',
    path: '/api/employees/:id/tax-data',
    id: 'getEmployeeTaxData',
    summary: 'Tax data of an employee',
    description:
      'Age and family determine the income tax on wages. Without data, the employee counts as having no children.',
    access: 'payroll:read',
    params: EMPLOYEE,
    responses: { 200: dataBody(TaxData) },
    handler: async ({ reader, params }) => shown(params.id, await readTaxData(reader, params.id)),
  }),
  defineRoute({
    tag: TAG,
    method: 'PUT',
    path: '/api/employees/:id/tax-data',
    id: 'replaceEmployeeTaxData',
    summary: 'Replace the tax data of an employee',
    description: `Omitted members return to their defaults. Percentages computed before remain until \`…/irpf\` is called again.`,
    access: 'payroll:update',
    params: EMPLOYEE,
    body: TaxDataInput,
    responses: { 200: dataBody(TaxData) },
    handler: async ({ db, ctx, params, body, ifMatch }) =>
      shown(params.id, await replaceTaxData(db, ctx, params.id, body, ifMatch)),
  }),
  defineRoute({
    tag: TAG,
    method: 'POST',
    path: '/api/employees/:id/irpf',
    id: 'workOutIncomeTax',
    whenFull: 'works',
    summary: 'Compute the income tax percentage',
    description: `Uses the agency's algorithm of the year. Until a payroll of the year is posted, computes the percentage of the whole year.
Afterwards, regularises it: the remaining tax of the year divided by the pay still expected.

With \`apply: true\` sets it in the current contract and later ones of the year. Drafts of payrolls keep theirs.`,
    access: 'payroll:update',
    problems: ['invalid_transition'],
    params: EMPLOYEE,
    body: IncomeTaxInput,
    bodyOptional: true,
    responses: { 200: dataBody(IncomeTaxResult) },
    async handler({ db, ctx, caller, params, body }) {
      const { date, year, before, apply } = body ?? {};
      const request = { date, year, before: before == null ? null : exact(before), apply: apply === true };
      return ok(toJson(params.id, await computeIncomeTax({ trx: db, ctx, role: caller.role }, params.id, request)));
    },
  }),
  defineRoute({
    tag: 'Payroll',
    method: 'POST',
    path: '/api/payrolls/regularise',
    id: 'regulariseIncomeTax',
    summary: 'Compute the income tax percentages of several employees',
    description: `Like \`/api/employees/:id/irpf\`, for the rest of the year from a month on. Skips employees without a percentage, and
gives the reason. With \`apply: true\` sets the percentages in the contracts, all or none.`,
    access: 'payroll:update',
    body: Regularisation,
    responses: { 200: dataBody(Type.Array(RegularisedRate)) },
    handler: async ({ db, ctx, caller, body }) =>
      ok((await regularise({ trx: db, ctx, role: caller.role }, body)).map(toRate)),
  }),
];

function toRate({ employee, found }: Regularised) {
  const { id: employeeId, code, name } = employee;
  if (typeof found === 'string')
    return { employeeId, code, name, currentRate: null, rate: null, applied: false, reason: found };
  const { contract, rate, applied } = found;
  const rates = { currentRate: toNumber(contract.irpfRate), rate: toNumber(rate) };
  return { employeeId, code, name, ...rates, applied, reason: null };
}

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
    steps: { ...numbers(yearly), cap: optionalNumber(yearly.cap) },
  };
}

/** Converts amounts to numbers. */
function numbers<Amounts extends object>(amounts: Amounts) {
  const entries = Object.entries(amounts).filter((entry): entry is [string, Decimal] => typeof entry[1] === 'string');
  return Object.fromEntries(entries.map(([name, value]) => [name, toNumber(value)])) as {
    [Member in keyof Amounts]: number;
  };
}
