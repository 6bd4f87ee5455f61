/** XML that the service writes: elements, and their text. */

export interface Node {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly content: string | readonly Node[];
}

/** Builds an element; undefined children are omitted. */
export function node(
  name: string,
  content: string | readonly (Node | undefined)[],
  attributes?: Readonly<Record<string, string>>,
): Node {
  const kept = typeof content === 'string' ? content : content.filter((child) => child !== undefined);
  return { name, content: kept, ...(attributes === undefined ? {} : { attributes }) };
}

/** Builds nested elements with the content in the innermost: `path('Id/IBAN', iban)`. */
export function path(names: string, content: string | readonly (Node | undefined)[]): Node {
  const [name = '', ...rest] = names.split('/');
  return node(name, rest.length === 0 ? content : [path(rest.join('/'), content)]);
}

/** Writes a document. @param declaration its first line, which names the encoding of the file */
export function serialize(root: Node, declaration = DECLARATION): string {
  return `${declaration}${[...parts(root)].join('')}\n`;
}

/** The first line of a document in UTF-8. */
export const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/**
 * The canonical form of an element (Canonical XML 1.0), over which signatures are computed: attributes in order, and namespaces that it has
 * from its ancestors as its own. Attributes have no prefix, but for those that declare namespaces.
 * @param inherited namespaces that apply where the element stands, by the names of their attributes
 */
export function canonical(root: Node, inherited: Readonly<Record<string, string>> = {}): string {
  const attributes = { ...inherited, ...root.attributes };
  return [...parts({ ...root, attributes }, CANONICAL)].join('');
}

/** How texts and attributes are written, and in which order. */
interface Form {
  readonly text: (text: string) => string;
  readonly attribute: (text: string) => string;
  readonly order: (names: readonly string[]) => readonly string[];
}

const PLAIN: Form = { text: escaped, attribute: escaped, order: (names) => names };
const CANONICAL: Form = {
  text: (text) => escapedAs(text, { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#xD;' }),
  attribute: (text) =>
    escapedAs(text, { '&': '&amp;', '<': '&lt;', '"': '&quot;', '\t': '&#x9;', '\n': '&#xA;', '\r': '&#xD;' }),
  // Namespaces first, each by its prefix.
  order: (names) => [...names].sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1)),
};

function rank(name: string): number {
  return name.startsWith('xmlns') ? 0 : 1;
}

function* parts({ name, attributes = {}, content }: Node, form = PLAIN): Generator<string> {
  const given = form.order(Object.keys(attributes)).map((key) => ` ${key}="${form.attribute(attributes[key] ?? '')}"`);
  yield `<${name}${given.join('')}>`;
  if (typeof content === 'string') yield form.text(content);
  else for (const child of content) yield* parts(child, form);
  yield `</${name}>`;
}

function escaped(text: string): string {
  return escapedAs(text, { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' });
}

/** Characters that no XML document may have are left out. */
function escapedAs(text: string, escapes: Readonly<Record<string, string>>): string {
  return text.replace(FORBIDDEN, '').replace(/[&<>"\t\n\r]/g, (character) => escapes[character] ?? character);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it finds them
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
