/** Checks exchange rates before they are written. */
import type { Db } from '../../../db/database.ts';
import { invalidMember } from '../../../domain/errors.ts';
import { loadSettings } from '../../platform/settings/settings.ts';

/** @throws ServiceError validation_failed for a rate of the company's own currency */
export async function checkRateCurrency(trx: Db, values: Readonly<Record<string, unknown>>): Promise<void> {
  const { currency } = await loadSettings(trx, 'company');
  if (values.currency !== currency) return;
  throw invalidMember('/currency', 'not_allowed', `must not be ${currency}, the company's own currency`);
}
