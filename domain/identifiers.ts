/** Tax ids, IBANs and BICs: validates and normalizes them. */
import { electronicFormatIBAN, isValidBIC, isValidIBAN } from 'ibantools';
import { euVat, stdnum } from 'stdnum';

/** Members of the European Union except Spain (ISO 3166), whose tax ids are VAT numbers here. */
export const EU_MEMBERS = 'AT BE BG CY CZ DE DK EE FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ');
/** Countries whose VAT numbers have another prefix than the country code; both are accepted. */
const VAT_PREFIXES: Readonly<Record<string, string>> = { GR: 'EL' };
/** Northern Ireland trades goods under EU rules with British numbers (decision 0046). */
const NORTHERN_IRELAND = 'XI';
/** The longest foreign tax id without separators. */
const MAX_LENGTH = 30;

/** Spanish ids of public bodies, religious and foreign entities always end in a letter. */
const ENDS_IN_LETTER = /^[NPQRSW]\d{7}[A-J]$/;
const COMPANY_WITH_LETTER = /^[ABCDEFGHJUV]\d{7}[A-J]$/;
/** VAT numbers after their prefix; no country's rules allow less. */
const VAT_NUMBER = /^[0-9A-Z+*]{2,12}$/;

/** Removes separators from a tax id; keeps capital letters, digits, and characters that occur in some foreign ids. */
function compact(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[\s.\-/_]/g, '');
}

/**
 * Normalizes a tax id, so that duplicates are detected however they are written: Spanish ones without the ES of their VAT number, those of
 * other EU members as VAT numbers with prefix, all others as text.
 * @param country ISO 3166 code of two letters; XI is Northern Ireland
 * @returns null if it cannot be a tax id of the country
 */
export function normalizeTaxId(country: string, text: string): string | null {
  const id = compact(text);
  if (country === 'ES') return spanishTaxId(id);
  if (EU_MEMBERS.includes(country)) return vatNumber(country, VAT_PREFIXES[country] ?? country, id);
  if (country === NORTHERN_IRELAND || (country === 'GB' && id.startsWith(NORTHERN_IRELAND))) {
    return vatNumber('GB', NORTHERN_IRELAND, id);
  }
  return id.length > 0 && id.length <= MAX_LENGTH ? id : null;
}

/** NIF of persons (DNI, NIE, K L M) and companies (formerly CIF); some kinds end in a letter, others in a digit. */
function spanishTaxId(text: string): string | null {
  const id = text.startsWith('ES') ? text.slice(2) : text;
  if (id.length !== 9) return null; // The library would strip a second ES.
  if (stdnum.ES?.nif?.validate(id).isValid !== true) return null;
  if (/^[NPQRSW]/.test(id)) return ENDS_IN_LETTER.test(id) ? id : null;
  return COMPANY_WITH_LETTER.test(id) ? id.slice(0, 8) + String('JABCDEFGHI'.indexOf(id.slice(8))) : id;
}

/** Whether the tax ids of a country are VAT numbers of another member of the European Union, or of Northern Ireland. */
export function hasVatNumber(country: string, id: string): boolean {
  return EU_MEMBERS.includes(country) || id.startsWith(NORTHERN_IRELAND);
}

/** Spanish ids of persons: DNI, NIE (X, Y, Z), and K, L, M. */
const PERSON = /^[0-9KLMXYZ]/;

/** Whether a normalized tax id is that of a person rather than of a company; not known of other countries' ids. */
export function isPersonsTaxId(country: string, id: string): boolean {
  return country === 'ES' && PERSON.test(id);
}

function vatNumber(country: string, prefix: string, id: string): string | null {
  const given = [prefix, country].find((code) => id.startsWith(code)) ?? '';
  const bare = id.slice(given.length);
  if (!VAT_NUMBER.test(bare)) return null;
  const [rule] = country === 'GB' ? [stdnum.GB?.vat] : (euVat[country] ?? []);
  const checked = rule?.validate(bare);
  // The library may prepend a zero, and would strip a second prefix.
  return checked?.isValid === true && checked.compact.endsWith(bare) ? prefix + checked.compact : null;
}

/** Normalizes an IBAN (no spaces); null when length, structure or check digits are wrong for its country. */
export function normalizeIban(text: string): string | null {
  const iban = electronicFormatIBAN(text);
  return iban !== null && isValidIBAN(iban) ? iban : null;
}

/** Normalizes a BIC (upper case); null when it is invalid. */
export function normalizeBic(text: string): string | null {
  const bic = text.replaceAll(/\s/g, '').toUpperCase();
  return isValidBIC(bic) ? bic : null;
}

/**
 * Normalizes a Spanish social security number: province, number, and two check digits, the remainder of the first ten divided by 97.
 * Numbers below ten million are checked without their leading zeros.
 * @returns its 12 digits; null if it is invalid
 */
export function normalizeSocialSecurityNumber(text: string): string | null {
  const digits = text.replaceAll(/[\s\-/]/g, '');
  if (!/^\d{12}$/.test(digits)) return null;
  const [province, number, check] = [digits.slice(0, 2), digits.slice(2, 10), digits.slice(10)];
  const counted = Number(number) < 10_000_000 ? `${province}${number.slice(1)}` : `${province}${number}`;
  return Number(check) === Number(BigInt(counted) % 97n) ? digits : null;
}
