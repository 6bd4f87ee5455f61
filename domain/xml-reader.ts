/** Reads short XML of other programs whole, as the nodes that `domain/xml.ts` writes: prefixes kept, blanks between elements left out. */
import { SaxesParser } from 'saxes';
import { type Node, node } from './xml.ts';

const MAX_DEPTH = 40;

interface Open {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Node[];
  text: string;
}

/** Thrown for what is not well-formed XML, or more than the service reads. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
}

/**
 * Reads a document. Only XML's five entities exist: document types are refused, so that nothing can be defined, expanded or fetched.
 * @throws XmlError
 */
export function parseXml(xml: string): Node {
  const parser = new SaxesParser();
  const open: Open[] = [{ name: '', attributes: {}, text: '', children: [] }];
  const refuse = (message: string) => {
    throw new XmlError(message);
  };
  parser.on('error', ({ message }) => refuse(message));
  parser.on('doctype', () => refuse('a document type (DOCTYPE) is not read'));
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length > MAX_DEPTH) refuse('elements are nested too deep');
    open.push({ name, attributes, text: '', children: [] });
  });
  const add = (text: string) => {
    const last = open.at(-1);
    if (last !== undefined) last.text += text;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => {
    const one = open.pop();
    if (one === undefined) return;
    const content = one.children.length > 0 || one.text.trim() === '' ? one.children : one.text;
    const attributes = Object.keys(one.attributes).length === 0 ? [] : [one.attributes];
    open.at(-1)?.children.push(node(one.name, content, ...attributes));
  });
  parser.write(xml).close();
  return open[0]?.children[0] ?? refuse('there is no element');
}

/** The name of an element without its prefix. */
export function localName({ name }: Pick<Node, 'name'>): string {
  return name.slice(name.indexOf(':') + 1);
}

/** The elements with a name, without prefix, at any depth, in order. */
export function* descendants(root: Node, name: string): Generator<Node> {
  if (typeof root.content === 'string') return;
  for (const child of root.content) {
    if (localName(child) === name) yield child;
    yield* descendants(child, name);
  }
}

/** The text of the first element with a name, without prefix, at any depth; null if there is none. */
export function textWithin(root: Node, name: string): string | null {
  const [found] = descendants(root, name);
  return found === undefined ? null : contentText(found);
}

/** The text of an element; empty if it has elements. */
export function contentText({ content }: Node): string {
  return typeof content === 'string' ? content : '';
}
