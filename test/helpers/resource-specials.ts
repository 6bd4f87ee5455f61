/** Values that the schemas of declared resources do not determine: one line for each such field. */

import { randomUUID } from 'node:crypto';
import type { AccountType } from '../../domain/ledger/accounting/charts/chart.ts';
import { checkDigit } from '../../domain/records/barcodes.ts';
import { accounts } from '../../services/records/master-data/accounts.ts';
import { assetGroups } from '../../services/records/master-data/asset-groups.ts';
import { budgets } from '../../services/records/master-data/budgets.ts';
import type { Row } from '../../services/records/resources/field.ts';
import type { ResourceBodies } from './resource-bodies.ts';

/**
 * @param number differs at every call
 * @param current the resource as it is, or the members of its body so far
 */
type SpecialValue = (number: number, current: Row, bodies: ResourceBodies) => unknown;

const EMPLOYEE_TERMS: Readonly<Record<string, SpecialValue>> = {
  payments: (_number, { payments }) => (payments === 12 ? 14 : 12),
  irpfRate: (number) => number % 47,
};

/** Another company of the caller. */
const aCompany: SpecialValue = async (number, _current, bodies) =>
  (await bodies.client.post('/api/tenants', { name: `Company ${number}`, taxId: 'B24680241', country: 'ES' })).body.data
    .id;

const accountTyped =
  (type: AccountType): SpecialValue =>
  async (_number, _current, bodies) =>
    (await bodies.create(accounts, 'required', { type, isHeading: false, active: true })).row.id;
const anAccount = accountTyped('asset');

