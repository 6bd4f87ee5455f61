/** Spanish tax ids and IBANs: their usual form, and whether their check digits are right. */

const DNI_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';
const CIF_LETTERS = 'JABCDEFGHI';

/** A tax id as it is stored: capital letters and digits only. */
export function normalizeTaxId(text: string): string {
  return text.toUpperCase().replace(/[\s.\-/]/g, '');
}

/** A normalised Spanish tax id without the ES of its VAT number: the same company is known by both. */
export function withoutSpanishPrefix(taxId: string): string {
  return taxId.startsWith('ES') && taxId.length === 11 ? taxId.slice(2) : taxId;
}

/** Whether a normalised text is a Spanish NIF: of a person (DNI, NIE, K L M) or of a company. */
export function isSpanishTaxId(taxId: string): boolean {
  const id = withoutSpanishPrefix(taxId);
  if (/^\d{8}[A-Z]$/.test(id)) return id[8] === dniLetter(Number(id.slice(0, 8)));
  if (/^[XYZ]\d{7}[A-Z]$/.test(id)) return id[8] === dniLetter(Number('XYZ'.indexOf(id[0] as string) + id.slice(1, 8)));
  if (/^[KLM]\d{7}[A-Z]$/.test(id)) return id[8] === dniLetter(Number(id.slice(1, 8)));
  return /^[ABCDEFGHJNPQRSUVW]\d{7}[\dA-J]$/.test(id) && isCompanyId(id);
}

function dniLetter(number: number): string {
  return DNI_LETTERS[number % 23] as string;
}

/** Digits at odd places count double with their digits added; some kinds end in a letter, some in a digit, others in either. */
function isCompanyId(id: string): boolean {
  let sum = 0;
  for (const [index, digit] of [...id.slice(1, 8)].entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  const control = (10 - (sum % 10)) % 10;
  const [kind, last] = [id[0] as string, id[8] as string];
  const letter = CIF_LETTERS[control];
  if ('PQRSNW'.includes(kind)) return last === letter;
  if ('ABEH'.includes(kind)) return last === String(control);
  return last === letter || last === String(control);
}

/** Whether a text without spaces is an IBAN with the right check digits. */
export function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)) return false;
  if (text.startsWith('ES') && text.length !== 24) return false;
  const digits = [...(text.slice(4) + text.slice(0, 4))].map((sign) => Number.parseInt(sign, 36)).join('');
  return BigInt(digits) % 97n === 1n;
}
