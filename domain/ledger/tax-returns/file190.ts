/** Writes the file of model 190 for the tax agency (design of 2025). */
import { type Decimal, decimal, sum } from '../../money.ts';
import { FAMILY_190, type FamilyCounts } from './family190.ts';
import type { Design } from './fixed-width.ts';
import { COMMON, DECLARANT, type Declarant, declarantValues, joinRecords, writeInformative } from './informative.ts';
import { ANNUAL } from './periods.ts';
import type { Subkey, WithheldKey } from './withheld.ts';

/** The first year of the design. */
export const SINCE_190 = 2025;

/** Declarations of an employee, on which the tax on wages depends. */
export interface Personal190 {
  readonly birthYear: number;
  readonly familySituation: number;
  readonly spouseNif: string | null;
  /** 0 to 3, as `disabilityClass` returns it. */
  readonly disability: number;
  /** 1: of a year or more, 2: shorter, 3: special relation. */
  readonly contract: number;
  readonly geographicMobility: boolean;
  readonly family: FamilyCounts;
}

export interface Recipient190 {
  readonly key: WithheldKey;
  readonly subkey: Subkey | null;
  readonly name: string;
  readonly nif: string;
  readonly province: string;
  readonly amount: Decimal;
  readonly withheld: Decimal;
  readonly inKind: Decimal;
  readonly inKindWithheld: Decimal;
  /** Contributions of the recipient to social security. */
  readonly contributions: Decimal;
  readonly ceutaOrMelilla: boolean;
  /** null unless the record is of wages. */
  readonly personal: Personal190 | null;
}

export const DECLARANT_190 = {
  ...DECLARANT,
  records: [136, 9, 'digits'],
  total: [145, 16, 'signed'],
  withheld: [161, 15, 'cents'],
} as const satisfies Design;

export const RECIPIENT_190 = {
  ...COMMON,
  nif: [18, 9, 'text'],
  name: [36, 40, 'text'],
  province: [76, 2, 'digits'],
  key: [78, 1, 'text'],
  subkey: [79, 2, 'digits'],
  amount: [81, 14, 'signed'],
  withheld: [95, 13, 'cents'],
  inKind: [108, 14, 'signed'],
  inKindWithheld: [122, 13, 'cents'],
  inKindPassedOn: [135, 13, 'cents'],
  accrualYear: [148, 4, 'digits'],
  ceutaOrMelilla: [152, 1, 'digits'],
  birthYear: [153, 4, 'digits'],
  familySituation: [157, 1, 'digits'],
  spouseNif: [158, 9, 'text'],
  disability: [167, 1, 'digits'],
  contract: [168, 1, 'digits'],
  household: [169, 1, 'digits'],
  geographicMobility: [170, 1, 'digits'],
  reductions: [171, 13, 'cents'],
  expenses: [184, 13, 'cents'],
  pensions: [197, 13, 'cents'],
  alimony: [210, 13, 'cents'],
  ...FAMILY_190,
  housingLoan: [254, 1, 'digits'],
  sickPay: [255, 14, 'signed'],
  sickPayWithheld: [269, 13, 'cents'],
  sickPayInKind: [282, 14, 'signed'],
  sickPayInKindWithheld: [296, 13, 'cents'],
  sickPayInKindPassedOn: [309, 13, 'cents'],
  childSupport: [322, 1, 'digits'],
  state: [323, 13, 'cents'],
  foral: [336, 52, 'digits'],
  startUpShares: [388, 1, 'digits'],
  carriedInterest: [389, 1, 'digits'],
  benefits: [390, 5, 'digits'],
} as const satisfies Design;

/** Fields of what the books do not know, or do not tell apart. */
const UNKNOWN = {
  ...{ accrualYear: 0, household: 0, reductions: 0, pensions: 0, alimony: 0, housingLoan: 0 },
  ...{ sickPay: 0, sickPayWithheld: 0, sickPayInKind: 0, sickPayInKindWithheld: 0, sickPayInKindPassedOn: 0 },
  ...{ childSupport: 0, foral: 0, startUpShares: 0, carriedInterest: 0, benefits: 0 },
};
const NOBODY = Object.fromEntries(Object.keys(FAMILY_190).map((name) => [name, 0])) as FamilyCounts;

/**
 * Writes the file of model 190. What is withheld in kind is borne by the recipients, as payrolls deduct it.
 * @param recipients with what the agency demands of each; no amount is below 0
 */
export function file190(year: number, declarant: Declarant, recipients: readonly Recipient190[]): string {
  const total = (of: (each: Recipient190) => Decimal[]) => sum(recipients.flatMap(of)).toFixed();
  const first = writeInformative(DECLARANT_190, {
    ...declarantValues(190, { year, period: ANNUAL }, declarant),
    records: recipients.length,
    total: total(({ amount, inKind }) => [amount, inKind]),
    withheld: total(({ withheld, inKindWithheld }) => [withheld, inKindWithheld]),
  });
  const common = { record: 2, model: 190, year, taxId: declarant.taxId };
  return joinRecords([first, ...recipients.map((each) => writeRecipient(common, each))]);
}

function writeRecipient(common: Record<keyof typeof COMMON, string | number>, recipient: Recipient190): string {
  const { key, subkey, name, nif, province, amount, withheld, inKind, inKindWithheld, personal } = recipient;
  return writeInformative(RECIPIENT_190, {
    ...{ ...common, ...UNKNOWN, name, nif, key, amount, withheld, inKind, inKindWithheld },
    province: Number(province),
    subkey: Number(subkey ?? 0),
    inKindPassedOn: inKindWithheld,
    ceutaOrMelilla: recipient.ceutaOrMelilla ? 1 : 0,
    birthYear: personal?.birthYear ?? 0,
    familySituation: personal?.familySituation ?? 0,
    spouseNif: personal?.spouseNif ?? '',
    disability: personal?.disability ?? 0,
    contract: personal?.contract ?? 0,
    geographicMobility: personal?.geographicMobility === true ? 1 : 0,
    expenses: hasContributions(recipient) ? recipient.contributions : 0,
    ...(personal?.family ?? NOBODY),
    // Administrators' tax is told by the treasury that it was paid to.
    state: key === 'E' ? sum([withheld, inKindWithheld]).toFixed() : 0,
  });
}

/** Whether the agency asks for contributions: of wages, and of administrators with social security like employees. */
function hasContributions({ key, subkey }: Recipient190): boolean {
  return key === 'A' || (key === 'E' && (subkey === '01' || subkey === '02'));
}

/** Whether the record cannot have an amount, because it is below 0. */
export function isNegative190({ amount, withheld, inKind, inKindWithheld, contributions }: Recipient190): boolean {
  return [amount, withheld, inKind, inKindWithheld, contributions].some((value) => decimal(value).lt(0));
}
