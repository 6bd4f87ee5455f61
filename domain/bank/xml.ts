/**
 * Reads XML of banks as it comes, by a strict parser that knows no entities but the five of XML. Document types are refused, so
 * that nothing can be defined, expanded or fetched; depth and number of elements are bounded.
 */
import { SaxesParser } from 'saxes';
import { badStatement } from './statement.ts';

export interface Element {
  readonly name: string;
  /** Where it begins in the file. */
  readonly line: number;
  readonly attributes: Readonly<Record<string, string>>;
  /** Its own text; kept of elements without children only. */
  readonly text: string;
  readonly children: readonly Element[];
}

export interface ElementHandler {
  /** An element above those that are given as a whole. `namespace` is its URI. */
  open?(path: readonly string[], namespace: string, line: number): void;
  close?(path: readonly string[]): void;
  /** An element as a whole, with the names of those around it. */
  element(parents: readonly string[], element: Element): void;
}

interface Building {
  readonly name: string;
  readonly line: number;
  readonly attributes: Record<string, string>;
  readonly children: Building[];
  text: string;
}

const MAX_DEPTH = 40;
/** Of 20 bytes each in the largest file; those of statements have more. */
const MAX_ELEMENTS = 1_000_000;

export class ElementReader {
  readonly #parser = new SaxesParser({ xmlns: true, position: true });
  readonly #handler: ElementHandler;
  /** Elements at this depth (the root is 1) are given as a whole. */
  readonly #depth: number;
  readonly #path: string[] = [];
  readonly #open: Building[] = [];
  #line = 1;
  #elements = 0;
  #root = false;

  constructor(depth: number, handler: ElementHandler) {
    this.#depth = depth;
    this.#handler = handler;
    const parser = this.#parser;
    parser.on('error', (error) => {
      throw badStatement('invalid_xml', `is no well-formed XML: ${reasonOf(error)}`, parser.line);
    });
    parser.on('doctype', () => {
      throw badStatement('doctype', 'holds a document type (DOCTYPE), which statements have not', parser.line);
    });
    parser.on('opentagstart', () => {
      this.#line = parser.line;
    });
    parser.on('opentag', (tag) => this.#opened(tag));
    parser.on('closetag', () => this.#closed());
    parser.on('text', (text) => this.#read(text));
    parser.on('cdata', (text) => this.#read(text));
  }

  /** @throws BadStatement invalid_xml, doctype, too_deep, too_many_elements, and what the handler throws */
  push(text: string): void {
    this.#parser.write(text);
  }

  /** @throws BadStatement invalid_xml when the file ends too early */
  end(): void {
    this.#parser.close();
    if (!this.#root) throw badStatement('invalid_xml', 'holds no element');
  }

  #opened(tag: { local: string; uri: string; attributes: Record<string, { local: string; value: string }> }): void {
    const { local: name, uri } = tag;
    this.#root = true;
    this.#path.push(name);
    const tooMany = ++this.#elements > MAX_ELEMENTS;
    if (tooMany) throw badStatement('too_many_elements', 'has more elements than a statement can have', this.#line);
    if (this.#path.length > MAX_DEPTH) {
      throw badStatement('too_deep', `is nested more than ${MAX_DEPTH} levels deep`, this.#line);
    }
    if (this.#path.length < this.#depth) {
      this.#handler.open?.(this.#path, uri, this.#line);
      return;
    }
    const attributes = Object.fromEntries(Object.values(tag.attributes).map(({ local, value }) => [local, value]));
    this.#open.push({ name, line: this.#line, attributes, children: [], text: '' });
  }

  #closed(): void {
    const element = this.#open.pop();
    if (element === undefined) this.#handler.close?.(this.#path);
    this.#path.pop();
    if (element === undefined) return;
    const parent = this.#open.at(-1);
    if (parent === undefined) this.#handler.element(this.#path, element);
    else parent.children.push(element);
  }

  #read(text: string): void {
    const element = this.#open.at(-1);
    if (element !== undefined && element.children.length === 0) element.text += text;
  }
}

/** The first element on a path of names below another, as `Tp/CdOrPrtry/Cd`. */
export function find(element: Element | undefined, path: string): Element | undefined {
  let found = element;
  for (const name of path.split('/')) found = found?.children.find((child) => child.name === name);
  return found;
}

/** All children of a name. */
export function all(element: Element | undefined, name: string): readonly Element[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}

/** The text of the first element on one of the paths; null when there is none. */
export function textAt(element: Element | undefined, ...paths: readonly string[]): string | null {
  for (const path of paths) {
    const text = find(element, path)?.text.trim();
    if (text) return text;
  }
  return null;
}

/** The parser puts line and column before its words. */
function reasonOf({ message }: Error): string {
  return message
    .replace(/^[^ ]*?\d+:\d+: /, '')
    .replace(/\.$/, '')
    .slice(0, 200);
}
