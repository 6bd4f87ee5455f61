/**
 * Company rules for statement lines: they determine the account of a line without a payment or invoice (decision 0159).
 */

import type { Decimal } from '../../money.ts';
import { decimal } from '../../money.ts';
import type { StatementLine } from './statement.ts';
import { splitWords } from './words.ts';

export type RuledLine = Pick<
  StatementLine,
  'amount' | 'reference' | 'text' | 'counterpartyName' | 'counterpartyIban'
> & { readonly bankAccountId: string };

/** Conditions on a line; null matches everything. */
export interface RuleConditions {
  readonly bankAccountId: string | null;
  readonly text: string | null;
  readonly direction: 'in' | 'out' | null;
  /** Bounds of the amount without its sign, inclusive. */
  readonly amountFrom: Decimal | null;
  readonly amountTo: Decimal | null;
  readonly counterparty: { readonly name: string; readonly iban: string | null } | null;
}

/** Minimum letters and digits of a text: shorter ones occur in almost every line. */
export const MIN_TEXT = 3;

/**
 * Whether conditions select lines: by a text, a partner, or one exact amount. Other conditions only narrow the
 * selection down.
 */
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

/** Counts the letters and digits of a text. */
export function textLength(text: string): number {
  return normalizeText(text).replaceAll(' ', '').length;
}

/** Finds the first rule that a line matches. Texts of rules are prepared once. */
export class RuleBook<Rule extends RuleConditions> {
  readonly #rules: readonly { readonly rule: Rule; readonly fits: (line: RuleSubject) => boolean }[];

  /** @param rules in order */
  constructor(rules: readonly Rule[]) {
    this.#rules = rules.map((rule) => ({ rule, fits: matchingRules(rule) }));
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  ruleFor(line: RuledLine): Rule | undefined {
    if (this.isEmpty || decimal(line.amount).eq(0)) return undefined;
    const seen = new RuleSubject(line);
    return this.#rules.find(({ fits }) => fits(seen))?.rule;
  }
}

/** A line with the values that rules compare, computed when first needed. */
class RuleSubject {
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

  /** All texts; each word follows a blank. */
  get text(): string {
    const { text, reference, counterpartyName } = this.line;
    this.#text ??= ` ${[text, reference, counterpartyName].map((one) => normalizeText(one ?? '')).join(' ')}`;
    return this.#text;
  }

  /** Words of the counterparty's name, or otherwise of the text. */
  get words(): ReadonlySet<string> {
    this.#words ??= splitWords(this.line.counterpartyName ?? this.line.text ?? '');
    return this.#words;
  }
}

function matchingRules({
  bankAccountId,
  text,
  direction,
  amountFrom,
  amountTo,
  counterparty,
}: RuleConditions): (seen: RuleSubject) => boolean {
  const beginning = text === null ? null : ` ${normalizeText(text)}`;
  const name = counterparty === null ? [] : [...splitWords(counterparty.name)];
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

/** Reduces a text to letters and digits in lower case without accents, with words separated by one blank. */
function normalizeText(text: string): string {
  return text
    .slice(0, 1000)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
