/**
 * Messages for people in another language than English, in which the service writes and stores all of them. A catalogue has templates with
 * holes, `{1} has been cancelled`; a message is translated where it is shown, so that those of yesterday's tasks can be read as well.
 */
import type { Catalogue } from './catalogue.ts';
import type { Language } from './formats.ts';
import { SPANISH } from './messages-es/index.ts';

interface Template {
  /** The texts around its holes: one more than holes. */
  readonly literals: readonly string[];
  /** The length of these together. */
  readonly letters: number;
  readonly translated: string;
}

/** Templates by the first letters of what they begin with; '' has those that begin with a hole. */
type Templates = ReadonlyMap<string, readonly Template[]>;

const KEY = 3;
/** Phrases within phrases: a message, what it says of a member, and the words in that. */
const MAX_DEPTH = 4;
/** Longer ones hold a list or a text of the client's that nobody reads to its end. */
const MAX_LENGTH = 2000;
/** Phrases in a row. */
const MAX_PARTS = 20;

const CATALOGUES: Readonly<Record<Exclude<Language, 'en'>, Templates>> = { es: templates(SPANISH) };

/** Translates a message for people; one that is in no catalogue stays in English. */
export function translate(message: string, language: Language): string {
  return findTranslation(message, language) ?? message;
}

/** Translates a message; undefined if no catalogue has it. */
export function findTranslation(message: string, language: Language): string | undefined {
  return language === 'en' ? message : phrase(message, CATALOGUES[language], 0);
}

/** A template, or several phrases in a row: `name must be …`, `name: must be …`, `one; two`, `one, two and three`. */
function phrase(text: string, known: Templates, depth: number): string | undefined {
  if (depth > MAX_DEPTH || text.length > MAX_LENGTH || text === '') return undefined;
  return (
    whole(text, known, depth) ??
    list(text, known, depth) ??
    joined(text, '; ', known, depth) ??
    joined(text, ', ', known, depth) ??
    afterName(text, known, depth)
  );
}

/** The most specific template that the text has, which is the one with most letters of its own. */
function whole(text: string, known: Templates, depth: number): string | undefined {
  let best: { readonly template: Template; readonly holes: readonly string[] } | undefined;
  for (const key of [text.slice(0, KEY), '']) {
    for (const template of known.get(key) ?? []) {
      if (best !== undefined && best.template.letters >= template.letters) break;
      const holes = match(text, template.literals);
      if (holes !== null) best = { template, holes };
    }
  }
  return best && fill(best.template.translated, best.holes, known, depth);
}

function fill(translated: string, holes: readonly string[], known: Templates, depth: number): string {
  return translated.replaceAll(/\{(\d)\}/g, (_, number: string) => {
    const hole = holes[Number(number) - 1] ?? '';
    return phrase(hole, known, depth + 1) ?? hole;
  });
}

/** The texts in the holes, each as short as it can be; null if the text is not of the template. Takes time linear to the text. */
function match(text: string, literals: readonly string[]): readonly string[] | null {
  const [first = '', ...others] = literals;
  const last = others.pop();
  if (last === undefined) return text === first ? [] : null;
  const end = text.length - last.length;
  if (!text.startsWith(first) || end < first.length || !text.endsWith(last)) return null;
  const holes: string[] = [];
  let from = first.length;
  for (const literal of others) {
    const found = text.indexOf(literal, from);
    if (found < 0 || found + literal.length > end) return null;
    holes.push(text.slice(from, found));
    from = found + literal.length;
  }
  holes.push(text.slice(from, end));
  return holes;
}

/** A phrase after the name of a member, parameter or pointer, which stays as it is. */
function afterName(text: string, known: Templates, depth: number): string | undefined {
  const after = (rest: string, isApart: boolean) =>
    isApart ? phrase(rest, known, depth + 1) : whole(rest, known, depth + 1);
  const [, name, rest] = /^([\w./~[\]{}-]+:? )(.+)$/su.exec(text) ?? [];
  const said = name === undefined || rest === undefined ? undefined : after(rest, name.endsWith(': '));
  return said === undefined ? undefined : `${name}${said}`;
}

function joined(text: string, separator: string, known: Templates, depth: number): string | undefined {
  const parts = text.split(separator);
  if (parts.length < 2 || parts.length > MAX_PARTS) return undefined;
  const said = parts.map((part) => phrase(part, known, depth + 1));
  return said.every((part) => part !== undefined) ? said.join(separator) : undefined;
}

function list(text: string, known: Templates, depth: number): string | undefined {
  const [, before = '', conjunction, last = ''] = /^(.+) (and|or) (.+?)$/su.exec(text) ?? [];
  if (conjunction === undefined) return undefined;
  const words = [...before.split(', '), last];
  if (words.length > MAX_PARTS) return undefined;
  const parts = words.map((part) => phrase(part, known, depth + 1));
  if (!parts.every((part) => part !== undefined)) return undefined;
  return `${parts.slice(0, -1).join(', ')} ${conjunction === 'and' ? 'y' : 'o'} ${parts.at(-1)}`;
}

/** Sorts templates so that the most specific one comes first. */
function templates(catalogue: Catalogue): Templates {
  const found = new Map<string, Template[]>();
  for (const [english, translated] of catalogue) {
    const literals = english.split(/\{\d\}/);
    const template = { literals, letters: literals.join('').length, translated };
    const key = (literals[0] ?? '').length < KEY ? '' : english.slice(0, KEY);
    const same = found.get(key);
    if (same === undefined) found.set(key, [template]);
    else same.push(template);
  }
  for (const some of found.values()) some.sort((one, other) => other.letters - one.letters);
  return found;
}
