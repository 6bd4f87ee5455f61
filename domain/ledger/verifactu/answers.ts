/** Reads answers of the tax agency to messages with records (AEAT, RespuestaSuministro.xsd, version 1.0). */
import type { Node } from '../../xml.ts';
import { descendants, parseXml, textWithin, XmlError } from '../../xml-reader.ts';

/** The state of a record at the agency; errors: it is stored, and must be corrected. */
export const RECORD_STATES = ['accepted', 'accepted_with_errors', 'rejected'] as const;
export type RecordState = (typeof RECORD_STATES)[number];

/** Whether the agency has stored all records of a message, some, or none. */
export const ANSWER_STATES = ['accepted', 'partly_accepted', 'rejected'] as const;
export type AnswerState = (typeof ANSWER_STATES)[number];

/** An error in the agency's own words. */
export interface AgencyError {
  /** Its number, such as 1189; 0 where the agency gives none. */
  readonly code: string;
  readonly text: string;
}

/** The answer to a record. */
export interface RecordAnswer {
  /** The record's own id, which its message named. */
  readonly reference: string | null;
  readonly state: RecordState;
  readonly error: AgencyError | null;
  /** If the agency has had a record of this invoice: the state of that one. */
  readonly duplicateOf: { readonly state: RecordState | 'annulled'; readonly error: AgencyError | null } | null;
}

export interface Answer {
  readonly kind: 'answer';
  readonly state: AnswerState;
  /** Proves that the message has arrived; null if no record was stored. It cannot be asked for later. */
  readonly csv: string | null;
  /** When the agency has taken it. */
  readonly presentedAt: string | null;
  /** Seconds to wait before the next message. */
  readonly waitSeconds: number;
  /** One for each record, in the order of the message. */
  readonly records: readonly RecordAnswer[];
}

/** The refusal of a whole message: nothing of it is stored. */
export interface Fault {
  readonly kind: 'fault';
  /** Whether the agency itself failed, so that the same message may succeed later. */
  readonly server: boolean;
  readonly error: AgencyError;
}

/** Thrown for an answer that is none of the agency's, such as a page in HTML. */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer';
}

const ANSWERS: Readonly<Record<string, AnswerState>> = {
  Correcto: 'accepted',
  ParcialmenteCorrecto: 'partly_accepted',
  Incorrecto: 'rejected',
};
/** The agency states what it stored in the feminine and, in places, in the masculine. */
const STATES: Readonly<Record<string, RecordState | 'annulled'>> = {
  Correcto: 'accepted',
  Correcta: 'accepted',
  AceptadoConErrores: 'accepted_with_errors',
  AceptadaConErrores: 'accepted_with_errors',
  Incorrecto: 'rejected',
  Anulada: 'annulled',
  Anulado: 'annulled',
};
/** The agency's first waiting time (Orden HAC/1177/2024, art. 16). */
export const FIRST_WAIT_SECONDS = 60;

/** Reads an answer. @throws UnreadableAnswer */
export function readAnswer(xml: string): Answer | Fault {
  const root = parsed(xml);
  const [fault] = descendants(root, 'Fault');
  if (fault !== undefined) return readFault(fault);
  const [answer] = descendants(root, 'RespuestaRegFactuSistemaFacturacion');
  const state = answer === undefined ? undefined : ANSWERS[textWithin(answer, 'EstadoEnvio') ?? ''];
  if (answer === undefined || state === undefined) throw new UnreadableAnswer('it is no answer to a message');
  return {
    kind: 'answer',
    state,
    csv: textWithin(answer, 'CSV'),
    presentedAt: textWithin(answer, 'TimestampPresentacion'),
    waitSeconds: Number(/^\d{1,4}$/.exec(textWithin(answer, 'TiempoEsperaEnvio') ?? '')?.[0] ?? FIRST_WAIT_SECONDS),
    records: [...descendants(answer, 'RespuestaLinea')].map(readLine),
  };
}

function parsed(xml: string): Node {
  try {
    return parseXml(xml);
  } catch (cause) {
    if (cause instanceof XmlError) throw new UnreadableAnswer('it is not XML', { cause });
    throw cause;
  }
}

function readLine(line: Node): RecordAnswer {
  const state = STATES[textWithin(line, 'EstadoRegistro') ?? ''];
  if (state === undefined || state === 'annulled') throw new UnreadableAnswer('a record has no known state');
  const [duplicate] = descendants(line, 'RegistroDuplicado');
  const stored = duplicate === undefined ? undefined : STATES[textWithin(duplicate, 'EstadoRegistroDuplicado') ?? ''];
  return {
    reference: textWithin(line, 'RefExterna'),
    state,
    error: readError(line),
    duplicateOf:
      duplicate === undefined || stored === undefined ? null : { state: stored, error: readError(duplicate) },
  };
}

/** The error of a line or of the record that it repeats: the first within. */
function readError(element: Node): AgencyError | null {
  const code = textWithin(element, 'CodigoErrorRegistro');
  return code === null ? null : { code, text: textWithin(element, 'DescripcionErrorRegistro') ?? '' };
}

/** The agency writes `Codigo[4102].El XML no cumple …`. */
function readFault(fault: Node): Fault {
  const text = textWithin(fault, 'faultstring') ?? '';
  const found = /Codigo\[(\d+)\]\.?\s*(.*)/s.exec(text);
  return {
    kind: 'fault',
    server: /Server$/.test(textWithin(fault, 'faultcode') ?? ''),
    error: { code: found?.[1] ?? '0', text: found?.[2] ?? text },
  };
}
