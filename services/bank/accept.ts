/** Accepts lines of statements: each gets the payment that it shows, one that is there or one that is registered for it. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { BankStatementLine } from '../../db/models/bank.ts';
import { patchRow } from '../../db/write.ts';
import type { Suggestion } from '../../domain/bank/suggest.ts';
import { DOCUMENT_TYPES } from '../../domain/documents/types.ts';
import { invalidMember, ServiceError } from '../../domain/errors.ts';
import { decimal, toNumber } from '../../domain/money.ts';
import type { PaymentDirection } from '../../domain/payments/types.ts';
import type { LinkInput, PaymentInput } from '../payments/input.ts';
import { lockPayments, type PaymentRow } from '../payments/payment.ts';
import { registerPayment } from '../payments/register.ts';
import { suggestionsFor } from './suggestions.ts';

/** What a line is: exactly one of the members besides `line_id`, or `documents` with their partner. */
export interface AcceptedLine {
  readonly line_id: string;
  /** The best suggestion, if it is good enough. */
  readonly suggestion?: true;
  readonly payment_id?: string;
  readonly partner_id?: string;
  readonly documents?: readonly LinkInput[];
}

type Way = Pick<AcceptedLine, 'payment_id' | 'partner_id' | 'documents'>;

export interface AcceptReport {
  readonly accepted: { line_id: string; payment_id: string }[];
  readonly refused: { line_id: string; code: string; message: string }[];
}

/** Suggestions that need no look of a person have at least this score, unless the client says otherwise. */
export const SURE = 75;

interface AcceptOptions {
  /** Good lines are accepted although others are refused. */
  readonly partial: boolean;
  readonly leastScore: number;
}

/**
 * Accepts lines, all or (`partial`) those that can be.
 * @throws ServiceError validation_failed, invalid_transition, duplicate, period_closed with pointers into `lines`; not with `partial`
 */
export async function acceptLines(
  trx: Db,
  ctx: Context,
  inputs: readonly AcceptedLine[],
  options: AcceptOptions,
): Promise<AcceptReport> {
  const ids = inputs.map((input) => input.line_id.toLowerCase());
  const rows = await BankStatementLine.query(trx).whereIn('id', ids).orderBy('id').forUpdate();
  const lines = new Map(rows.map((row) => [row.id, row]));
  const report: AcceptReport = { accepted: [], refused: [] };
  const asked = inputs.flatMap(({ suggestion, line_id }) =>
    suggestion ? (lines.get(line_id.toLowerCase()) ?? []) : [],
  );
  const suggestions = new Suggestions(trx, options.leastScore, await suggestionsFor(trx, asked));
  for (const [index, input] of inputs.entries()) {
    const line = lines.get(ids[index] as string);
    try {
      // A refused line leaves nothing behind.
      const paymentId = await trx.transaction(async (inner) => accept(inner, ctx, line, input, suggestions));
      report.accepted.push({ line_id: input.line_id, payment_id: paymentId });
      if (line !== undefined) line.status = 'matched';
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (!options.partial) throw placed(error, index);
      report.refused.push({
        line_id: input.line_id,
        code: error.errors[0]?.code ?? error.code,
        message: error.message,
      });
    }
  }
  return report;
}

async function accept(
  trx: Db,
  ctx: Context,
  line: BankStatementLine | undefined,
  input: AcceptedLine,
  suggestions: Suggestions,
): Promise<string> {
  if (line === undefined) throw invalidMember('/line_id', 'invalid_reference', 'refers to a line that does not exist');
  assertOneWay(input);
  if (decimal(line.amount).eq(0)) throw invalidMember('/line_id', 'out_of_range', 'is of no amount; ignore it');
  if (line.status !== 'open') {
    throw new ServiceError('invalid_transition', `The line is ${line.status}; only open ones are accepted`, {
      errors: [{ pointer: '/line_id', code: line.status, message: `is ${line.status}` }],
    });
  }
  const direction = line.amount.startsWith('-') ? 'out' : 'in';
  const way = input.suggestion === true ? await suggestions.best(line) : input;
  const payment =
    way.payment_id === undefined
      ? await registerPayment(trx, ctx, direction, paymentOf(line, way))
      : await existing(trx, line, direction, way.payment_id);
  await patchRow(trx, ctx, BankStatementLine, line, { status: 'matched', paymentId: payment.id });
  return payment.id;
}

