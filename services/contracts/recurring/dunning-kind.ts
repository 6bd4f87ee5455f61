/** Reminders that are sent by a schedule. */
import { ServiceError } from '../../../domain/errors.ts';
import { remindCustomers } from '../../trade/dunning/run.ts';
import type { RecurringKind } from './kind.ts';

export const DUNNING_KIND: RecurringKind = {
  async check() {
    return { template: { lines: [] }, partnerId: null };
  },

  async from() {
    throw new ServiceError('invalid_transition', 'Reminders are made of no document: send an empty template');
  },

  async make(trx, ctx) {
    const made = await remindCustomers(trx, ctx);
    return { documentId: null, entryId: null, reason: made.length === 0 ? 'Nobody was to be reminded' : null };
  },
};
