/** Journal entries that are made again and again. */

import { ServiceError } from '../../../domain/errors.ts';
import { createEntry } from '../../bank/manual-entries/manual.ts';
import { MANUAL_AREA } from '../../ledger/accounting/drafts.ts';
import { checkEntry } from '../../ledger/accounting/entry-input.ts';
import { readEntry } from '../../ledger/accounting/read.ts';
import { EntryCreate, type EntryInput } from '../../ledger/accounting/schemas.ts';
import { loadToday } from '../../platform/settings/today.ts';
import { without } from '../../platform/validation/schemas.ts';
import { bodyValidator } from '../../platform/validation/validate.ts';
import type { RecurringKind, Template } from './kind.ts';

type EntryTemplate = Omit<EntryInput, 'date'>;

const validate = bodyValidator(without(EntryCreate, ['date', 'periodId', 'kind', 'post', 'reversesOn']));

export const ENTRY_KIND: RecurringKind = {
  async check(trx, ctx, given) {
    const template = structuredClone(given) as unknown as EntryTemplate;
    validate(template);
    await checkEntry(trx, ctx, MANUAL_AREA, { ...template, date: await loadToday(trx, ctx) });
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
      lines: entry.lines.map(({ accountId, debit, credit, partnerId, projectId, costCenterId, description }) => ({
        accountId,
        ...withoutNulls({ partnerId, projectId, costCenterId, description }),
        ...(debit === 0 ? { credit } : { debit }),
      })),
    };
  },

  async make(trx, ctx, { template, dueOn, mode }) {
    const input = { ...(template as unknown as EntryTemplate), date: dueOn, post: mode === 'post' };
    const { id } = await createEntry(trx, ctx, input);
    return { documentId: null, entryId: id, reason: null };
  },
};

function withoutNulls(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
