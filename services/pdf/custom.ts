/** The custom fields of a document that are shown in its form, as they are read on paper. */
import { DateTime } from 'luxon';
import type { CustomFieldType } from '../../domain/custom-fields.ts';
import { decimal } from '../../domain/money.ts';
import { isUnset } from '../custom-fields/values.ts';
import type { Fact, Paper } from './paper.ts';

/** What is longer stands below the lines, with room for it. */
const SHORT = 60;

export interface CustomFacts {
  /** Above the lines. */
  readonly short: readonly Fact[];
  /** Below them. */
  readonly long: readonly Fact[];
}

/** In the order of the form; fields without a value are left out. */
export function customFacts(paper: Paper): CustomFacts {
  const { customFields, row } = paper.data;
  const facts = customFields.flatMap(({ label, type, storageKey }) => {
    const value = Object.hasOwn(row.custom, storageKey) ? row.custom[storageKey] : null;
    return isUnset(value) ? [] : [{ label, value: written(paper, type, value) }];
  });
  const isShort = ({ value }: Fact) => value.length <= SHORT && !value.includes('\n');
  return { short: facts.filter(isShort), long: facts.filter((fact) => !isShort(fact)) };
}

function written({ data, formats, texts }: Paper, type: CustomFieldType, value: unknown): string {
  switch (type) {
    case 'DECIMAL':
      return formats.number(exact(value));
    case 'CURRENCY':
      return formats.money(exact(value), data.row.currency);
    case 'PERCENTAGE':
      return formats.percent(exact(value));
    case 'BOOLEAN':
      return value === true ? texts.yes : texts.no;
    case 'DATE':
      return formats.day(String(value));
    case 'DATETIME': {
      const time = DateTime.fromISO(String(value), { zone: data.settings.format.timezone });
      return `${formats.day(time.toFormat('yyyy-MM-dd'))} ${time.toFormat('HH:mm')}`;
    }
    default:
      // A whole number may be a year or a code as well: it is not grouped.
      return Array.isArray(value) ? value.join(', ') : String(value);
  }
}

function exact(value: unknown): string {
  return decimal(value as number).toFixed();
}
