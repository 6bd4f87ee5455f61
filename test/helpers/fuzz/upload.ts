/** Files that grow: tables, bank statements and what only looks like them. */
import type { Random } from './random.ts';

interface Grown {
  readonly body: Buffer;
  readonly type: string;
}

type File = (bytes: number) => string;

const wrap = (open: string, inside: string, close: string): File => {
  return (bytes) => {
    const times = Math.max(1, Math.floor(bytes / (open.length + close.length)));
    return open.repeat(times) + inside + close.repeat(times);
  };
};
const repeat =
  (head: string, part: string): File =>
  (bytes) =>
    head + part.repeat(Math.max(1, Math.floor(bytes / part.length)));

const FILES: Readonly<Record<string, { readonly type: string; readonly file: File }>> = {
  'rows of a table': { type: 'text/csv', file: repeat('name,code\n', 'Ana,\n') },
  'columns of a table': { type: 'text/csv', file: repeat('name', ',name') },
  'a table of quotes': { type: 'text/csv', file: repeat('name\n', '""') },
  'an open quote': { type: 'text/csv', file: repeat('name\n"', 'a,\n') },
  'a table of separators': { type: 'text/csv', file: repeat('name\n', ';,\t') },
  'a long cell': { type: 'text/csv', file: repeat('name\n', 'a') },
  'elements of XML': { type: 'application/xml', file: wrap('<a>', 'x', '</a>') },
  'attributes of XML': { type: 'application/xml', file: repeat('<a ', 'b="c" ') },
  'entities of XML': { type: 'application/xml', file: repeat('<a>', '&amp;') },
  'comments of XML': { type: 'application/xml', file: repeat('<a>', '<!-- - -->') },
  'tags of a statement': { type: 'text/plain', file: repeat(':20:A\n', ':61:2601010101C1,00NMSC\n:86:x\n') },
  'OFX without an end': { type: 'text/plain', file: repeat('OFXHEADER:100\n\n<OFX>', '<STMTTRN><TRNAMT>1') },
  'Norma 43': { type: 'text/plain', file: repeat('', `${'11'.padEnd(80, '0')}\n`) },
  'bytes of a picture': { type: 'image/svg+xml', file: wrap('<g>', '', '</g>') },
};

/** A file of one kind, for the sizes to come. */
export function grownFile(random: Random): { readonly name: string; make(bytes: number): Grown } {
  const name = random.pick(Object.keys(FILES));
  const { type, file } = FILES[name] as (typeof FILES)[string];
  return { name, make: (bytes) => ({ body: Buffer.from(file(bytes)), type }) };
}
