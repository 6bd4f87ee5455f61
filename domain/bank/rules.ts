/** Rules of a company for lines of statements: what kind of line they are for, without a payment or invoice (decision 0159). */

import type { Decimal } from '../money.ts';
import { decimal } from '../money.ts';
import type { StatementLine } from './statement.ts';
import { wordsOf } from './words.ts';

export type RuledLine = Pick<
  StatementLine,
  'amount' | 'reference' | 'text' | 'counterpartyName' | 'counterpartyIban'
> & { readonly bankAccountId: string };

/** What a line must be; null = it does not matter. */
export interface RuleConditions {
  readonly bankAccountId: string | null;
  readonly text: string | null;
  readonly direction: 'in' | 'out' | null;
  /** Bounds of the amount without its sign, themselves included. */
  readonly amountFrom: Decimal | null;
  readonly amountTo: Decimal | null;
  readonly counterparty: { readonly name: string; readonly iban: string | null } | null;
}

/** The fewest letters and digits of a text: fewer occur in almost every line. */
export const MIN_TEXT = 3;

/** Whether conditions tell lines apart: by a text, a partner, or one exact amount. The others only narrow them down. */
export function isSelective({
  text,
  counterparty,
  amountFrom,
  amountTo,
}: {
  readonly text: string | null;
  readonly counterparty: unknown;
  readonly amountFrom: Decimal | null;
  readonly amountTo: Decimal | null;
}): boolean {
  if (text !== null || counterparty !== null) return true;
  return amountFrom !== null && amountTo !== null && decimal(amountFrom).eq(amountTo);
}

/** How many letters and digits a text has. */
export function lengthOf(text: string): number {
  return plain(text).replaceAll(' ', '').length;
}

/** Finds the rule of a line: the first that it fits. Texts of rules are prepared once. */
export class RuleBook<Rule extends RuleConditions> {
  readonly #rules: readonly { readonly rule: Rule; readonly fits: (line: Seen) => boolean }[];

  /** @param rules in their order */
  constructor(rules: readonly Rule[]) {
    this.#rules = rules.map((rule) => ({ rule, fits: fitting(rule) }));
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  ruleFor(line: RuledLine): Rule | undefined {
    if (this.isEmpty || decimal(line.amount).eq(0)) return undefined;
    const seen = new Seen(line);
    return this.#rules.find(({ fits }) => fits(seen))?.rule;
  }
}

/** A line with what rules compare, worked out when it is first needed. */
class Seen {
  readonly line: RuledLine;
  readonly out: boolean;
  readonly size: Decimal;
  #text: string | undefined;
  #words: ReadonlySet<string> | undefined;

  constructor(line: RuledLine) {
    this.line = line;
    this.out = line.amount.startsWith('-');
    this.size = decimal(line.amount).abs().toFixed();
  }

  /** All texts; each word after a blank. */
  get text(): string {
    const { text, reference, counterpartyName } = this.line;
    this.#text ??= ` ${[text, reference, counterpartyName].map((one) => plain(one ?? '')).join(' ')}`;
    return this.#text;
  }

  /** Of the counterparty's name, else of the text. */
  get words(): ReadonlySet<string> {
    this.#words ??= wordsOf(this.line.counterpartyName ?? this.line.text ?? '');
    return this.#words;
  }
}

function fitting({
  bankAccountId,
  text,
  direction,
  amountFrom,
  amountTo,
  counterparty,
}: RuleConditions): (seen: Seen) => boolean {
  const beginning = text === null ? null : ` ${plain(text)}`;
  const name = counterparty === null ? [] : [...wordsOf(counterparty.name)];
  return (seen) => {
    const { line, out, size } = seen;
    if (bankAccountId !== null && bankAccountId !== line.bankAccountId) return false;
    if (direction !== null && (direction === 'out') !== out) return false;
    if (amountFrom !== null && decimal(size).lt(amountFrom)) return false;
    if (amountTo !== null && decimal(size).gt(amountTo)) return false;
    if (beginning !== null && !seen.text.includes(beginning)) return false;
    if (counterparty === null) return true;
    if (counterparty.iban !== null && counterparty.iban === line.counterpartyIban) return true;
    return name.length > 0 && name.every((word) => seen.words.has(word));
  };
}

/** Letters and digits in lower case without accents, words apart by one blank. */
function plain(text: string): string {
  return text
    .slice(0, 1000)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
