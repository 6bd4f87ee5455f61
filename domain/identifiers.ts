/** Tax ids, IBANs and BICs: the one form in which they are kept, and whether they can be right. */
import { electronicFormatIBAN, isValidBIC, isValidIBAN } from 'ibantools';
import { euVat, stdnum } from 'stdnum';

/** Members of the European Union but Spain (ISO 3166), whose tax ids are VAT numbers here. */
const EU_MEMBERS = 'AT BE BG CY CZ DE DK EE FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ');
/** VAT numbers begin with another code than the country's in these; both are understood. */
const VAT_PREFIXES: Readonly<Record<string, string>> = { GR: 'EL' };
/** Northern Ireland trades goods under the Union's rules with British numbers (decisions 0046). */
const NORTHERN_IRELAND = 'XI';
/** Foreign tax ids are not longer than this without their separators. */
const MAX_LENGTH = 30;

/** Spanish ids of public bodies, religious ones and foreign entities end in a letter always. */
const ENDS_IN_LETTER = /^[NPQRSW]\d{7}[A-J]$/;
const COMPANY_WITH_LETTER = /^[ABCDEFGHJUV]\d{7}[A-J]$/;
/** What VAT numbers consist of after their prefix; the rules of single countries expect no less. */
const VAT_NUMBER = /^[0-9A-Z+*]{2,12}$/;

/** A tax id without what only separates: capital letters, digits, and signs that belong to some foreign ids. */
function compact(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[\s.\-/_]/g, '');
}

/**
 * A tax id in the one form in which it is kept, so that a repetition is seen however it is written: Spanish ones without the
 * ES of their VAT number, those of other members of the European Union as VAT numbers with their prefix, all others as text.
 * @param country ISO 3166 code of two letters of whose it is; XI is Northern Ireland
 * @returns null when it cannot be a tax id of the country
 */
export function taxIdOf(country: string, text: string): string | null {
  const id = compact(text);
  if (country === 'ES') return spanishTaxId(id);
  if (EU_MEMBERS.includes(country)) return vatNumber(country, VAT_PREFIXES[country] ?? country, id);
  if (country === NORTHERN_IRELAND || (country === 'GB' && id.startsWith(NORTHERN_IRELAND))) {
    return vatNumber('GB', NORTHERN_IRELAND, id);
  }
  return id.length > 0 && id.length <= MAX_LENGTH ? id : null;
}

/** NIF of persons (DNI, NIE, K L M) and of companies (formerly CIF); some kinds end in a letter, the others in a digit. */
function spanishTaxId(text: string): string | null {
  const id = text.startsWith('ES') ? text.slice(2) : text;
  if (id.length !== 9) return null; // the library would take off a second ES
  if (stdnum.ES?.nif?.validate(id).isValid !== true) return null;
  if (/^[NPQRSW]/.test(id)) return ENDS_IN_LETTER.test(id) ? id : null;
  return COMPANY_WITH_LETTER.test(id) ? id.slice(0, 8) + String('JABCDEFGHI'.indexOf(id.slice(8))) : id;
}

function vatNumber(country: string, prefix: string, id: string): string | null {
  const given = [prefix, country].find((code) => id.startsWith(code)) ?? '';
  const bare = id.slice(given.length);
  if (!VAT_NUMBER.test(bare)) return null;
  const [rule] = country === 'GB' ? [stdnum.GB?.vat] : (euVat[country] ?? []);
  const checked = rule?.validate(bare);
  // The library may put a zero before the number, and would take off a second prefix.
  return checked?.isValid === true && checked.compact.endsWith(bare) ? prefix + checked.compact : null;
}

/** An IBAN as it is kept, without spaces; null when length, structure or check digits are not those of its country. */
export function ibanOf(text: string): string | null {
  const iban = electronicFormatIBAN(text);
  return iban !== null && isValidIBAN(iban) ? iban : null;
}

/** A BIC in capital letters; null when it is none. */
export function bicOf(text: string): string | null {
  const bic = text.replaceAll(/\s/g, '').toUpperCase();
  return isValidBIC(bic) ? bic : null;
}
