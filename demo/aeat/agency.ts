/**
 * A stand-in for the tax agency's service of Veri*factu: over HTTPS, for whoever has a certificate of its authority. It checks schema,
 * certificate, hash, chain and contents, answers as the agency does, and can be told to misbehave.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { type ReadSubmission, readSubmission } from '../../domain/ledger/verifactu/message-reader.ts';
import type { Program, Recorded } from '../../domain/ledger/verifactu/records.ts';
import { mayEndOn } from '../../domain/ledger/verifactu/sending.ts';
import { type Node, node, serialize } from '../../domain/xml.ts';
import { descendants, localName, parseXml, XmlError } from '../../domain/xml-reader.ts';
import { answer, enveloped, fault, type Line, lineError } from './answers.ts';
import type { Authority } from './authority.ts';
import { bodyText } from './body.ts';
import { type Arrived, Book, type StoredRecord } from './book.ts';
import { objection, refusal } from './checks.ts';
import { schemaFault } from './schema.ts';

const MAX_RECORDS = 1000;

/** How it is told to behave; all of it may change while it runs. */
export interface Behaviour {
  /** Seconds that it states as waiting time. */
  waitSeconds: number;
  /** Milliseconds before each answer. */
  slowMs: number;
  /** Closes connections: before it reads a message, or once it has stored it. */
  drop: 'before' | 'after' | null;
  /** Refuses whole messages with this error. */
  refuse: string | null;
  /** Refuses single records with this error, half of them. */
  fail: string | null;
  /** Answers with a page in place of a message, and this status. */
  page: number | null;
  /** Tax ids that it does not know. */
  unknown: Set<string>;
}

export interface Agency {
  /** Where messages go. */
  readonly url: string;
  readonly book: Book;
  readonly behaviour: Behaviour;
  close(): Promise<void>;
}

