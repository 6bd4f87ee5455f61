/** The warning of reports whose result lacks the variation of the stock (decision 0242). */
import type { Reader } from '../../../db/database.ts';
import { formatsFor } from '../../../domain/locale/formats.ts';
import { decimal } from '../../../domain/money.ts';
import { readUnenteredStock } from '../../ledger/accounting/stock-value.ts';
import type { ReportRequest, ReportWarning } from '../engine/declaration.ts';

/** Warns if the stock account does not have the stock's value at the end of a day: purchases then count in full. */
export async function stockWarnings(
  reader: Reader,
  { settings, language }: Pick<ReportRequest, 'settings' | 'language'>,
  on: string,
): Promise<ReportWarning[]> {
  const missing = await readUnenteredStock(reader, on);
  if (decimal(missing).eq(0)) return [];
  const { money, day } = formatsFor(settings.format, null);
  const amount = money(missing, settings.company.currency);
  const message = {
    en:
      `The stock of ${day(on)} is not in the books: a variation (610/300) of ${amount} is still to be entered, by stock-variation or by ` +
      'closing the year. Until then purchases are an expense in full.',
    es:
      `Las existencias a ${day(on)} no están contabilizadas: falta una variación (610/300) de ${amount}, que se contabiliza con ` +
      'stock-variation o al cerrar el ejercicio. Hasta entonces las compras son gasto en su totalidad.',
  };
  return [{ code: 'stock_not_entered', message: message[language] }];
}
