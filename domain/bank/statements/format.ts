/** Detects the format of a bank file, and decodes its text. */
import { badStatement } from './statement.ts';

export const STATEMENT_FORMATS = ['camt053', 'norma43', 'csv', 'excel', 'ofx'] as const;
export type StatementFormat = (typeof STATEMENT_FORMATS)[number];

/** Encodings allowed in XML declarations. */
const XML_ENCODINGS = [
  'utf-8',
  'us-ascii',
  'iso-8859-1',
  'iso-8859-15',
  'windows-1252',
  'utf-16',
  'utf-16le',
  'utf-16be',
];
/** Bytes searched to detect the format. */
const HEAD_BYTES = 1024;

/** First bytes of workbooks: .xlsx files are archives, .xls files are not. */
const [ARCHIVE, OLD_WORKBOOK] = ['PK\u0003\u0004', 'ÐÏ\u0011à'] as const;

/** Detects the format from the beginning of the file. @throws BadStatement old_excel */
export function detectFormat(content: Uint8Array): StatementFormat {
  const start = new TextDecoder('latin1').decode(content.subarray(0, 4));
  if (start === ARCHIVE) return 'excel';
  if (start === OLD_WORKBOOK) throw badStatement('old_excel', 'is an old Excel workbook (.xls); save it as .xlsx');
  const head = new TextDecoder(byteOrder(content) ?? 'latin1')
    .decode(content.subarray(0, HEAD_BYTES))
    .replace(/^ï»¿/, '');
  if (/^\s*(OFXHEADER|<(OFX>|\?OFX\s|\?xml[^>]*>\s*<(\?OFX\s|OFX>)))/i.test(head)) return 'ofx';
  if (/^\s*</.test(head)) return 'camt053';
  return /^\s*11\d{18}\d{12}[12]\d{14}/.test(head) ? 'norma43' : 'csv';
}

/** Decodes the text of a file in any format but Excel. @throws BadStatement invalid_encoding */
export function decodeText(format: StatementFormat, content: Uint8Array): string {
  const marked = byteOrder(content);
  if (format === 'norma43' && marked !== undefined)
    throw badStatement('invalid_encoding', 'is UTF-16; Norma 43 is ISO-8859-1');
  const text = format === 'camt053' ? xmlText(content, marked) : plainText(content, marked);
  const zero = text.indexOf('\u0000');
  if (zero >= 0) throw badStatement('invalid_encoding', 'contains zero bytes, so it is not text', lineAt(text, zero));
  return text;
}

/** Decodes invalid UTF-8 as Western European: Spanish banks use both. */
function plainText(content: Uint8Array, marked: string | undefined): string {
  return decoded(marked ?? 'utf-8', content) ?? new TextDecoder('windows-1252').decode(content);
}

function xmlText(content: Uint8Array, marked: string | undefined): string {
  const head = new TextDecoder('latin1').decode(content.subarray(0, HEAD_BYTES));
  const declared =
    /^(?:ï»¿)?\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.-]{1,40})["']/.exec(head)?.[1]?.toLowerCase() ?? 'utf-8';
  const encoding = marked ?? declared;
  if (!XML_ENCODINGS.includes(encoding)) {
    throw badStatement('invalid_encoding', `is declared as ${encoding}; send it in UTF-8`, 1, 'encoding');
  }
  const text = decoded(encoding, content);
  if (text !== undefined) return text;
  throw badStatement(
    'invalid_encoding',
    `is not valid ${encoding.toUpperCase()}, although it is declared as such`,
    1,
    'encoding',
  );
}

function byteOrder([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

function decoded(encoding: string, content: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(content);
  } catch {
    return undefined;
  }
}

function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < position; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
