/** Automatic acceptance: takes the best suggestion for a line if it scores high enough and no other scores the same. */
import type { Db } from '../../db/database.ts';
import type { BankStatementLine } from '../../db/models/bank.ts';
import type { Suggestion } from '../../domain/bank/suggestion.ts';
import { invalidMember } from '../../domain/errors.ts';
import { toNumber } from '../../domain/money.ts';
import { debtName, OPEN_ITEM } from '../../domain/payments/types.ts';
import type { AcceptedLine } from './parts.ts';
import { partOf } from './rules/part.ts';
import { suggestionsFor } from './suggestions.ts';

/** Suggestions with at least this score are accepted without review, unless the client says otherwise. */
export const AUTO_ACCEPT_SCORE = 75;

/** Suggestions for all lines, loaded at once, and reloaded for a line when another has taken what was suggested for it. */
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
    return new Suggestions(trx, least, await suggestionsFor(trx, lines));
  }

  /** The best suggestion. @throws ServiceError validation_failed when its score is too low, or another has the same */
  async best(line: BankStatementLine): Promise<AcceptedLine> {
    const before = this.#found.get(line.id) ?? [];
    const stale = before.some((one) => idsOf(one).some((id) => this.#taken.has(id)));
    const [best, next] = stale ? ((await suggestionsFor(this.#trx, [line])).get(line.id) ?? []) : before;
    if (best === undefined || best.score < this.#least) {
      const words =
        best === undefined ? 'there is none' : `the best has a score of ${best.score}, less than ${this.#least}`;
      throw invalidMember('/suggestion', 'no_suggestion', `${words}; say what the line is for`);
    }
    if (next?.score === best.score) {
      throw invalidMember('/suggestion', 'ambiguous', `several have a score of ${best.score}; say which one it is`);
    }
    for (const id of idsOf(best)) this.#taken.add(id);
    return acceptanceOf(line.id, best);
  }
}

/** The input of a client who agrees with the suggestion. */
function acceptanceOf(
  line_id: string,
  { payment, returned, order, rule, invoices, instalment, partner }: Suggestion,
): AcceptedLine {
  if (rule !== null) return { line_id, ...partOf(rule) };
  if (payment !== null) return { line_id, payment_id: payment.id };
  if (returned !== undefined) return { line_id, return_of: returned.id };
  if (order !== null) return { line_id, order_id: order.id, ...(order.batch === null ? {} : { batch: order.batch }) };
  const documents = invoices.map(({ id, docType, isItem, outstanding }) => ({
    document_type: debtName(isItem ? OPEN_ITEM : docType),
    document_id: id,
    // With several invoices, each is settled by exactly its outstanding amount.
    ...(instalment === null ? {} : { instalment }),
    ...(invoices.length > 1 ? { amount_applied: toNumber(outstanding) } : {}),
  }));
  return { line_id, partner_id: partner?.id ?? '', documents };
}

function idsOf({ payment, returned, order, invoices }: Suggestion): string[] {
  const items = order?.items.flatMap(({ paymentId, documentId }) => [paymentId, documentId]) ?? [];
  return [payment?.id, returned?.id, order?.id, ...items, ...invoices.map(({ id }) => id)].filter(
    (id) => typeof id === 'string',
  );
}
