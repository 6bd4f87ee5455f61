/** Writes the files of models 111 and 115 for the tax agency (designs DR111e16v18 and DR115e15v13): one page each. */
import type { DecimalInput } from '../../money.ts';
import type { BoxValues } from './boxes.ts';
import { type Design, type Field, taggedFile, writeRecord } from './fixed-width.ts';
import { BOXES_111, COUNTS_111 } from './model111.ts';
import { BOXES_115, COUNTS_115 } from './model115.ts';
import type { TaxPeriod } from './periods.ts';

export interface WithheldFile {
  readonly period: TaxPeriod;
  readonly boxes: BoxValues;
  readonly type: 'I' | 'N';
  readonly company: { readonly name: string; readonly taxId: string };
}

/** Number of positions of the only page. */
export const PAGE_111 = 1000;
export const PAGE_115 = 500;

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

/** Fields of boxes, one after the other. @param counted width of numbers of people */
function boxFields(boxes: readonly string[], counts: ReadonlySet<string>, counted: number): Design {
  let at = BOXES_AT;
  return Object.fromEntries(
    boxes.map((box): [string, Field] => {
      const [width, kind] = counts.has(box) ? ([counted, 'digits'] as const) : ([AMOUNT, 'marked'] as const);
      at += width;
      return [box, [at - width, width, kind]];
    }),
  );
}

const FIELDS_111 = boxFields(BOXES_111, COUNTS_111, 8);
const FIELDS_115 = boxFields(BOXES_115, COUNTS_115, 15);

/** Writes the file of model 111. */
export function file111(given: WithheldFile): string {
  return writeFile('111', PAGE_111, FIELDS_111, given);
}

/** Writes the file of model 115. */
export function file115(given: WithheldFile): string {
  return writeFile('115', PAGE_115, FIELDS_115, given);
}

function writeFile(
  model: '111' | '115',
  length: number,
  fields: Design,
  { period, boxes, type, company }: WithheldFile,
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
    end: `</T${model}01000>`,
  });
  return taggedFile(model, period, page);
}
