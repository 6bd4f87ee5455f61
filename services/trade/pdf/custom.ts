/** Custom fields shown in a document's form, as printed texts. */
import { DateTime } from 'luxon';
import { type Decimal, decimal } from '../../../domain/money.ts';
import type { CustomFieldType } from '../../../domain/records/custom-fields.ts';
import { memberName, storedValue } from '../../records/custom-fields/rows.ts';
import { isUnset } from '../../records/custom-fields/values.ts';
import type { Fact, Paper } from './paper.ts';

/** Maximum length of values above the lines; longer ones go below, where there is more room. */
const SHORT = 60;

export interface CustomFacts {
  /** Facts above the lines. */
  readonly short: readonly Fact[];
  /** Facts below the lines. */
  readonly long: readonly Fact[];
}

/** Custom fields in the order of the form; fields without a value are left out. */
export function customFacts(paper: Paper): CustomFacts {
  const { customFields, row } = paper.data;
  const facts = customFields.flatMap((field) => {
    const value = storedValue(row.custom, field);
    return !field.visibleInForm || isUnset(value)
      ? []
      : [{ label: field.label, value: formatValue(paper, field.type, value) }];
  });
  const isShort = ({ value }: Fact) => value.length <= SHORT && !value.includes('\n');
  return { short: facts.filter(isShort), long: facts.filter((fact) => !isShort(fact)) };
}

/** Each active field as printed text, by its name in templates: `{{ document.custom_x }}`; empty if unset. */
export function customTexts(paper: Paper): Readonly<Record<string, string>> {
  const { customFields, row } = paper.data;
  const texts = customFields.map((field) => {
    const value = storedValue(row.custom, field);
    return [memberName(field), isUnset(value) ? '' : formatValue(paper, field.type, value)];
  });
  return Object.fromEntries(texts);
}

function formatValue({ data, formats, texts }: Paper, type: CustomFieldType, value: unknown): string {
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
      // An integer may be a year or a code, so it is not grouped.
      return Array.isArray(value) ? value.join(', ') : String(value);
  }
}

function exact(value: unknown): Decimal {
  return decimal(value as number).toFixed();
}
