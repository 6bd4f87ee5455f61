/** Turns a template into what is made for a period: prices that have risen or are charged for some days, texts, further lines. */
import type { Reader } from '../../../db/database.ts';
import type { RecurringDocument } from '../../../db/models/contracts/recurring.ts';
import { prepared } from '../../../db/sql.ts';
import { type Period, shareOfPeriod } from '../../../domain/contracts/recurring/periods.ts';
import { indexFactor, type LinePrice, scaled, scaledAmounts } from '../../../domain/contracts/recurring/prices.ts';
import { fillText } from '../../../domain/contracts/recurring/texts.ts';
import { currencyPlaces } from '../../../domain/locale/currencies.ts';
import { type Formats, formatsFor } from '../../../domain/locale/formats.ts';
import { decimal, type Exact } from '../../../domain/money.ts';
import type { SettingsByName } from '../../platform/settings/definitions.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import type { Template } from './kind.ts';
import { toPlan } from './plan.ts';
import { TEXTS } from './template.ts';

type Line = LinePrice & Template;

/** @param number of the document, from 1 */
export async function filledIn(
  reader: Reader,
  row: RecurringDocument,
  period: Period,
  number: number,
): Promise<Template> {
  const factor = priceFactor(row, period);
  const format = await loadSettings(reader, 'format');
  const formats = await readersFormats(reader, row, format);
  const filled = <T extends Template>(holder: T): T => ({
    ...holder,
    ...texts(holder, { ...period, number }, formats),
    ...serviceDays(holder, period),
  });
  const lines = [...(row.template.lines as readonly Line[]).map((line) => scaled(line, factor)), ...row.adjustments];
  const { currency } = row.template;
  const places = typeof currency === 'string' ? currencyPlaces(currency) : format.decimalPrecision;
  return { ...filled(row.template), ...scaledAmounts(row.template, factor, places), lines: lines.map(filled) };
}

/** A line with a service period is for the days that are charged. */
function serviceDays({ serviceFrom, serviceTo }: Template, { from, to }: Period): Template {
  return typeof serviceFrom === 'string' && typeof serviceTo === 'string' ? { serviceFrom: from, serviceTo: to } : {};
}

function priceFactor(row: RecurringDocument, period: Period): Exact {
  const { indexPercent, indexMonths, startsOn, prorate } = row;
  const index =
    indexPercent === null
      ? decimal(1)
      : indexFactor({ percent: indexPercent, months: indexMonths ?? 12 }, startsOn, period.from);
  return prorate ? index.times(shareOfPeriod(toPlan(row), period)) : index;
}

function texts(holder: Template, period: Parameters<typeof fillText>[1], formats: Formats): Template {
  const given = TEXTS.flatMap((member) => {
    const text = holder[member];
    return typeof text === 'string' ? [[member, fillText(text, period, formats)] as const] : [];
  });
  return Object.fromEntries(given);
}

/** The formats in which the partner reads; the company's for entries. */
async function readersFormats(
  reader: Reader,
  { partnerId }: RecurringDocument,
  format: SettingsByName['format'],
): Promise<Formats> {
  if (partnerId === null) return formatsFor(format, null);
  const [partner] = await prepared<{ language: string | null }>(
    reader,
    'select language from partners where id = :partnerId::uuid',
    { partnerId },
  );
  return formatsFor(format, partner?.language ?? null);
}
