/** Checks bank rules: each must be selective and consistent, and their number is limited. */
import type { Db } from '../../../db/database.ts';
import type { BankRule } from '../../../db/models/bank/statements.ts';
import { query } from '../../../db/sql.ts';
import { isSelective, MIN_TEXT, textLength } from '../../../domain/bank/statements/rules.ts';
import { invalidMember, ServiceError } from '../../../domain/errors.ts';
import { partnerSide } from '../../../domain/ledger/accounting/partner-accounts.ts';
import { decimal } from '../../../domain/money.ts';
import type { Row } from '../resources/field.ts';

/** Maximum number of rules, since each line of an import is compared with all of them. */
export const MAX_RULES = 200;

type Checked = Pick<BankRule, 'text' | 'counterpartyId' | 'amountFrom' | 'amountTo' | 'accountId' | 'taxGroupId'>;

/** Checks a rule. @throws ServiceError validation_failed */
export async function checkRule(trx: Db, values: Row): Promise<void> {
  const { text, counterpartyId, amountFrom, amountTo, accountId, taxGroupId } = values as unknown as Checked;
  checkConditions({ text, counterparty: counterpartyId, amountFrom, amountTo });
  await checkAccount(trx, accountId, taxGroupId);
}

/** Checks conditions. @throws ServiceError validation_failed for conditions that fit every line, or none */
export function checkConditions(conditions: Parameters<typeof isSelective>[0]): void {
  const { text, amountFrom, amountTo } = conditions;
  if (text !== null && textLength(text) < MIN_TEXT) {
    throw invalidMember('/text', 'invalid', `must have at least ${MIN_TEXT} letters or digits`);
  }
  if (amountFrom !== null && amountTo !== null && decimal(amountFrom).gt(amountTo)) {
    throw invalidMember('/amount_to', 'out_of_range', 'must not be less than amount_from');
  }
  if (!isSelective(conditions)) {
    const words = 'must be given, or a counterparty_id, or one exact amount: the rule would take every line';
    throw invalidMember('/text', 'required', words);
  }
  if (amountTo !== null && decimal(amountTo).eq(0)) {
    throw invalidMember('/amount_to', 'out_of_range', 'must be greater than zero');
  }
}

interface Named {
  readonly type: string;
  readonly code: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly kind: string | null;
}

const NAMED_SQL = `select a.type, a.code, coalesce((select value from settings where name = 'accounting'), '{}') as config,
    (select kind from taxes where id = :taxGroupId::uuid) as kind
  from accounts a where a.id = :accountId::uuid`;

/** Checks the account like the acceptance of a line does: a tax requires an expense account. @throws ServiceError validation_failed */
async function checkAccount(trx: Db, accountId: string, taxGroupId: string | null): Promise<void> {
  const [named] = await query<Named>(trx, NAMED_SQL, { accountId, taxGroupId });
  if (named !== undefined && partnerSide({ id: accountId, code: named.code }, named.config) !== null) {
    const words = 'is an account of partners: what they owe and are owed is settled by payments';
    throw invalidMember('/account_id', 'not_allowed', words);
  }
  if (taxGroupId === null) return;
  if (named?.type !== 'expense') {
    throw invalidMember('/tax_group_id', 'not_allowed', 'is allowed only with an expense account');
  }
  if (named.kind === 'reverse_charge') {
    throw invalidMember(
      '/tax_group_id',
      'not_allowed',
      'cannot be included in a charge because the buyer owes this tax',
    );
  }
}

/** Position of a new rule: after all others. @throws ServiceError validation_failed if there are too many */
export async function nextPosition(trx: Db): Promise<number> {
  const [found] = await query<{ count: number; last: number }>(
    trx,
    'select count(*)::integer as count, coalesce(max(position), 0)::integer as last from bank_rules',
    {},
  );
  if (found !== undefined && found.count >= MAX_RULES) {
    throw new ServiceError('validation_failed', `A company has at most ${MAX_RULES} rules; delete or widen some`, {
      errors: [
        { pointer: '', code: 'too_many', message: `cannot be added because there are already ${MAX_RULES} rules` },
      ],
    });
  }
  return Math.min((found?.last ?? 0) + 10, MAX_POSITION);
}

export const MAX_POSITION = 1_000_000;
