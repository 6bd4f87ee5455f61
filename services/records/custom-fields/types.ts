/** The types of custom fields: schema, text form, and operators in lists. */
import type { TSchema } from 'typebox';
import { Type } from 'typebox';
import type { FieldType } from '../../../db/queries/list-values.ts';
import { parseDecimal } from '../../../domain/money.ts';
import type { CustomFieldType } from '../../../domain/records/custom-fields.ts';
import {
  amount,
  day,
  email,
  flag,
  instant,
  integer,
  text,
  verbatim,
  webAddress,
} from '../../platform/validation/schemas.ts';

/** JSON numbers represent integers of up to 15 digits exactly. */
const MAX_INTEGER = 999_999_999_999_999;
const PHONE = '^\\+?(?:[ ()./-]*\\d){3,20}[ ()./-]*(?: ?(?:x|ext\\.?) ?\\d{1,6})?$';

interface TypeInfo {
  readonly schema: TSchema;
  readonly list: FieldType;
  /** Parses a text as people write it, as a default value or in a cell. */
  readonly parse: (text: string) => unknown;
}

const same = (written: string): unknown => written;
/** Parses a number in JSON notation. Returns the text itself if no exact number represents it; the schema then refuses it. */
const number = (written: string): unknown =>
  /^-?\d{1,20}(\.\d{1,20})?$/.test(written.trim()) && parseDecimal(written.trim()).eq(Number(written))
    ? Number(written)
    : written;
const truth = (written: string): unknown => ({ true: true, false: false })[written.trim().toLowerCase()] ?? written;
const trimmed = (written: string): unknown => written.trim();

const money: TypeInfo = { schema: amount(), list: 'number', parse: number };

export const TYPES: Readonly<Record<CustomFieldType, TypeInfo>> = {
  TEXT: { schema: verbatim({ max: 500 }), list: 'text', parse: same },
  TEXTAREA: { schema: verbatim({ max: 10_000 }), list: 'text', parse: same },
  URL: { schema: webAddress(), list: 'text', parse: trimmed },
  EMAIL: { schema: email(), list: 'text', parse: trimmed },
  PHONE: { schema: text({ max: 40, pattern: PHONE }), list: 'text', parse: trimmed },
  NUMBER: { schema: integer({ minimum: -MAX_INTEGER, maximum: MAX_INTEGER }), list: 'number', parse: number },
  DECIMAL: money,
  CURRENCY: money,
  PERCENTAGE: { schema: amount({ minimum: 0, maximum: 100 }), list: 'number', parse: number },
  BOOLEAN: { schema: flag(), list: 'boolean', parse: truth },
  DATE: { schema: day(), list: 'date', parse: trimmed },
  DATETIME: { schema: instant(), list: 'instant', parse: trimmed },
  SELECT: { schema: Type.String(), list: 'choice', parse: trimmed },
  MULTISELECT: { schema: Type.Array(Type.String(), { uniqueItems: true }), list: 'choices', parse: entries },
};

/** Parses `["a, b", "c"]` or, when no option contains a comma, `a, c`. */
function entries(written: string): unknown {
  if (!written.trimStart().startsWith('[')) return written.split(',').map((entry) => entry.trim());
  try {
    return JSON.parse(written) as unknown;
  } catch {
    return written;
  }
}
