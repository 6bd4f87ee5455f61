/** The taxes behind each box of a return, in its report. */
import { Type } from 'typebox';
import type { BoxSource } from '../../../domain/ledger/tax-returns/box-sources.ts';
import type { Decimal } from '../../../domain/money.ts';
import type { Days } from '../../ledger/tax-returns/taxes.ts';
import { amount, flag, text } from '../../platform/validation/schemas.ts';
import { percent } from '../engine/declaration.ts';

const SOURCE = Type.Object({
  box: text({ description: 'Its number: 07' }),
  kind: text({ description: 'output, input, surcharge, or pending_output and others of the cash basis' }),
  regime: text({ description: 'The operation: domestic, intra_eu_goods, export …' }),
  rate: percent(),
  rectifying: flag(),
  amount: amount({ description: 'Its part of the box' }),
  drilldown: text({ max: 500, description: 'The entries with such lines' }),
});

/** Members of the data of models of VAT and IGIC in which taxes of the books fill boxes. */
export const SOURCES = {
  sources: Type.Array(SOURCE, {
    description:
      'The taxes of the books behind each box, as they are now. Boxes that add up others have none, nor have those that come from ' +
      'earlier returns or are stated.',
  }),
};

/** @param days of the return */
export function sourcesToJson(sources: readonly BoxSource[], days: Days, money: (value: Decimal) => number) {
  return sources.map((source) => ({
    box: source.box,
    kind: source.kind,
    regime: source.operation,
    rate: Number(source.rate),
    rectifying: source.rectifying,
    amount: money(source.amount),
    drilldown: taxedEntriesPath(source, days),
  }));
}

/** The path of the entries that have lines taxed in a way. */
export function taxedEntriesPath({ taxedAs }: { readonly taxedAs: string }, { from, to }: Days): string {
  return `/api/journal-entries?date[gte]=${from}&date[lte]=${to}&status=posted&taxedAs=${taxedAs}`;
}