/** @throws ServiceError validation_failed unless the line is one thing */
function assertOneWay({ suggestion, payment_id, partner_id, documents }: AcceptedLine): void {
  const ways = [suggestion, payment_id, partner_id].filter((way) => way !== undefined).length;
  if (ways === 1 && (documents === undefined || partner_id !== undefined)) return;
  throw invalidMember(
    '',
    'invalid',
    'must have one of suggestion, payment_id and partner_id; documents go with partner_id',
  );
}

/** A payment that is there already. @throws ServiceError validation_failed, duplicate */
async function existing(
  trx: Db,
  line: BankStatementLine,
  direction: PaymentDirection,
  id: string,
): Promise<PaymentRow> {
  const refuse = (code: string, message: string) => invalidMember('/payment_id', code, message);
  const [payment] = await lockPayments(trx, [id]);
  if (payment === undefined) throw refuse('invalid_reference', 'refers to a payment that does not exist');
  if (payment.direction !== direction) {
    throw refuse(
      'wrong_type',
      direction === 'in' ? 'was issued, and the money came in' : 'was received, and the money went out',
    );
  }
  if (!decimal(payment.amount).eq(decimal(line.amount).abs())) {
    throw refuse(
      'other_amount',
      `is of ${decimal(payment.amount).toFixed()}, and the line of ${decimal(line.amount).abs().toFixed()}`,
    );
  }
  if (payment.bankAccountId !== null && payment.bankAccountId !== line.bankAccountId) {
    throw refuse('other_account', 'is of another bank account');
  }
  const taken = await BankStatementLine.query(trx).findOne({ payment_id: payment.id });
  if (taken !== undefined) {
    const errors = [{ pointer: '/payment_id', code: 'duplicate', message: 'is that of another line' }];
    throw new ServiceError('duplicate', `The payment is that of the line ${taken.id}`, { errors });
  }
  return payment;
}

/** The payment to be registered for a line. */
function paymentOf(line: BankStatementLine, { partner_id = '', documents = [] }: Way): PaymentInput {
  return {
    partner_id,
    amount: toNumber(decimal(line.amount).abs()),
    payment_date: line.date,
    payment_method: 'transfer',
    bank_account_id: line.bankAccountId,
    reference: line.reference ?? line.endToEndId ?? line.bankReference,
    notes: line.text,
    linked_documents: documents,
  };
}

/** The suggestions of all lines, looked up at once, and again for a line once another has taken what was suggested for it. */
class Suggestions {
  readonly #taken = new Set<string>();
  readonly #trx: Db;
  readonly #least: number;
  readonly #found: ReadonlyMap<string, readonly Suggestion[]>;

  constructor(trx: Db, least: number, found: ReadonlyMap<string, readonly Suggestion[]>) {
    this.#trx = trx;
    this.#least = least;
    this.#found = found;
  }

  /** The best one. @throws ServiceError validation_failed when it is not good enough, or not alone the best */
  async best(line: BankStatementLine): Promise<Way> {
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
    if (best.payment !== null) return { payment_id: best.payment.id };
    const documents = best.invoices.map(({ id, docType }) => {
      return { document_type: DOCUMENT_TYPES[docType].name, document_id: id };
    });
    return { partner_id: best.partner.id, documents };
  }
}

function idsOf({ payment, invoices }: Suggestion): string[] {
  return [...(payment === null ? [] : [payment.id]), ...invoices.map(({ id }) => id)];
}

/** What members of a payment are called in a line that is accepted. */
const MEMBERS: readonly (readonly [RegExp, string])[] = [
  [/^\/linked_documents/, '/documents'],
  [/^\/(amount|payment_date|bank_account_id|reference|notes)\b.*/, '/line_id'],
];

/** The same refusal, its pointers into `lines`. */
function placed(error: ServiceError, index: number): ServiceError {
  const errors = error.errors.map(({ pointer, ...fault }) => {
    const member = MEMBERS.reduce((text, [form, name]) => text.replace(form, name), pointer);
    return { pointer: `/lines/${index}${member}`, ...fault };
  });
  const faults =
    errors.length > 0 ? errors : [{ pointer: `/lines/${index}`, code: error.code, message: error.message }];
  return new ServiceError(error.code, error.message, { errors: faults, cause: error });
}
