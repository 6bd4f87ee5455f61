/**
 * A streaming reader of OFX: SGML without end tags of values in version 1, XML in version 2; it reads both alike. It
 * accepts only elements, texts, the entities of XML and numeric references, and refuses document types, so that nothing
 * can be defined or expanded.
 */
import { badStatement } from './statement.ts';
import type { Element } from './xml.ts';

/** Receives a completed element. @returns whether its parent can drop it */
export type ElementTaker = (element: Element) => boolean;

interface Building {
  readonly name: string;
  readonly line: number;
  readonly attributes: Record<string, string>;
  readonly children: Building[];
  text: string;
  /** Number of elements, including those within. */
  size: number;
}

const MAX_DEPTH = 40;
/** Maximum elements kept at the same time; a transaction has twenty. */
const MAX_KEPT = 10_000;
/** Maximum length of a text or tag. */
const MAX_LENGTH = 1 << 16;

export class SgmlReader {
  readonly #take: ElementTaker;
  readonly #open: Building[] = [];
  #rest = '';
  #line = 1;
  #kept = 0;
  #root = false;

  constructor(take: ElementTaker) {
    this.#take = take;
  }

  /** @throws BadStatement invalid_ofx, doctype, too_deep, too_many_elements, and what the taker throws */
  push(piece: string): void {
    const text = this.#rest + piece;
    let from = 0;
    for (let start = text.indexOf('<'); start >= 0; start = text.indexOf('<', from)) {
      const end = findMarkupEnd(text, start);
      if (end < 0) break;
      this.#read(text.slice(from, start));
      this.#markup(text.slice(start, end));
      from = end;
    }
    this.#rest = text.slice(from);
    if (this.#rest.length > MAX_LENGTH) throw this.#fault('has a text or tag without an end');
  }

  /** @throws BadStatement when the file ends too early */
  end(): void {
    if (!this.#root) throw this.#fault('holds no element');
    const [open] = this.#open;
    if (open !== undefined || this.#rest.includes('<')) {
      throw badStatement('truncated', 'the file ends too early: a part is missing', this.#line, open?.name ?? null);
    }
  }

  #read(text: string): void {
    const element = this.#open.at(-1);
    if (element !== undefined && element.children.length === 0 && text.trim() !== '') element.text += decoded(text);
    this.#line += lineBreaks(text);
  }

  #markup(tag: string): void {
    const element = this.#open.at(-1);
    if (tag.startsWith('<![CDATA[')) {
      if (element !== undefined && element.children.length === 0) element.text += tag.slice(9, -3);
    } else if (/^<!doctype/i.test(tag)) {
      throw badStatement('doctype', 'has a document type (DOCTYPE), which statements must not have', this.#line);
    } else if (!/^<[!?]/.test(tag)) {
      const [, end, name = '', single] = /^<(\/?)\s*([\w.-]{1,60})(?:\s[^<]*?)?(\/?)>$/.exec(tag) ?? [];
      if (name === '') throw this.#fault('has something between < and > that is no tag');
      if (end === '/') this.#close(name.toUpperCase());
      else this.#begin(name.toUpperCase());
      if (end !== '/' && single === '/') this.#close(name.toUpperCase());
    }
    this.#line += lineBreaks(tag);
  }

  #begin(name: string): void {
    this.#root = true;
    // A value ends where the next element begins.
    if (this.#open.at(-1)?.text) this.#finish();
    if (this.#open.length >= MAX_DEPTH) {
      throw badStatement('too_deep', `is nested more than ${MAX_DEPTH} levels deep`, this.#line);
    }
    if (++this.#kept > MAX_KEPT) {
      throw badStatement('too_many_elements', 'has more elements than a statement can have', this.#line);
    }
    this.#open.push({ name, line: this.#line, attributes: {}, children: [], text: '', size: 1 });
  }

  /**
   * Closes an element. Open elements within were values without end tags; elements that seemed to be inside follow
   * them.
   */
  #close(name: string): void {
    if (!this.#open.some((one) => one.name === name)) throw this.#fault(`ends ${name}, which has not begun`);
    while (this.#open.at(-1)?.name !== name) this.#finish(true);
    this.#finish();
  }

  #finish(empty = false): void {
    const element = this.#open.pop() as Building;
    const parent = this.#open.at(-1);
    const inside = empty ? element.children.splice(0) : [];
    const { size } = element;
    if (this.#take(element)) this.#kept -= size;
    else if (parent !== undefined) {
      parent.children.push(element);
      parent.size += size;
    }
    parent?.children.push(...inside);
  }

  #fault(message: string): Error {
    return badStatement('invalid_ofx', `is not OFX: ${message}`, this.#line);
  }
}

/** Finds the end of the markup that begins at `start`; -1 if it is not complete yet. */
function findMarkupEnd(text: string, start: number): number {
  const mark = text.startsWith('<!--', start) ? '-->' : text.startsWith('<![CDATA[', start) ? ']]>' : '>';
  // The kind of markup is known only after this many characters.
  if (text.startsWith('<!', start) && text.length - start < '<![CDATA['.length) return -1;
  const at = text.indexOf(mark, start);
  return at < 0 ? -1 : at + mark.length;
}

function lineBreaks(text: string): number {
  let found = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) found++;
  return found;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function decoded(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi, (all, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? all;
    const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}
