/** Writes the files of models 111 (design DR111e16v18), 115 (DR115e15v13) and 123 (of 2024) for the tax agency: one page each. */
import type { DecimalInput } from '../../money.ts';
import type { BoxValues } from './boxes.ts';
import { type Design, type Field, taggedFile, writeRecord } from './fixed-width.ts';
import { BOXES_111, COUNTS_111 } from './model111.ts';
import { BOXES_115, COUNTS_115 } from './model115.ts';
import { BOXES_123, COUNTS_123 } from './model123.ts';
import type { TaxPeriod } from './periods.ts';
import { RECEIPT_DIGITS, type Rectification } from './rectifying.ts';

export interface WithheldFile {
  readonly period: TaxPeriod;
  readonly boxes: BoxValues;
  readonly type: 'I' | 'N';
  readonly company: { readonly name: string; readonly taxId: string };
  /** null if the return is the first one of its period. */
  readonly rectification: Pick<Rectification, 'receiptNumber'> | null;
}

/** Number of positions of the only page. */
export const PAGE_111 = 1000;
export const PAGE_115 = 500;
export const PAGE_123 = 600;

const HEAD = {
  begin: [1, 11, 'text'],
  type: [13, 1, 'text'],
  taxId: [14, 9, 'text'],
  name: [23, 80, 'text'],
  year: [103, 4, 'digits'],
  period: [107, 2, 'text'],
} as const satisfies Design;
/** First position after the head. */
const BOXES_AT = 109;
const AMOUNT = 17;
const END = 12;

/** Fields of boxes, one after the other, and of the return that a complementary one adds to. @param counted width of numbers of people */
function boxFields(boxes: readonly string[], counts: ReadonlySet<string>, counted: number): Design {
  let at = BOXES_AT;
  const fields = boxes.map((box): [string, Field] => {
    const [width, kind] = counts.has(box) ? ([counted, 'digits'] as const) : ([AMOUNT, 'marked'] as const);
    at += width;
    return [box, [at - width, width, kind]];
  });
  return { ...Object.fromEntries(fields), complementary: [at, 1, 'text'], earlier: [at + 1, RECEIPT_DIGITS, 'text'] };
}

const FIELDS_111 = boxFields(BOXES_111, COUNTS_111, 8);
const FIELDS_115 = boxFields(BOXES_115, COUNTS_115, 15);
const FIELDS_123 = boxFields(BOXES_123, COUNTS_123, 15);

/** Writes the file of model 111. */
export function file111(given: WithheldFile): string {
  return writeFile('111', PAGE_111, FIELDS_111, given);
}

/** Writes the file of model 115. */
export function file115(given: WithheldFile): string {
  return writeFile('115', PAGE_115, FIELDS_115, given);
}

/** Writes the file of model 123. */
export function file123(given: WithheldFile): string {
  return writeFile('123', PAGE_123, FIELDS_123, given);
}

function writeFile(
  model: '111' | '115' | '123',
  length: number,
  fields: Design,
  { period, boxes, type, company, rectification }: WithheldFile,
): string {
  const design: Design = { ...HEAD, ...fields, end: [length - END + 1, END, 'text'] };
  const amounts = Object.keys(fields).map((box): [string, DecimalInput] => [box, boxes[box] ?? '0']);
  const page = writeRecord(design, length, {
    begin: `<T${model}01000>`,
    type,
    taxId: company.taxId,
    name: company.name,
    year: period.year,
    period: period.period,
    ...Object.fromEntries(amounts),
    complementary: rectification === null ? '' : 'X',
    earlier: rectification?.receiptNumber ?? '',
    end: `</T${model}01000>`,
  });
  return taggedFile(model, period, page);
}
