/** Parts into which clients split a line: payments, partners and ledger accounts that add up to its amount. */
import { splitLine } from '../../../domain/bank/statements/shares.ts';
import { invalidMember } from '../../../domain/errors.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import type { LinkInput } from '../../trade/payments/schemas.ts';

/** An existing payment, a new one to register for a partner, or a ledger account (optionally with a partner). */
export interface Target {
  readonly payment_id?: string;
  readonly partner_id?: string;
  readonly documents?: readonly LinkInput[];
  readonly account_id?: string;
  readonly account_code?: string;
  /** Expenses only: the tax included in the amount. */
  readonly tax_group_id?: string;
  readonly project_id?: string;
  readonly cost_center_id?: string;
  /** Text of the entry or payment; defaults to the line's. */
  readonly text?: string;
  /** Internal only: uses the tax rate of the line's date, which a rule cannot know. */
  readonly followRate?: boolean;
}

/** One of several parts. */
export interface PartInput extends Target {
  /** Signed like the line's amount; defaults to the remainder of the line. */
  readonly amount?: number;
}

/** How a line is explained, in exactly one of several ways. */
export interface AcceptedLine extends Target {
  readonly line_id: string;
  /** Accepts the best suggestion, if its score is high enough. */
  readonly suggestion?: true;
  /** An order whose payments the bank booked as one sum. */
  readonly order_id?: string;
  /** The order's batch; found by its amount if missing. */
  readonly batch?: number;
  /** Internal only: the rule that explains the line. */
  readonly rule_id?: string;
  /** Id of the returned payment. */
  readonly return_of?: string;
  /** Who bears the difference from the payment's amount: an expense of the company, or charged to the partner. */
  readonly fees_borne_by?: 'company' | 'partner';
  /** An existing journal entry. */
  readonly entry_id?: string;
  readonly parts?: readonly PartInput[];
}

/** A part with its pointer in the client's body. */
export interface Part extends PartInput {
  readonly at: string;
}

/** A part with its amount, signed like the line's. */
export interface SharedPart extends Omit<Part, 'amount'> {
  readonly amount: Decimal;
  /** The amount in the company's currency, where that is known already. */
  readonly companyAmount?: Decimal;
  /** Whether a payment was recorded on another account. */
  readonly moved?: boolean;
}

export const onAccount = ({ account_id, account_code }: Target): boolean =>
  account_id !== undefined || account_code !== undefined;

/** Checks that the line is explained in exactly one way. @throws ServiceError validation_failed */
export function assertOneKind(input: AcceptedLine): void {
  const { suggestion, order_id, batch, entry_id, parts, return_of, fees_borne_by } = input;
  const whole = [suggestion, order_id, entry_id, parts, return_of].filter((way) => way !== undefined).length;
  const own = countKinds(input);
  if (whole + own !== 1) {
    const words =
      'suggestion, payment_id, partner_id, account_id or account_code, entry_id, order_id, return_of and parts';
    throw invalidMember('', 'invalid', `must have exactly one of ${words}`);
  }
  if (batch !== undefined && order_id === undefined) {
    throw invalidMember('/batch', 'not_allowed', 'is allowed only with order_id');
  }
  if (fees_borne_by !== undefined && return_of === undefined) {
    throw invalidMember('/fees_borne_by', 'not_allowed', 'is allowed only with return_of');
  }
  if (own === 0) assertMembersAllowed(input, '');
}

/** Lists the parts of a line. @throws ServiceError validation_failed for a part that is not exactly one thing */
export function listParts(input: AcceptedLine): Part[] {
  const { parts } = input;
  const all =
    parts === undefined ? [{ ...input, at: '' }] : parts.map((part, index) => ({ ...part, at: `/parts/${index}` }));
  for (const part of all) {
    if (countKinds(part) !== 1) {
      throw invalidMember(
        part.at,
        'invalid',
        'must have exactly one of payment_id, partner_id, account_id and account_code',
      );
    }
    assertMembersAllowed(part, part.at);
  }
  return all;
}

/**
 * Counts the things that a part claims to be. A partner with an account does not count: it only says whose account it
 * is.
 */
function countKinds(part: Target): number {
  const { payment_id, account_id, account_code, partner_id } = part;
  const partner = onAccount(part) ? undefined : partner_id;
  return [payment_id, account_id, account_code, partner].filter((way) => way !== undefined).length;
}

/** Checks members that require others. */
function assertMembersAllowed(part: PartInput, at: string): void {
  const account = onAccount(part);
  const partner = part.partner_id !== undefined && !account;
  const allowed: Readonly<Record<string, readonly [boolean, string]>> = {
    documents: [partner, 'partner_id, without an account'],
    tax_group_id: [account, 'an account'],
    project_id: [account, 'an account'],
    cost_center_id: [account, 'an account'],
    text: [account || partner, 'partner_id or an account'],
    amount: [account || partner, 'partner_id or an account; a payment has its own'],
  };
  for (const [member, [fits, words]] of Object.entries(allowed)) {
    if (!fits && part[member as keyof PartInput] !== undefined) {
      throw invalidMember(`${at}/${member}`, 'not_allowed', `is allowed only with ${words}`);
    }
  }
}

/**
 * Distributes the line's amount among the parts.
 * @param total amount of the line
 * @param known amounts of existing payments, by their id
 * @throws ServiceError validation_failed unless the parts add up to the line
 */
export function distribute(total: Decimal, parts: readonly Part[], known: ReadonlyMap<string, Decimal>): SharedPart[] {
  const given = parts.map(({ payment_id, amount }) => {
    const own = payment_id === undefined ? amount : known.get(payment_id.toLowerCase());
    return own === undefined ? null : decimal(own).toFixed();
  });
  const [only] = given;
  if (given.length === 1 && typeof only === 'string' && !decimal(only).eq(total)) {
    const words = `has the amount ${decimal(only).abs().toFixed()}, but the line ${decimal(total).abs().toFixed()}`;
    throw invalidMember(
      `${parts[0]?.at}/${parts[0]?.payment_id === undefined ? 'amount' : 'payment_id'}`,
      'other_amount',
      words,
    );
  }
  const zero = given.findIndex((amount) => amount !== null && decimal(amount).eq(0));
  if (zero >= 0) throw invalidMember(`${parts[zero]?.at}/amount`, 'out_of_range', 'must not be zero');
  const shares = splitLine(total, given);
  if ('amounts' in shares) return parts.map((part, index) => ({ ...part, amount: shares.amounts[index] as Decimal }));
  if (shares.fault === 'unbalanced') {
    const message = `add up to ${shares.together}, but the line is ${total}: ${shares.missing} is missing`;
    throw invalidMember('/parts', 'unbalanced', message);
  }
  const at = `${parts[shares.index]?.at}/amount`;
  if (shares.fault === 'nothing_left')
    throw invalidMember(at, 'out_of_range', 'cannot get an amount because the other parts add up to the line');
  throw invalidMember(at, 'required', 'only one part may leave out its amount');
}
