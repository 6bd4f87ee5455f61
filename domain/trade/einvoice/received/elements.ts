/** Reads members of invoices out of elements: texts, amounts and days, each checked for its form. */
import { type Decimal, decimal } from '../../../money.ts';
import type { Node } from '../../../xml.ts';
import { contentText, localName } from '../../../xml-reader.ts';
import { type ReceivedCode, UnreadableInvoice } from './received.ts';

const MAX_TEXT = 2000;
const NUMBER = /^[+-]?\d{1,15}(\.\d{1,20})?$/;

/** The elements at a path of names without prefix, in order. */
export function all(root: Node, path: string): Node[] {
  return path
    .split('/')
    .reduce<Node[]>(
      (found, name) =>
        found.flatMap(({ content }) =>
          typeof content === 'string' ? [] : content.filter((child) => localName(child) === name),
        ),
      [root],
    );
}

export function first(root: Node, path: string): Node | null {
  return all(root, path)[0] ?? null;
}

/** The text at a path; null if it is absent or blank. */
export function text(root: Node | null, path: string): string | null {
  const found = root === null ? null : first(root, path);
  const written = found === null ? '' : contentText(found).trim();
  return written === '' ? null : written.slice(0, MAX_TEXT);
}

/** @throws UnreadableInvoice if it is absent */
export function needed(root: Node, path: string): string {
  return text(root, path) ?? refuse(`has no ${path.split('/').at(-1)}`);
}

/** The amount at a path. @param otherwise for an absent one; none = it must be there */
export function amount(root: Node | null, path: string, otherwise?: Decimal): Decimal {
  const written = text(root, path);
  const name = path.split('/').at(-1);
  if (written === null) return otherwise ?? refuse(`has no ${name}`);
  if (!NUMBER.test(written)) return refuse(`has ${name} ${written.slice(0, 40)}, which is no amount`);
  return decimal(written as Decimal).toFixed();
}

/** The day at a path: 2026-11-20, with or without a time zone, or 20261120. */
export function day(root: Node | null, path: string): string | null {
  const written = text(root, path);
  if (written === null) return null;
  const [, year, month, date] = /^(\d{4})-?(\d\d)-?(\d\d)([Z+-].*)?$/.exec(written) ?? [];
  const read = `${year}-${month}-${date}`;
  const time = Date.parse(`${read}T00:00:00Z`);
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== read) {
    return refuse(`has ${path.split('/').at(-1)} ${written.slice(0, 40)}, which is no day`);
  }
  return read;
}

/** The codes at paths, by who gave them. */
export function codes(root: Node, paths: Readonly<Partial<Record<ReceivedCode['by'], string>>>): ReceivedCode[] {
  return (['buyer', 'standard', 'seller'] as const).flatMap((by) => {
    const path = paths[by];
    const code = path === undefined ? null : text(root, path);
    return code === null ? [] : [{ by, code }];
  });
}

/** @throws UnreadableInvoice always */
export function refuse(what: string): never {
  throw new UnreadableInvoice(what);
}
