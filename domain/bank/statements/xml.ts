/**
 * A streaming reader of bank XML, based on a strict parser that knows only XML's five entities. It refuses document
 * types, so that nothing can be defined, expanded or fetched, and limits depth and number of elements.
 */
import { SaxesParser } from 'saxes';
import { badStatement } from './statement.ts';

export interface Element {
  readonly name: string;
  /** Line in the file. */
  readonly line: number;
  readonly attributes: Readonly<Record<string, string>>;
  /** Text of an element without children. */
  readonly text: string;
  readonly children: readonly Element[];
}

export interface ElementHandler {
  /** Called at the start of an element above those delivered whole. `namespace` is its URI. */
  open?(path: readonly string[], namespace: string, line: number): void;
  close?(path: readonly string[]): void;
  /** Called with a whole element, and the names of its ancestors. */
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
/** About 20 bytes each in the largest file; real elements are longer. */
const MAX_ELEMENTS = 1_000_000;

export class ElementReader {
  readonly #parser = new SaxesParser({ xmlns: true, position: true });
  readonly #handler: ElementHandler;
  /** Depth of elements that are delivered whole (the root is 1). */
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
      throw badStatement('invalid_xml', `is not well-formed XML: ${stripPosition(error)}`, parser.line);
    });
    parser.on('doctype', () => {
      throw badStatement('doctype', 'has a document type (DOCTYPE), which statements must not have', parser.line);
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

/** Finds the first element on a path of names, e.g. `Tp/CdOrPrtry/Cd`. */
export function find(element: Element | undefined, path: string): Element | undefined {
  let found = element;
  for (const name of path.split('/')) found = found?.children.find((child) => child.name === name);
  return found;
}

/** Lists the children with a name. */
export function all(element: Element | undefined, name: string): readonly Element[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}

/** Finds the text of the first element on one of the paths; null if there is none. */
export function textAt(element: Element | undefined, ...paths: readonly string[]): string | null {
  for (const path of paths) {
    const text = find(element, path)?.text.trim();
    if (text) return text;
  }
  return null;
}

/** Removes the line and column that the parser puts before its messages. */
function stripPosition({ message }: Error): string {
  return message
    .replace(/^[^ ]*?\d+:\d+: /, '')
    .replace(/\.$/, '')
    .slice(0, 200);
}
