/** Shows which open lines match rules, without writing anything. */
import { setImmediate as turn } from 'node:timers/promises';
import { Type } from 'typebox';
import type { Reader } from '../../../../db/database.ts';
import { BankStatementLine, PAYMENTS_OF_LINE } from '../../../../db/models/bank/statements.ts';
import { fromRow, type JsonRow } from '../../../../db/models/base.ts';
import { query } from '../../../../db/sql.ts';
import { RuleBook, type RuleConditions } from '../../../../domain/bank/statements/rules.ts';
import { invalidMember, notFound, ServiceError } from '../../../../domain/errors.ts';
import { type Decimal, decimal } from '../../../../domain/money.ts';
import { prefixPointers } from '../../../platform/validation/refusals.ts';
import { amount, choice, type Input, label, nullable, uuid } from '../../../platform/validation/schemas.ts';
import { checkConditions } from '../../../records/master-data/prepare-bank-rule.ts';
import { activeRules, ruleById } from './load.ts';

/** Maximum open lines examined, latest first. */
export const MAX_PREVIEWED = 10_000;
/** Maximum lines shown per rule. */
export const MAX_SHOWN = 20;
const CHUNK_SIZE = 500;

/** A rule, not necessarily stored. */
type Previewed = RuleConditions & { readonly id: string | null; readonly name: string };

interface Taken {
  matched: number;
  readonly shown: string[];
}

const LINES_SQL = `select id, bank_account_id as "bankAccountId", amount::text, reference, text,
    counterparty_name as "counterpartyName", counterparty_iban as "counterpartyIban"
  from bank_statement_lines where status = 'open' order by date desc, id desc limit :most::integer`;

/**
 * Lists the open lines that match each rule; a line counts for the first.
 * @param rules in order
 */
export async function previewRules(reader: Reader, rules: readonly Previewed[]) {
  const lines = await query<Parameters<RuleBook<Previewed>['ruleFor']>[0] & { readonly id: string }>(
    reader,
    LINES_SQL,
    { most: MAX_PREVIEWED + 1 },
  );
  const checked = lines.slice(0, MAX_PREVIEWED);
  const book = new RuleBook(rules);
  const taken = new Map<Previewed, Taken>(rules.map((rule) => [rule, { matched: 0, shown: [] }]));
  let matched = 0;
  for (const [index, line] of checked.entries()) {
    const of = taken.get(book.ruleFor(line) as Previewed);
    if (of !== undefined) {
      matched++;
      of.matched++;
      if (of.shown.length < MAX_SHOWN) of.shown.push(line.id);
    }
    if (index % CHUNK_SIZE === CHUNK_SIZE - 1) await turn();
  }
  const shown = await linesById(
    reader,
    [...taken.values()].flatMap((of) => of.shown),
  );
  return {
    lines_checked: checked.length,
    all_checked: lines.length <= MAX_PREVIEWED,
    unmatched: checked.length - matched,
    rules: [...taken].map(([{ id, name }, of]) => ({
      rule_id: id,
      name,
      matched: of.matched,
      lines: of.shown.flatMap((lineId) => shown.get(lineId) ?? []),
    })),
  };
}

/** Rules to preview: one that is not stored yet, a stored one, or all active ones. */
export const PreviewBody = Type.Object(
  {
    rule_id: Type.Optional(uuid({ description: 'One rule, active or not; defaults to all active rules' })),
    rule: Type.Optional(
      Type.Object(
        {
          bank_account_id: Type.Optional(nullable(uuid())),
          text: Type.Optional(nullable(label())),
          direction: Type.Optional(nullable(choice(['in', 'out']))),
          amount_from: Type.Optional(
            nullable(amount({ minimum: 0, description: 'Minimum amount, ignoring the sign' })),
          ),
          amount_to: Type.Optional(nullable(amount({ minimum: 0, description: 'Maximum amount, ignoring the sign' }))),
          counterparty_id: Type.Optional(
            nullable(uuid({ description: 'The partner whose IBAN or name appears in the line' })),
          ),
        },
        { additionalProperties: false, description: 'Conditions of a rule that is not stored yet' },
      ),
    ),
  },
  { title: 'BankRulePreview', additionalProperties: false },
);

/** Loads or builds the rules to preview. @throws ServiceError not_found; validation_failed for invalid conditions */
export async function rulesToPreview(
  reader: Reader,
  { rule_id, rule }: Input<typeof PreviewBody>,
): Promise<readonly Previewed[]> {
  if (rule !== undefined) {
    if (rule_id !== undefined) throw invalidMember('/rule', 'not_allowed', 'is allowed only without rule_id');
    return [await prepareConditions(reader, rule)];
  }
  if (rule_id === undefined) return activeRules(reader);
  const stored = await ruleById(reader, rule_id);
  if (stored === undefined) throw notFound('This bank rule');
  return [stored];
}

async function prepareConditions(
  reader: Reader,
  given: NonNullable<Input<typeof PreviewBody>['rule']>,
): Promise<Previewed> {
  const { bank_account_id: bankAccountId = null, text = null, direction = null, counterparty_id: id = null } = given;
  const [amountFrom, amountTo] = [given.amount_from, given.amount_to].map((bound) =>
    bound === undefined || bound === null ? null : decimal(bound).toFixed(),
  ) as [Decimal | null, Decimal | null];
  const sql = 'select name, iban from partners where id = :id::uuid';
  const [counterparty = null] =
    id === null ? [] : await query<{ name: string; iban: string | null }>(reader, sql, { id });
  if (id !== null && counterparty === null) {
    throw invalidMember('/rule/counterparty_id', 'invalid_reference', 'refers to a partner that does not exist');
  }
  try {
    checkConditions({ text, counterparty, amountFrom, amountTo });
  } catch (error) {
    throw error instanceof ServiceError ? prefixPointers(error, '/rule', '') : error;
  }
  return { id: null, name: '', bankAccountId, text, direction, amountFrom, amountTo, counterparty };
}

async function linesById(reader: Reader, ids: readonly string[]): Promise<Map<string, Record<string, unknown>>> {
  const sql = `select *, ${PAYMENTS_OF_LINE} from bank_statement_lines where id = any(:ids::uuid[])`;
  const rows = ids.length === 0 ? [] : await query<JsonRow>(reader, sql, { ids: [...ids] });
  return new Map(
    rows.map((row) => {
      const line = fromRow(BankStatementLine, row);
      return [line.id, BankStatementLine.toJson({ ...line })];
    }),
  );
}
