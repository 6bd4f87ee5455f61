/** The words of what banks write: which may be numbers of documents, and whose names are alike. */
import type { StatementLine } from './statement.ts';

const MAX_TOKENS = 40;
/** Forms of companies, which are in every other name. */
const FORMS = new Set(['sl', 'slu', 'sa', 'sau', 'scp', 'cb', 'coop', 'gmbh', 'ltd', 'inc', 'sarl', 'srl', 'bv']);

/** The words of a line that may be numbers of invoices, in lower case; its references as a whole come first. */
export function tokensOf(line: Pick<StatementLine, 'reference' | 'endToEndId' | 'text'>): string[] {
  const tokens = new Set(wholeReferences(line));
  for (const part of [line.reference, line.endToEndId, line.text]) {
    for (const word of normal(part ?? '').split(/[\s,;()"']+/)) {
      for (const token of [word, ...word.split(/[.:#]+/)]) {
        const bare = token.replace(/^[^\p{L}\p{N}]{1,9}|[^\p{L}\p{N}]{1,9}$/gu, '');
        if (bare.length >= 3 && /\d/.test(bare)) tokens.add(bare);
      }
    }
  }
  return [...tokens].slice(0, MAX_TOKENS);
}

/** What stands where the line has a place for a reference. */
export function wholeReferences({ reference, endToEndId }: Pick<StatementLine, 'reference' | 'endToEndId'>): string[] {
  return [reference, endToEndId].flatMap((text) => (text === null ? [] : [normal(text)]));
}

/** The share of the words of a name (without the form of a company) that a text has: 0 to 1. */
export function similarity(name: string, text: string): number {
  const words = wordsOf(name);
  if (words.size === 0) return 0;
  const there = wordsOf(text);
  return [...words].filter((word) => there.has(word)).length / words.size;
}

function wordsOf(text: string): Set<string> {
  const plain = text.slice(0, 1000).normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '');
  return new Set(plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 1 && !FORMS.has(word)));
}

/** As texts are compared: neither case nor blanks around count. */
export function normal(text: string): string {
  return text.trim().toLowerCase();
}

/** Ids in messages to the bank are UUIDs without hyphens. */
export function compact(id: string): string {
  return id.replaceAll('-', '');
}
