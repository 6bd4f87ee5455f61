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

export function serialize(root: Node): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${[...parts(root)].join('')}\n`;
}

function* parts({ name, attributes = {}, content }: Node): Generator<string> {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  yield `<${name}${given.join('')}>`;
  if (typeof content === 'string') yield escaped(content);
  else for (const child of content) yield* parts(child);
  yield `</${name}>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