/** Values by resource and field. */
export const SPECIAL_VALUES: Readonly<Record<string, Readonly<Record<string, SpecialValue>>>> = {
  Absence: {
    from: (number, { from, to }) => within(from, to, number, -1),
    to: (number, { from, to }) => within(to, from, number, 1),
    days: (_number, { days }) => (days === 0.5 ? 1 : 0.5),
  },
  BankAccount: {
    iban: (number) => iban(number),
    bic: (_number, { bic }) => (bic === 'DEUTDEFF500' ? 'BBVAESMM' : 'DEUTDEFF500'),
  },
  AssetGroup: {
    accumulatedAccountId: anAccount,
    expenseAccountId: anAccount,
    method: (_number, { method }) => (method === 'digits' ? 'linear' : 'digits'),
    maxPercent: (number) => 1 + (number % 90),
    maxYears: (number) => 1 + (number % 90),
    usefulLifeMonths: (number) => 1 + (number % 900),
  },
  Asset: {
    groupId: async (_number, _current, bodies) =>
      (
        await bodies.create(assetGroups, 'required', {
          ...{ accumulatedAccountId: await anAccount(0, {}, bodies), expenseAccountId: await anAccount(0, {}, bodies) },
          usefulLifeMonths: 60,
        })
      ).row.id,
    // Bodies leave it out; where it is refused, any line will do.
    documentLineId: () => randomUUID(),
    acquiredOn: () => '2026-01-01',
    inUseOn: (number) => `2026-02-${String(1 + (number % 28)).padStart(2, '0')}`,
    cost: (number) => 10_000 + number,
    residualValue: (number) => number % 1000,
  },
  BankRule: {
    account_id: async (_number, _current, bodies) =>
      (await bodies.create(accounts, 'required', { type: 'expense' })).row.id,
    amount_from: (number) => number,
    amount_to: (number) => 1000 + number,
  },
  Account: {
    parentId: async (_number, _current, bodies) =>
      (await bodies.create(accounts, 'required', { isHeading: true })).row.id,
  },
  ItemBarcode: {
    barcode: (number) => {
      const digits = String(number).padStart(12, '0');
      return `${digits}${checkDigit(digits)}`;
    },
  },
  BudgetVersion: {
    fiscalYear: (number) => 2000 + (number % 100),
    status: (_number, { status }) => (status === 'draft' ? 'approved' : 'draft'),
  },
  BudgetLine: {
    budgetId: async (number, _current, bodies) =>
      (await bodies.create(budgets, 'required', { fiscalYear: 2026, name: `Budget ${number}` })).row.id,
    account: (number) => ['62', '621', '629', '60', '600', '70', '700'][number % 7],
    month: (number) => `2026-${String((number % 12) + 1).padStart(2, '0')}-01`,
  },
  GroupCompany: {
    companyId: aCompany,
    ownershipPercent: (number) => 1 + (number % 90),
    leftOn: (number) => dayAfter('2051-01-01', number),
  },
  GroupAccountMapping: {
    beginning: (number) => String(number),
  },
  GroupAdjustment: {
    lines: async (number, _current, bodies) => {
      const line = { accountId: await anAccount(0, {}, bodies), amount: 1 + (number % 900) };
      return [
        { ...line, side: 'debit' },
        { ...line, side: 'credit' },
      ];
    },
    reversesOn: (number) => dayAfter('2051-01-01', number),
  },
  ParentCompany: { companyId: aCompany },
  RentedProperty: {
    cadastralReference: (number) => String(number).padStart(20, '0'),
    streetType: (_number, { streetType }) => (streetType === 'AV' ? 'CL' : 'AV'),
    stairs: (number) => String(number % 900),
    floor: (number) => String(number % 900),
    door: (number) => String(number % 900),
    municipalityCode: (number) => String(number % 90000).padStart(5, '0'),
    zipCode: (number) => `28${String(number % 900).padStart(3, '0')}`,
  },
  ReorderRule: {
    minimum: (number) => number % 100,
    maximum: (number) => 100 + number,
  },
  CustomField: {
    // Tables that the checks of other resources do not use.
    table_name: (_number, current) => (current.table_name === 'Employee' ? 'SalesOrder' : 'Employee'),
    field_name: (number) => `field_${number}`,
    type: (_number, { type }) => (type === 'TEXT' ? 'TEXTAREA' : 'TEXT'),
    default_value: (_number, current) => (current.default_value === 'one' ? 'two' : 'one'),
    validation_regex: (number) => `one|two|${number}`,
  },
  Employee: {
    ...EMPLOYEE_TERMS,
    nif: (number) => spanishNif(number),
    hireDate: (number) => dayAfter('1990-01-01', number),
    endDate: (number) => dayAfter('2090-01-01', number),
    socialSecurityNumber: (number) => socialSecurityNumber(number),
    iban: (number) => iban(number),
  },
  EmployeeCostShare: {
    // All of an employee add up to the whole at most.
    percent: (number) => ((number % 900) + 1) / 1000,
  },
  EmployeeContract: {
    ...EMPLOYEE_TERMS,
    from: (number, { from, to }) => within(from, to, number, -1),
    to: (number, { from, to }) => within(to, from, number, 1),
  },
  Item: {
    // Services have no stock.
    type: (_number, { type }) => (type === 'product' ? 'service' : 'product'),
    stockTracked: (_number, { stockTracked }) => stockTracked === false,
  },
  Partner: {
    // Countries whose tax ids are not checked.
    countryCode: (_number, { countryCode }) => (countryCode === 'US' ? 'CA' : 'US'),
    nif: (number) => `NIF${number}`,
    iban: (number) => iban(number),
    dir3AccountingOffice: (number) => `L0${number}`,
    dir3ManagingBody: (number) => `L1${number}`,
    dir3ProcessingUnit: (number) => `L2${number}`,
    dir3ProposingBody: (number) => `L3${number}`,
    companyId: aCompany,
    language: (_number, { language }) => (language === 'pt-PT' ? 'fr-FR' : 'pt-PT'),
  },
  EntryTemplate: {
    lines: async (number, _current, bodies) => {
      const accountId = await anAccount(0, {}, bodies);
      const rest = { partnerId: null, costCenterId: null, projectId: null, description: null };
      const shared = { accountId, percent: null, amount: 1 + (number % 900), ...rest };
      return [
        { ...shared, side: 'debit' },
        { ...shared, side: 'credit' },
      ];
    },
  },
  Loan: {
    longTermAccountId: accountTyped('liability'),
    shortTermAccountId: accountTyped('liability'),
    interestAccountId: accountTyped('expense'),
    bankAccountId: anAccount,
    startsOn: (number) => dayAfter('2026-01-01', number % 28),
    firstDueOn: (number) => dayAfter('2026-02-01', number % 28),
    method: (_number, { method }) => (method === 'linear' ? 'bullet' : 'linear'),
    principal: (number) => 1000 + number,
    annualRate: (number) => 1 + (number % 90),
    instalments: (number) => 1 + (number % 400),
  },
  PayItem: {
    from: (number, { from, to }) => within(from, to, number, -1),
    to: (number, { from, to }) => within(to, from, number, 1),
  },
  PaymentTerms: {
    lines: (number) => [
      { percent: 40, days: number % 90, endOfMonth: true },
      { percent: null, days: 90, endOfMonth: false },
    ],
  },
  Period: {
    from: (number, { from }) => (from === undefined ? `${2100 + number}-01-01` : dayAfter(String(from), 1)),
    to: (_number, { from, to }) => (to === undefined ? `${String(from).slice(0, 4)}-12-31` : dayAfter(String(to), -1)),
    // A closed one does not change.
    status: (_number, { status }) => (status === 'O' ? 'C' : 'O'),
    // Areas that the checks of other resources do not use.
    lockedAreas: (_number, { lockedAreas }) => (String(lockedAreas) === 'payroll' ? ['bank'] : ['payroll']),
  },
  Price: {
    validTo: (number) => dayAfter('2051-01-01', number),
  },
  PriceList: {
    validTo: (number) => dayAfter('2051-01-01', number),
  },
  PriceRule: {
    validTo: (number) => dayAfter('2051-01-01', number),
    adjustmentPercent: (number) => number % 100,
  },
  DunningLevel: {
    level: (number) => 1 + (number % 999),
  },
  CommissionRate: {
    validTo: (number) => dayAfter('2051-01-01', number),
  },
  Promotion: {
    validFrom: (number, { validFrom, validTo }) => within(validFrom, validTo, number, -1),
    validTo: (number, { validFrom, validTo }) => within(validTo, validFrom, number, 1),
  },
  SepaMandate: {
    reference: (number) => `MANDATE-${number}`,
    iban: (number) => iban(number),
    bic: (_number, { bic }) => (bic === 'DEUTDEFF500' ? 'BBVAESMM' : 'DEUTDEFF500'),
  },
  Series: {
    docType: () => 'SINV', // only invoices have series for rectifying ones
    nextNumber: (number, { firstNumber }) => Number(firstNumber ?? 1) + number,
  },
  Tax: {
    validTo: (number) => dayAfter('2051-01-01', number),
  },
};

