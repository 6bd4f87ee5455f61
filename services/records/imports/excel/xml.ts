/**
 * Streaming parser for the XML of workbooks. Accepts only what workbooks contain: elements, attributes, texts, the five predefined entities
 * and numeric references. Refuses document types, so that nothing can be defined, expanded or fetched.
 */
import { badTable } from '../source.ts';

export interface XmlHandler {
  /** Called with names without their namespace prefix. */
  open?(name: string, attributes: () => Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

export type Attributes = Readonly<Record<string, string>>;

/** All of these run in linear time, even on hostile XML: a name has an end, and the next attribute begins where the last one ended. */
const TAG = /<(\/?)([^\s/>!?"'<]{1,256})(?=[\s/>])([^>"']*(?:(?:"[^"]*"|'[^']*')[^>"']*)*)>/y;
const ATTRIBUTE = /\s*([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/gy;
/** Maximum characters of a single tag or comment. */
const MAX_TAIL = 1 << 20;

export class XmlReader {
  readonly #handler: XmlHandler;
  #tail = '';

  constructor(handler: XmlHandler) {
    this.#handler = handler;
  }

  /** Parses the next chunk. @throws BadTable invalid_excel */
  push(chunk: string): void {
    const xml = this.#tail + chunk;
    let from = 0;
    for (;;) {
      const start = xml.indexOf('<', from);
      if (start < 0) break;
      if (start > from) this.#handler.text?.(decodeEntities(xml.slice(from, start)));
      const end = this.#markup(xml, start);
      if (end < 0) {
        from = start;
        break;
      }
      from = end;
    }
    // The text after the last tag may continue in the next chunk.
    this.#tail = xml.slice(from);
    if (this.#tail.length > MAX_TAIL) throw damaged();
  }

  /** Ends the parsing. @throws BadTable invalid_excel if the XML is cut off */
  end(): void {
    if (this.#tail.trim() !== '') throw damaged();
  }

  /** Parses the markup that begins at `start`. @returns its end; -1 if it is not complete yet */
  #markup(xml: string, start: number): number {
    if (xml.startsWith('<!', start) || xml.startsWith('<?', start)) return this.#special(xml, start);
    TAG.lastIndex = start;
    const found = TAG.exec(xml);
    if (found === null) return -1;
    const [all, slash, prefixed = '', rest = ''] = found;
    const name = prefixed.slice(prefixed.indexOf(':') + 1);
    if (slash === '/') this.#handler.close?.(name);
    else {
      this.#handler.open?.(name, () => parseAttributes(rest));
      if (rest.endsWith('/') || prefixed.endsWith('/')) this.#handler.close?.(name);
    }
    return start + all.length;
  }

  #special(xml: string, start: number): number {
    if (xml.startsWith('<!--', start)) return after(xml, '-->', start);
    if (xml.startsWith('<?', start)) return after(xml, '?>', start);
    if (xml.startsWith('<![CDATA[', start)) {
      const end = after(xml, ']]>', start);
      if (end >= 0) this.#handler.text?.(xml.slice(start + '<![CDATA['.length, end - ']]>'.length));
      return end;
    }
    if (xml.length - start < '<![CDATA['.length) return -1;
    throw damaged();
  }
}

/** Error for a file that claims to be a workbook and is not. */
export function damaged(): Error {
  return badTable('invalid_excel', 'is not an Excel workbook (.xlsx), or is damaged; save it again');
}

function after(xml: string, mark: string, start: number): number {
  const at = xml.indexOf(mark, start);
  return at < 0 ? -1 : at + mark.length;
}

function parseAttributes(text: string): Attributes {
  const attributes: Record<string, string> = {};
  for (const [, prefixed = '', double, single] of text.matchAll(ATTRIBUTE)) {
    attributes[prefixed.slice(prefixed.indexOf(':') + 1)] = decodeEntities(double ?? single ?? '');
  }
  return attributes;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi, (all, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name as string] ?? all;
    const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}