/** Starts it on this machine. @param options `folder` of its journal; `port`, 0 for a free one; `now` its clock */
export async function startAgency(
  authority: Authority,
  {
    folder,
    port = 0,
    now = () => new Date(),
  }: { readonly folder: string; readonly port?: number; readonly now?: () => Date },
): Promise<Agency> {
  const book = new Book(join(folder, 'journal.jsonl'));
  const behaviour: Behaviour = {
    waitSeconds: 60,
    slowMs: 0,
    drop: null,
    refuse: null,
    fail: null,
    page: null,
    unknown: new Set(),
  };
  const { key, cert } = authority.server;
  const server = createServer({ key, cert, ca: authority.pem, requestCert: true, rejectUnauthorized: true });
  server.on('request', (request, response) => {
    const socket = request.socket as TLSSocket;
    if (behaviour.drop === 'before') return void socket.destroy();
    respond(request, book, behaviour, now).then(
      ({ status, type, text }) => {
        if (behaviour.drop === 'after') socket.destroy();
        else response.writeHead(status, { 'Content-Type': type }).end(text);
      },
      (error: unknown) => response.writeHead(500, { 'Content-Type': 'text/plain' }).end(String(error)),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP`,
    book,
    behaviour,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      book.close();
    },
  };
}

interface Response {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

async function respond(request: IncomingMessage, book: Book, behaviour: Behaviour, now: () => Date): Promise<Response> {
  const text = await bodyText(request);
  if (behaviour.slowMs > 0) await delay(behaviour.slowMs);
  if (behaviour.page !== null)
    return { status: behaviour.page, type: 'text/html', text: '<html><body>Acceso no permitido</body></html>' };
  const { subject } = (request.socket as TLSSocket).getPeerCertificate();
  const body = reply(text, {
    holders: Object.values(subject ?? {}).flatMap((name) => name ?? []),
    book,
    behaviour,
    now: now(),
  });
  const isFault = localName(body) === 'Fault';
  if (!isFault) assertFits(body);
  return { status: isFault ? 500 : 200, type: 'text/xml; charset=utf-8', text: enveloped(body) };
}

interface Desk {
  /** Names in the client's certificate. */
  readonly holders: readonly string[];
  readonly book: Book;
  readonly behaviour: Behaviour;
  readonly now: Date;
}

function reply(text: string, { holders, book, behaviour, now }: Desk): Node {
  if (behaviour.refuse !== null) return fault(behaviour.refuse);
  const body = messageBody(text);
  if (body === null) return fault('4103');
  const wrong = schemaFault('SuministroLR', serialize(body));
  if (wrong !== null) return fault('4102', { more: ` ${wrong}` });
  const message = readSubmission(body);
  if (message.records.length > MAX_RECORDS) return fault('4114');
  if (!holders.some((name) => name.includes(message.sender.taxId))) return fault('4112');
  if (message.endsOn !== null && !mayEndOn(message.endsOn, now.toISOString().slice(0, 10))) return fault('4120');
  const arrived: Arrived[] = [];
  const stored: StoredRecord[] = [];
  const lines = message.records.map((recorded) => {
    const line = take(recorded, message, { book, behaviour, now, arrived, stored });
    // A repeated message says nothing new of the chain.
    if (!book.knows(recorded.link.hash)) arrived.push(arrival(recorded, book, arrived));
    if (line.state !== 'Incorrecto') stored.push(storedRecord(line));
    return line;
  });
  const csv = stored.length === 0 ? null : `A-${randomBytes(7).toString('hex').toUpperCase()}`;
  const at = now.toISOString().replace(/\.\d+Z$/, 'Z');
  book.write({ at: now.toISOString(), csv, incident: message.incident, arrived, stored });
  return answer(message, lines, { csv, at, waitSeconds: behaviour.waitSeconds });
}

/** The message in an envelope, with the namespaces that it declares; null if there is none. */
function messageBody(text: string): Node | null {
  try {
    const envelope = parseXml(text);
    const [found] = descendants(envelope, 'RegFactuSistemaFacturacion');
    return found === undefined
      ? null
      : node(found.name, found.content, { ...envelope.attributes, ...found.attributes });
  } catch (error) {
    if (error instanceof XmlError) return null;
    throw error;
  }
}

type Sent = Recorded & { readonly program: Program };

/** Records that came sooner in the same message. */
interface Sooner {
  readonly arrived: readonly Arrived[];
  readonly stored: readonly StoredRecord[];
}

/** Decides what becomes of a record: what it says, and whether the agency may take it after what it has (annex 6 of the validations). */
function take(
  recorded: Sent,
  { sender, incident }: ReadSubmission,
  { book, behaviour, now, arrived, stored }: Pick<Desk, 'book' | 'behaviour' | 'now'> & Sooner,
): Line {
  const chain = chainName(recorded);
  const hasEarlier = book.last(chain) !== undefined || arrived.some((one) => one.chain === chain);
  const situation = { sender: sender.taxId, incident, hasEarlier, now, unknown: behaviour.unknown };
  const failed = arrived.length % 2 === 0 ? behaviour.fail : null;
  const refused = failed ?? refusal(recorded, situation);
  if (refused !== null) return { recorded, state: 'Incorrecto', error: lineError(refused), duplicate: null };
  const known = book.state(recorded.record.invoice, stored);
  const barred = inadmissible(recorded, known !== undefined);
  if (barred !== null) {
    const duplicate = barred === '3000' && known !== undefined ? { state: known.state, error: known.error } : null;
    return { recorded, state: 'Incorrecto', error: lineError(barred), duplicate };
  }
  const objected = objection(recorded, situation);
  if (objected === null) return { recorded, state: 'Correcto', error: null, duplicate: null };
  return { recorded, state: 'AceptadoConErrores', error: lineError(objected), duplicate: null };
}

function inadmissible(recorded: Sent, isKnown: boolean): string | null {
  if (recorded.kind === 'annulment') {
    const { withoutRecord } = recorded.record;
    if (withoutRecord === 'S') return isKnown ? '3000' : null;
    return isKnown ? null : '3002';
  }
  const { correction, rejected } = recorded.record;
  const needsRecord = correction === 'S' && rejected !== 'X';
  if (needsRecord) return isKnown ? null : '3002';
  return isKnown ? '3000' : null;
}

function arrival(recorded: Sent, book: Book, before: readonly Arrived[]): Arrived {
  const chain = chainName(recorded);
  const { previous, hash } = recorded.link;
  const last = before.findLast((one) => one.chain === chain)?.key ?? book.last(chain);
  // The first may name the last one of another program.
  const isLinked = last === undefined || previous?.hash === last.hash;
  return { chain, key: { ...recorded.record.invoice, hash }, isLinked };
}

function chainName({ record, program }: Sent): string {
  return JSON.stringify([record.invoice.issuer, program.makerTaxId, program.code, program.installation]);
}

function storedRecord({ recorded, state, error }: Line): StoredRecord {
  return {
    reference: recorded.record.reference ?? null,
    invoice: recorded.record.invoice,
    kind: recorded.kind,
    state: state as StoredRecord['state'],
    error,
    hash: recorded.link.hash,
  };
}

/** Its own answers fit the agency's schema, or it is no stand-in. */
function assertFits(body: Node): void {
  const wrong = schemaFault('RespuestaSuministro', serialize(body));
  if (wrong !== null) throw new Error(`the answer does not fit the schema: ${wrong}`);
}
