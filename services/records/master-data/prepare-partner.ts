/** Completes and checks a business partner before it is written. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { PartnerGroup } from '../../../db/models/records/master-data.ts';
import { nextCode } from '../../../db/queries/counters.ts';
import { invalidMember } from '../../../domain/errors.ts';
import { normalizeTaxId } from '../../../domain/identifiers.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { checkBankDetails } from '../resources/bank-details.ts';

type Row = Record<string, unknown>;

const CODE_DIGITS = 5;

/**
 * Fills in the code (the group's prefix and the next number) and the country (the company's), and checks nif and iban.
 * @throws ServiceError validation_failed
 */
export async function prepareNewPartner(trx: Db, ctx: Context, values: Row): Promise<Row> {
  const countryCode = values.countryCode ?? (await loadSettings(trx, 'company')).country;
  const checked = checkIdentifiers({ ...values, countryCode }, String(countryCode));
  return { ...checked, code: values.code ?? (await nextGroupCode(trx, ctx, String(values.groupId))) };
}

/** Checks changed identifiers; a new country is checked against the current nif. @throws ServiceError validation_failed */
export function prepareChangedPartner(values: Row, current: { nif: string | null; countryCode: string }): Row {
  const country = String(values.countryCode ?? current.countryCode);
  const nif = values.nif === undefined && values.countryCode !== undefined ? current.nif : values.nif;
  return checkIdentifiers({ ...values, ...(nif === undefined ? {} : { nif }) }, country);
}

async function nextGroupCode(trx: Db, ctx: Context, groupId: string): Promise<string> {
  // Locked, so that it is not deleted before the partner is added to it.
  const group = await PartnerGroup.query(trx).findById(groupId).forKeyShare();
  if (group === undefined)
    throw invalidMember('/groupId', 'invalid_reference', 'refers to a record that does not exist');
  return await nextCode(trx, ctx.tenantId, 'partners', { prefix: group.codePrefix, digits: CODE_DIGITS });
}

function checkIdentifiers(values: Row, country: string): Row {
  const checked = { ...values };
  if (typeof values.nif === 'string') {
    // Normalized, so that duplicates are detected.
    checked.nif = normalizeTaxId(country, values.nif);
    if (checked.nif === null) throw invalidMember('/nif', 'invalid_format', `must be a valid tax id of ${country}`);
  }
  return checkBankDetails(checked);
}
