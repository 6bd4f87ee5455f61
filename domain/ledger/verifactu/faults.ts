/**
 * Finds what keeps an invoice from being issued: the rules of invoices, and the tax agency's own validations (AEAT, validations and errors,
 * version 1.2.2), so that nothing is sent which it would refuse. Codes name the agency's error.
 */
import type { FieldError } from '../../errors.ts';
import { isPersonsTaxId } from '../../identifiers.ts';
import { type Decimal, decimal } from '../../money.ts';
import type { Detail, Registration } from './records.ts';
import { absoluteTotal } from './registration.ts';

/** The first day of which the agency takes invoices. */
const FIRST_DAY = '2024-10-28';
const MAX_NUMBER = 60;
const MAX_DETAILS = 12;
const MAX_ID = 20;
/** Rates of VAT that the agency knows, of which some ended. */
const RATES: readonly Decimal[] = ['0', '4', '10', '21'];
/** Surcharges by rate of VAT. */
const SURCHARGES: Readonly<Record<string, readonly Decimal[]>> = { '21': ['5.2', '1.75'], '10': ['1.4'], '4': ['0.5'] };

export interface IssueRules {
  /** Today in the company's time zone. */
  readonly today: string;
  /** The most that a simplified invoice may be of, with taxes (RD 1619/2012, art. 4). */
  readonly simplifiedLimit: Decimal;
  /** Whether street and town are known: of the company, and of the customer as the invoice states them. */
  readonly hasCompanyAddress: boolean;
  readonly hasCustomerAddress: boolean;
}

/** Finds what is wrong with the record of an invoice; pointers name members of the document. */
export function registrationFaults(record: Registration, rules: IssueRules): FieldError[] {
  return [
    ...keyFaults(record, rules),
    ...recipientFaults(record, rules),
    ...addressFaults(record, rules),
    ...(record.details.length > MAX_DETAILS
      ? [fault('/lines', '1195', `cannot be taxed in more than ${MAX_DETAILS} ways; divide it into several invoices`)]
      : []),
    ...record.details.flatMap((detail) => detailFaults(record, detail)),
  ];
}

function fault(pointer: string, error: string, message: string): FieldError {
  return { pointer, code: `verifactu_${error}`, message };
}

function keyFaults({ invoice, operationDate }: Registration, { today }: IssueRules): FieldError[] {
  const faults: FieldError[] = [];
  if (!/^[ -~]+$/.test(invoice.number) || /["'<>=]/.test(invoice.number) || invoice.number.length > MAX_NUMBER)
    faults.push(
      fault(
        '/seriesId',
        '1287',
        `makes the number ${invoice.number}, which must have at most ${MAX_NUMBER} letters without accents, digits and signs, ` +
          `and none of " ' < > =; change prefix and suffix of the series`,
      ),
    );
  if (invoice.date > today) faults.push(fault('/date', '1112', `must not be after today, ${today}`));
  if (invoice.date < FIRST_DAY) faults.push(fault('/date', '1152', `must not be before ${FIRST_DAY}`));
  if (operationDate !== undefined && operationDate > today)
    faults.push(fault('/operationDate', '1173', `must not be after today, ${today}`));
  if (operationDate !== undefined && operationDate < twentyYearsBefore(today))
    faults.push(fault('/operationDate', '1134', 'must not be more than 20 years ago'));
  return faults;
}

function twentyYearsBefore(day: string): string {
  return `${Number(day.slice(0, 4)) - 20}${day.slice(4)}`;
}

function recipientFaults(record: Registration, { simplifiedLimit }: IssueRules): FieldError[] {
  if (record.recipients === undefined) {
    if (decimal(absoluteTotal(record)).lte(simplifiedLimit)) return [];
    const message = `must have a tax id because the invoice is of more than ${simplifiedLimit}, so that it cannot be simplified`;
    return [fault('/partnerId', '1150', message)];
  }
  return record.recipients.flatMap(({ taxId, other }) => {
    if (taxId === undefined && other === undefined)
      return [fault('/partnerId', '1189', 'must have a tax id because the invoice that is rectified names one')];
    if (other !== undefined && other.id.length > MAX_ID)
      return [fault('/partnerId', '1100', `must have a tax id of at most ${MAX_ID} characters`)];
    return [];
  });
}

/** Addresses of both, which only simplified invoices and persons who are no business may leave out (RD 1619/2012, art. 6.1.e). */
function addressFaults({ recipients }: Registration, rules: IssueRules): FieldError[] {
  if (recipients === undefined) return [];
  const faults: FieldError[] = [];
  if (!rules.hasCompanyAddress) {
    const message = 'cannot be posted because the company has no address with a town: PUT /api/company';
    faults.push({ pointer: '', code: 'no_company_address', message });
  }
  const isBusiness = recipients.some(({ taxId }) => taxId === undefined || !isPersonsTaxId('ES', taxId));
  if (isBusiness && !rules.hasCustomerAddress) {
    const message = 'must have street and city because the invoice is not a simplified one';
    faults.push({ pointer: '/billingAddress', code: 'no_address', message });
  }
  return faults;
}

function detailFaults({ recipients = [] }: Registration, detail: Detail): FieldError[] {
  const { tax, qualification, exemption, rate, surchargeRate } = detail;
  const faults: FieldError[] = [];
  if (tax === '01' && qualification === 'S1' && rate !== undefined) {
    if (!includes(RATES, rate))
      faults.push(fault('/lines', '1124', `cannot be taxed at ${rate} % because no such rate of VAT is in force`));
    const pairs = SURCHARGES[decimal(rate).toFixed()] ?? [];
    if (surchargeRate !== undefined && !includes(pairs, surchargeRate))
      faults.push(
        fault(
          '/lines',
          '1127',
          `cannot have a surcharge of ${surchargeRate} % with ${rate} % because the law has no such pair`,
        ),
      );
  }
  if (exemption === 'E5' && recipients.some(({ other }) => other === undefined))
    faults.push(
      fault(
        '/partnerId',
        '1289',
        'must have the VAT number of another member of the European Union for an intra-EU supply',
      ),
    );
  return faults;
}

function includes(values: readonly Decimal[], value: Decimal): boolean {
  return values.some((one) => decimal(one).eq(value));
}
