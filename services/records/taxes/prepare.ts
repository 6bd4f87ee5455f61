/** Completes and checks tax groups. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { Item, Tax } from '../../../db/models/records/master-data.ts';
import { findUses } from '../../../db/queries/uses.ts';
import { patchRow } from '../../../db/write.ts';
import { dayBefore } from '../../../domain/days.ts';
import { inUse, invalidMember } from '../../../domain/errors.ts';
import { parseDecimal } from '../../../domain/money.ts';
import { type ExemptionReason, fits } from '../../../domain/trade/documents/exemptions.ts';
import { checkValidity } from '../../platform/validation/validity.ts';

type Row = Record<string, unknown>;

/** Members on which the amounts of documents depend. */
const CALCULATED_WITH = ['rate', 'surchargeRate', 'kind', 'exemptionReason', 'consumptionCountry', 'rateKind'] as const;

/**
 * Adds a rate to a code, and ends an open-ended previous rate the day before.
 * @throws ServiceError validation_failed; overlap at the end of the transaction, if another rate is valid on the same days
 */
export async function addRate(trx: Db, ctx: Context, values: Row): Promise<Row> {
  checkValidity(values);
  checkReason(values);
  checkState(values);
  const { code, validFrom } = values;
  if (typeof validFrom !== 'string') return values;
  const before = (await Tax.query(trx)
    .findOne({ code, valid_to: null })
    .where((either) => either.whereNull('valid_from').orWhere('valid_from', '<', validFrom))
    .forUpdate()) as Tax | undefined;
  if (before !== undefined) await patchRow(trx, ctx, Tax, before, { validTo: dayBefore(validFrom) });
  return values;
}

/**
 * Asserts that a used rate does not change: a new rate is a new tax group with its own `validFrom`.
 * @throws ServiceError in_use, validation_failed
 */
export async function checkTaxChange(trx: Db, values: Row, current: Row & { id: string }): Promise<void> {
  checkValidity({ ...current, ...values });
  checkReason({ ...current, ...values });
  checkState({ ...current, ...values });
  const member = CALCULATED_WITH.find((name) => values[name] !== undefined && !same(values[name], current[name]));
  if (member === undefined) return;
  // As the default tax of an item it has not been used in any amount yet.
  const uses = (await findUses(trx, 'taxes', current.id)).filter(({ entityType }) => entityType !== Item.entityType);
  if (uses.length > 0) {
    throw inUse(uses, {
      refused: `${member} cannot be changed`,
      instead: 'Create a new one with the same code and its own validFrom',
    });
  }
}

/** @throws ServiceError validation_failed if a tax has a reason that is none of its kind, or an article without being free of VAT */
function checkReason({ kind, exemptionReason: reason, exemptionArticle: article }: Row): void {
  if (reason && !fits(reason as ExemptionReason, String(kind ?? 'vat'))) {
    const needed = String(reason).startsWith('E') ? 'exempt' : 'not_subject';
    throw invalidMember('/exemptionReason', 'out_of_range', `must be null, or the kind must be ${needed}`);
  }
  if (article && (kind ?? 'vat') === 'vat')
    throw invalidMember('/exemptionArticle', 'out_of_range', 'must be null because VAT is charged');
}

/** @throws ServiceError validation_failed if a tax of another state is none that its consumers bear */
function checkState({ consumptionCountry: state, rateKind, kind, surchargeRate }: Row): void {
  if (!state) {
    if (rateKind) throw invalidMember('/rateKind', 'out_of_range', 'must be null without a consumptionCountry');
    return;
  }
  if (!rateKind) throw invalidMember('/rateKind', 'required', 'is required with a consumptionCountry');
  if ((kind ?? 'vat') !== 'vat' || !parseDecimal(String(surchargeRate ?? 0)).eq(0)) {
    const message = 'must be null, or the tax one of VAT without a surcharge';
    throw invalidMember('/consumptionCountry', 'out_of_range', message);
  }
}

/** Compares rates as amounts: "21" equals "21.0000". */
function same(one: unknown, other: unknown): boolean {
  const bothRates = /^\d/.test(String(one)) && /^\d/.test(String(other));
  return bothRates ? parseDecimal(String(one)).eq(parseDecimal(String(other))) : one === other;
}
