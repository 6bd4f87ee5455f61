/** Words in bank texts: possible document numbers, and similar names. */
import type { StatementLine } from './statement.ts';

const MAX_TOKENS = 40;
/** Legal forms of companies, too frequent to identify one. */
const LEGAL_FORMS = new Set(['sl', 'slu', 'sa', 'sau', 'scp', 'cb', 'coop', 'gmbh', 'ltd', 'inc', 'sarl', 'srl', 'bv']);

/** Lists words of a line that may be invoice numbers, in lower case; whole references come first. */
export function lineTokens(line: Pick<StatementLine, 'reference' | 'endToEndId' | 'text'>): string[] {
  const tokens = new Set(wholeReferences(line));
  for (const part of [line.reference, line.endToEndId, line.text]) {
    for (const word of normalized(part ?? '').split(/[\s,;()"']+/)) {
      for (const token of [word, ...word.split(/[.:#]+/)]) {
        const bare = token.replace(/^[^\p{L}\p{N}]{1,9}|[^\p{L}\p{N}]{1,9}$/gu, '');
        if (bare.length >= 3 && /\d/.test(bare)) tokens.add(bare);
      }
    }
  }
  return [...tokens].slice(0, MAX_TOKENS);
}

/** The line's reference fields. */
export function wholeReferences({ reference, endToEndId }: Pick<StatementLine, 'reference' | 'endToEndId'>): string[] {
  return [reference, endToEndId].flatMap((text) => (text === null ? [] : [normalized(text)]));
}

/** Computes the share of a name's words (without legal forms) that a text contains: 0 to 1. */
export function similarity(name: string, text: string): number {
  const words = splitWords(name);
  if (words.size === 0) return 0;
  const there = splitWords(text);
  return [...words].filter((word) => there.has(word)).length / words.size;
}

/** Splits a name or text into words in lower case, without accents and legal forms. */
export function splitWords(text: string): Set<string> {
  const plain = text.slice(0, 1000).normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '');
  return new Set(plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 1 && !LEGAL_FORMS.has(word)));
}

/** Normalizes a text for comparison, ignoring case and surrounding blanks. */
export function normalized(text: string): string {
  return text.trim().toLowerCase();
}

/** Removes the hyphens of a UUID, as in messages to the bank. */
export function compact(id: string): string {
  return id.replaceAll('-', '');
}
