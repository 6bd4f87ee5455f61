/** Certificates with which a company identifies itself to the tax agency. */
import { normalizeTaxId } from '../../identifiers.ts';

/** personal: of a person, also as representative of a company; seal: the seal of a company, with addresses of its own at the agency. */
export const CERTIFICATE_KINDS = ['personal', 'seal'] as const;
export type CertificateKind = (typeof CERTIFICATE_KINDS)[number];

/** Days before its end at which people are told, and once it has ended. */
const TOLD_DAYS = [60, 30, 7, 1, 0] as const;
export const FIRST_WARNING_DAYS = 60;
const DAY_MS = 86_400_000;

/** Names of a subject, by object identifier. */
export type SubjectNames = Readonly<Record<string, string>>;

const COMMON_NAME = '2.5.4.3';
const SERIAL_NUMBER = '2.5.4.5';
const ORGANIZATION = '2.5.4.10';
const ORGANIZATION_ID = '2.5.4.97';

/** The holder of a certificate: the company that a representative stands for, if it names one (ETSI EN 319 412-1, 5.1.3 and 5.1.4). */
export function certificateHolder(subject: SubjectNames): { readonly name: string; readonly taxId: string | null } {
  const ids = [subject[ORGANIZATION_ID], subject[SERIAL_NUMBER]].flatMap((id) => {
    const found = id === undefined ? null : normalizeTaxId('ES', id.replace(/^(VAT|IDC|NTR|TIN)ES-/, ''));
    return found ?? [];
  });
  const name = (subject[ORGANIZATION_ID] === undefined ? undefined : subject[ORGANIZATION]) ?? subject[COMMON_NAME];
  return { name: name ?? '', taxId: ids[0] ?? null };
}

/** Whole days until a certificate ends; 0 on its last day, negative afterwards. */
export function daysLeft(validUntil: Date, now: Date): number {
  return Math.floor((validUntil.getTime() - now.getTime()) / DAY_MS);
}

/**
 * Returns the warning that is due.
 * @param told the fewest days of which people were told; null for none
 * @returns 60, 30, 7, 1, or 0 once it has ended; null if people know already, or it is too early
 */
export function warningDue(days: number, told: number | null): number | null {
  const due = [...TOLD_DAYS].reverse().find((each) => days < each) ?? null;
  return due !== null && (told === null || due < told) ? due : null;
}
