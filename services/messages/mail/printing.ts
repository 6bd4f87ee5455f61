/** How the values of a template are printed. */
import type { Reader } from '../../../db/database.ts';
import type { Printing } from '../../../domain/messages/mail/values.ts';
import { loadSettings } from '../../platform/settings/settings.ts';

/** @param language of the recipient; null for the company's */
export async function loadPrinting(reader: Reader, language: string | null): Promise<Printing> {
  const [format, { currency }] = await Promise.all([loadSettings(reader, 'format'), loadSettings(reader, 'company')]);
  const { locale, dateFormat, decimalPrecision, quantityPrecision, timezone } = format;
  return { choices: { locale, dateFormat, decimalPrecision, quantityPrecision }, language, timezone, currency };
}
