/** Journal entries that are made again and again. */
import { type TObject, Type } from 'typebox';
import { monthsAfter } from '../../../domain/days.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { createEntry } from '../../bank/manual-entries/manual.ts';
import { checkLaterEntry } from '../../ledger/accounting/entry-input.ts';
import { readEntry } from '../../ledger/accounting/read.ts';
import { EntryCreate, type EntryInput } from '../../ledger/accounting/schemas.ts';
import { loadToday } from '../../platform/settings/today.ts';
import { integer, without } from '../../platform/validation/schemas.ts';
import { bodyValidator } from '../../platform/validation/validate.ts';
import type { RecurringKind, Template } from './kind.ts';

const Undated = without(EntryCreate, ['date', 'periodId', 'kind', 'post', 'reversesOn']);

/** An entry without its day. Its reversal has a day that moves with it. */
const EntryTemplate = {
  ...Undated,
  properties: {
    ...(Undated as TObject).properties,
    reversesAfterMonths: Type.Optional(
      integer({
        minimum: 1,
        maximum: 12,
        description:
          'Each entry is reversed on the first day of the month that is so many months later; 1: the next one',
      }),
    ),
  },
};

type EntryTemplate = Omit<EntryInput, 'date'> & { readonly reversesAfterMonths?: number };

const validate = bodyValidator(EntryTemplate);

/** Members of the lines of an entry that those after it repeat. Service periods are those of their own periods. */
const TAKEN_OVER = [
  ...(['partnerId', 'projectId', 'costCenterId', 'description'] as const),
  ...(['currency', 'currencyAmount', 'serviceFrom', 'serviceTo'] as const),
];

export const ENTRY_KIND: RecurringKind = {
  async check(trx, ctx, given) {
    const template = structuredClone(given) as unknown as EntryTemplate;
    validate(template);
    await checkLaterEntry(trx, ctx, dated(template, await loadToday(trx, ctx)));
    return { template: { ...template } as Template, partnerId: null };
  },

  async from(trx, _ctx, id) {
    const entry = await readEntry(trx, id);
    if (entry.kind !== 'normal' || entry.sourceType !== null || entry.reversalOf !== null) {
      throw new ServiceError('invalid_transition', 'Only an entry that was made by hand can be taken over');
    }
    if (entry.lines.some(({ tax, settlesId }) => tax !== null || settlesId !== null)) {
      throw new ServiceError(
        'invalid_transition',
        'The entry cannot be taken over because its lines state taxes or settle something; send a template',
      );
    }
    return {
      ...(entry.description === null ? {} : { description: entry.description }),
      lines: entry.lines.map(({ accountId, debit, credit, ...line }) => ({
        accountId,
        ...withoutNulls(Object.fromEntries(TAKEN_OVER.map((member) => [member, line[member]]))),
        ...(debit === 0 ? { credit } : { debit }),
      })),
    };
  },

  async make(trx, ctx, { template, dueOn, mode }) {
    const entry = dated(template as unknown as EntryTemplate, dueOn);
    const { id } = await createEntry(trx, ctx, { ...entry, post: mode === 'post' });
    return { documentId: null, entryId: id, reason: null };
  },
};

function dated({ reversesAfterMonths, ...entry }: EntryTemplate, date: string): EntryInput {
  return reversesAfterMonths === undefined
    ? { ...entry, date }
    : { ...entry, date, reversesOn: monthsAfter(date, reversesAfterMonths) };
}

function withoutNulls(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
