/** Accepts the best suggestion for a line automatically, if its score is high enough and unique. */
import type { Db } from '../../../db/database.ts';
import type { BankStatementLine } from '../../../db/models/bank/statements.ts';
import type { SuggestedRule, Suggestion } from '../../../domain/bank/statements/suggestion.ts';
import { invalidMember } from '../../../domain/errors.ts';
import { toNumber } from '../../../domain/money.ts';
import { debtName, OPEN_ITEM } from '../../../domain/trade/payments/types.ts';
import type { AcceptedLine, Target } from './parts.ts';
import { findSuggestions } from './suggestions.ts';

/** Minimum score for acceptance without review, unless the client sets another. */
export const AUTO_ACCEPT_SCORE = 75;

/** Suggestions for all lines, loaded together, and reloaded for a line when another has taken its suggestion. */
export class Suggestions {
  readonly #taken = new Set<string>();
  readonly #trx: Db;
  readonly #least: number;
  readonly #found: ReadonlyMap<string, readonly Suggestion[]>;

  private constructor(trx: Db, least: number, found: ReadonlyMap<string, readonly Suggestion[]>) {
    this.#trx = trx;
    this.#least = least;
    this.#found = found;
  }

  static async load(trx: Db, least: number, lines: readonly BankStatementLine[]): Promise<Suggestions> {
    return new Suggestions(trx, least, await findSuggestions(trx, lines));
  }

  /** Finds the best suggestion. @throws ServiceError validation_failed when its score is too low, or not unique */
  async best(line: BankStatementLine): Promise<AcceptedLine> {
    const before = this.#found.get(line.id) ?? [];
    const stale = before.some((one) => suggestedIds(one).some((id) => this.#taken.has(id)));
    const [best, next] = stale ? ((await findSuggestions(this.#trx, [line])).get(line.id) ?? []) : before;
    if (best === undefined || best.score < this.#least) {
      const words =
        best === undefined ? 'there is none' : `the best has a score of ${best.score}, less than ${this.#least}`;
      throw invalidMember('/suggestion', 'no_suggestion', `${words}; say what the line is for`);
    }
    if (next?.score === best.score) {
      throw invalidMember('/suggestion', 'ambiguous', `several have a score of ${best.score}; say which one it is`);
    }
    for (const id of suggestedIds(best)) this.#taken.add(id);
    return toAcceptance(line.id, best);
  }
}

/** Builds the input with which a client would accept the suggestion. */
function toAcceptance(
  line_id: string,
  { payment, returned, order, rule, invoices, instalment, partner }: Suggestion,
): AcceptedLine {
  if (rule !== null) return { line_id, ...rulePart(rule) };
  if (payment !== null) return { line_id, payment_id: payment.id };
  if (returned !== undefined) return { line_id, return_of: returned.id };
  if (order !== null) return { line_id, order_id: order.id, ...(order.batch === null ? {} : { batch: order.batch }) };
  const documents = invoices.map(({ id, docType, isItem, outstanding }) => ({
    document_type: debtName(isItem ? OPEN_ITEM : docType),
    document_id: id,
    // Each of several invoices is settled by exactly its outstanding amount.
    ...(instalment === null ? {} : { instalment }),
    ...(invoices.length > 1 ? { amount_applied: toNumber(outstanding) } : {}),
  }));
  return { line_id, partner_id: partner?.id ?? '', documents };
}

function suggestedIds({ payment, returned, order, invoices }: Suggestion): string[] {
  const items = order?.items.flatMap(({ paymentId, documentId }) => [paymentId, documentId]) ?? [];
  return [payment?.id, returned?.id, order?.id, ...items, ...invoices.map(({ id }) => id)].filter(
    (id) => typeof id === 'string',
  );
}

/** Builds a part with the rule's account; the tax rate is that of the line's date. */
function rulePart(rule: SuggestedRule): Target & { readonly rule_id: string } {
  const { id, accountId, taxGroupId, partnerId, projectId, costCenterId, entryText } = rule;
  return {
    rule_id: id,
    account_id: accountId,
    ...(taxGroupId === null ? {} : { tax_group_id: taxGroupId, followRate: true }),
    ...(partnerId === null ? {} : { partner_id: partnerId }),
    ...(projectId === null ? {} : { project_id: projectId }),
    ...(costCenterId === null ? {} : { cost_center_id: costCenterId }),
    ...(entryText === null ? {} : { text: entryText }),
  };
}
