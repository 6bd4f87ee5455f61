/** Reads XML as the nodes that `domain/xml.ts` writes, with the prefixes of names and without blanks between elements. */
import { SaxesParser } from 'saxes';
import { type Node, node } from '../../domain/xml.ts';

export function parseNodes(xml: string): Node {
  const parser = new SaxesParser();
  const open: { name: string; text: string; children: Node[] }[] = [{ name: '', text: '', children: [] }];
  parser.on('opentag', ({ name }) => void open.push({ name, text: '', children: [] }));
  parser.on('text', (text) => {
    const last = open.at(-1);
    if (last !== undefined) last.text += text;
  });
  parser.on('closetag', () => {
    const one = open.pop();
    const parent = open.at(-1);
    if (one === undefined || parent === undefined) throw new Error('an element closes that is not open');
    parent.children.push(node(one.name, one.children.length > 0 || one.text.trim() === '' ? one.children : one.text));
  });
  parser.write(xml).close();
  const [root] = open[0]?.children ?? [];
  if (root === undefined) throw new Error('there is no element');
  return root;
}

/** The elements with a name, at any depth, in order. */
export function* descendants(root: Node, name: string): Generator<Node> {
  if (typeof root.content === 'string') return;
  for (const child of root.content) {
    if (child.name === name) yield child;
    yield* descendants(child, name);
  }
}