/** Members that change with another one, by resource and the member that is sent. */
export const FOLLOWERS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  Absence: { from: ['days'], to: ['days'] },
  Asset: { inUseOn: ['endsOn'], partialMonths: ['endsOn'] },
  Category: { parentId: ['depth'] },
  Series: { firstNumber: ['nextNumber'] },
};

/** Members that the database computes from others of the row. */
export const COMPUTED: Readonly<Record<string, readonly string[]>> = {
  Asset: ['netBookValue'],
};

/** Members of which just one has a value, by resource. */
export const ONE_OF: Readonly<Record<string, readonly string[]>> = {
  Asset: ['cost'],
  BankRule: ['text', 'counterparty_id'],
  EmployeeCostShare: ['projectId', 'costCenterId'],
  Price: ['price', 'discountPercent'],
};

/** Members that are unique and have a default: one record alone can do without them. */
export const UNIQUE_DEFAULTS: Readonly<Record<string, readonly string[]>> = {
  Series: ['prefix'],
};

/** Members that the bodies leave out: they do not go together with the others, or are not for users. */
export const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  // Of an invoice; taken over from other books; written by a disposal; not for all methods.
  Asset: ['documentLineId', 'accumulated', 'depreciatedTo', 'disposedOn', 'method', 'percent', 'usefulLifeMonths'],
  Loan: ['nextDueOn'], // written by the drawing
  BudgetVersion: ['isDefault'], // only of an approved one
  Absence: ['refusalReason', 'decidedBy', 'decidedAt'], // written by decisions
  CommissionRate: ['categoryId'], // either this or itemId
  CustomField: ['plugin_id', 'options'],
  ItemBarcode: ['kind', 'uomId'], // another form; one of the item's units
  Item: ['serialTracked', 'kit'], // one needs stock, and makes it tracked by batch; the other has none
  // One scope each, and no price: with the basis item there is none.
  PriceRule: [
    'categoryId',
    'partnerGroupId',
    'priceListId',
    'basis',
    'price',
    'includesTax',
    'basisPriceListId',
    'combines',
  ],
  Salesperson: ['partnerId', 'employeeId'], // one of them; a partner has a salesperson, who would have a partner
  // Only where no VAT is charged, and only of VAT without a surcharge.
  Tax: ['exemptionReason', 'exemptionArticle', 'consumptionCountry', 'rateKind'],
};

/** A day (YYYY-MM-DD) so many days later. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

/** A day of an employment that is not the present one, on the right side of another. */
function within(present: unknown, other: unknown, number: number, side: -1 | 1): string {
  if (present !== undefined) return dayAfter(String(present), side);
  return other === undefined ? dayAfter('2050-01-01', 20 * number) : dayAfter(String(other), side * 5);
}

/** Returns the tax id of a Spanish natural person. */
function spanishNif(number: number): string {
  return `${String(number).padStart(8, '0')}${'TRWAGMYFPDXBNJZSQVHLCKE'[number % 23]}`;
}

/** A Spanish social security number of Madrid. */
function socialSecurityNumber(number: number): string {
  const digits = `28${String(number).padStart(7, '0')}`;
  return `280${digits.slice(2)}${String(Number(digits) % 97).padStart(2, '0')}`;
}

/** Returns a German IBAN with correct check digits; German account numbers have none. */
function iban(number: number): string {
  const account = String(number).padStart(18, '0');
  const remainder = BigInt(`${account}131400`) % 97n; // DE as 1314
  return `DE${String(98n - remainder).padStart(2, '0')}${account}`;
}
