/** Reads a supplier's invoice of any known format. */
import { localName, parseXml, XmlError } from '../../../xml-reader.ts';
import { readCii } from './cii.ts';
import { readFacturae } from './facturae.ts';
import { type ReceivedInvoice, UnreadableInvoice } from './received.ts';
import { readUbl } from './ubl.ts';

/** By the name of the root. A map, since a file may name a root after a member that all objects have. */
const READERS: ReadonlyMap<string, typeof readUbl> = new Map([
  ['Facturae', readFacturae],
  ['Invoice', readUbl],
  ['CreditNote', readUbl],
  ['CrossIndustryInvoice', readCii],
]);
/** More than people enter by hand; a document has no more. */
const MAX_LINES = 1000;

/** @throws UnreadableInvoice */
export function readInvoice(xml: string): ReceivedInvoice {
  try {
    const root = parseXml(xml);
    const read = READERS.get(localName(root));
    if (read === undefined)
      throw new UnreadableInvoice(`is ${localName(root).slice(0, 60)}, which is no known invoice`);
    const invoice = read(root);
    if (invoice.lines.length === 0) throw new UnreadableInvoice('has no lines');
    if (invoice.lines.length > MAX_LINES) throw new UnreadableInvoice(`has more than ${MAX_LINES} lines`);
    return invoice;
  } catch (error) {
    if (error instanceof XmlError) throw new UnreadableInvoice(`is no well-formed XML: ${error.message.slice(0, 200)}`);
    throw error;
  }
}
