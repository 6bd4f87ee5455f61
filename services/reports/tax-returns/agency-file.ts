/** The file of a model for the tax agency, as a format of its report. */
import { type Static, Type } from 'typebox';
import { refusedParameter } from '../../../domain/errors.ts';
import { normalizeIban } from '../../../domain/identifiers.ts';
import type { BoxValues } from '../../../domain/ledger/tax-returns/boxes.ts';
import type { WithheldFile } from '../../../domain/ledger/tax-returns/file111.ts';
import type { Declarant, Missing } from '../../../domain/ledger/tax-returns/informative.ts';
import { decimal } from '../../../domain/money.ts';
import type { CompanySettings } from '../../platform/settings/definitions.ts';
import { nullable, text } from '../../platform/validation/schemas.ts';
import type { ReportRequest } from '../engine/declaration.ts';
import { type FILED, rectificationIn, requestedPeriod, requestedYear } from './tax-model.ts';

/** The first year whose files have the designs of models 111, 115, 347 and 349. */
const SINCE = 2020;
/** Names in a message. */
const MOST_NAMES = 5;

export const MISSING = Type.Array(
  Type.Object({
    name: text({ max: 500, min: 0 }),
    record: nullable(text({ max: 500, description: 'Its path; null: an entry names nobody' })),
    member: text({ description: 'Its member that is empty; property: no property of the landlord has the rent' }),
  }),
  { description: 'What the file for the agency (`format=aeat`) needs of the rows, and they do not have' },
);

export const AGENCY_FILE = { type: 'text/plain; charset=iso-8859-1' } as const;

/** @throws ServiceError invalid_parameter for a year before the design */
export function assertDesign(year: number, since = SINCE): void {
  if (year < since)
    throw refusedParameter('year', `must be ${since} or later, because the file has the current design`);
}

/** @throws ServiceError invalid_parameter naming people without what the agency demands */
export function assertIdentified(missing: readonly { readonly name: string }[]): void {
  if (missing.length === 0) return;
  throw refusedParameter(
    'format',
    `cannot be aeat, because the agency demands a tax id, and of people in Spain a postal code: ${listNames(missing)}`,
  );
}

/**
 * @param missing what records lack that the agency demands
 * @throws ServiceError invalid_parameter naming the first of it
 */
function assertComplete(missing: readonly Missing[], isFiled: boolean): void {
  if (missing.length === 0) return;
  const list = listNames(missing.map(({ name, member }) => ({ name: `${name} (${member})` })));
  throw refusedParameter(
    'format',
    isFiled
      ? `cannot be aeat, because the return was filed without this; complete it, undo the return and file it again: ${list}`
      : `cannot be aeat before this is complete (data.missing has the records): ${list}`,
  );
}

/** @throws ServiceError invalid_parameter naming those whose amounts the file cannot contain */
export function assertNotNegative(negative: readonly { readonly name: string }[]): void {
  if (negative.length === 0) return;
  throw refusedParameter('format', `cannot be aeat, because these amounts are below 0: ${listNames(negative)}`);
}

function listNames(people: readonly { readonly name: string }[]): string {
  const names = [...new Set(people.map(({ name }) => name))];
  const more = names.length > MOST_NAMES ? ', …' : '';
  return `${names.slice(0, MOST_NAMES).join(', ')}${more}`;
}

/** @returns null if it is not the IBAN of a Spanish account */
function spanishIban(iban: string): string | null {
  const known = normalizeIban(iban);
  return known?.startsWith('ES') === true ? known : null;
}

/**
 * Checks the account that a request names, before anything is read.
 * @throws ServiceError invalid_parameter for an account that is not Spanish
 */
export function assertSpanishIban({ iban }: { readonly iban?: string }): void {
  if (iban !== undefined && spanishIban(iban) === null) throw refusedParameter('iban', 'must be a Spanish IBAN');
}

/** The account of a refund, for its file. @throws ServiceError invalid_parameter without a Spanish account */
export function refundAccount({ iban = '' }: { readonly iban?: string }): string {
  const account = spanishIban(iban);
  if (account === null)
    throw refusedParameter('iban', 'must be given, because the file of a refund has its bank account');
  return account;
}

/** The characters of the file. */
export function encode(file: string): Uint8Array {
  return Buffer.from(file, 'latin1');
}

/** A return of withheld tax in its report. */
interface Paid {
  readonly year: number;
  readonly period: string;
  readonly type: WithheldFile['type'];
  readonly boxes: Readonly<Record<string, number>>;
  readonly filed: Static<typeof FILED>;
}

/**
 * The file of a model by which withheld tax is paid, as a format of its report.
 * @param write writes the file
 * @param since the first year of its design
 */
export function paymentFile(model: '111' | '115' | '123', write: (given: WithheldFile) => string, since?: number) {
  return {
    ...AGENCY_FILE,
    extension: model,
    check: (request: Parameters<typeof requestedPeriod>[0]) => assertDesign(requestedPeriod(request).year, since),
    async write({ data, settings: { company } }: { readonly data: Paid } & Pick<ReportRequest, 'settings'>) {
      const { year, period, type, boxes, filed } = data;
      const rectification = rectificationIn(filed);
      return encode(write({ period: { year, period }, boxes: exactBoxes(boxes), type, company, rectification }));
    },
  };
}

/** A summary of a year in its report. */
interface Summary<Row> {
  readonly year: number;
  readonly rows: readonly Row[];
  readonly missing: readonly Missing[];
  readonly filed: Static<typeof FILED>;
}

/**
 * The file of a summary of a year, as a format of its report.
 * @param toRecord the record of a row of which nothing is missing, with exact amounts
 * @param isNegative whether the file cannot contain a record, because an amount is below 0
 * @param write writes the file
 * @param since the first year of its design
 */
export function summaryFile<Row, Entry extends { readonly name: string }>(
  model: '180' | '190' | '193',
  {
    toRecord,
    isNegative,
    write,
    since,
  }: {
    readonly toRecord: (row: Row) => Entry | readonly Entry[];
    readonly isNegative: (record: Entry) => boolean;
    readonly write: (year: number, declarant: Declarant, records: readonly Entry[]) => string;
    readonly since?: number;
  },
) {
  return {
    ...AGENCY_FILE,
    extension: model,
    check: ({ params, range }: Pick<ReportRequest<{ readonly year?: number }>, 'params' | 'range'>) =>
      assertDesign(requestedYear(params, range), since),
    async write({ data, settings }: { readonly data: Summary<Row> } & Pick<ReportRequest, 'settings'>) {
      const { year, rows, missing, filed } = data;
      assertComplete(missing, filed !== null);
      const records = rows.flatMap(toRecord);
      assertNotNegative(records.filter(isNegative));
      return encode(write(year, toDeclarant(settings.company, filed), records));
    },
  };
}

/** The company as declarant of a return. @param filed null if it is not filed yet */
export function toDeclarant({ name, taxId, phone }: CompanySettings, filed: Static<typeof FILED>): Declarant {
  const { receiptNumber = null } = rectificationIn(filed) ?? {};
  return { name, taxId, phone, sequence: filed?.sequence ?? 0, receiptNumber };
}

/** Boxes of a report, exact again. */
export function exactBoxes(boxes: Readonly<Record<string, number>>): BoxValues {
  return Object.fromEntries(Object.entries(boxes).map(([box, value]) => [box, decimal(value).toFixed()]));
}
