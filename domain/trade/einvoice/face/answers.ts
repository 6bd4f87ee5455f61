/** Reads what FACe answers (FACe, manual of the providers' interface, 2.0). */
import { type CancellationStatus, cancellationByCode } from './statuses.ts';

/** Something that FACe objects to, in its own words. */
export interface FaceError {
  /** Its code, such as INVALID_INVOICE-104, or the status of the answer. */
  readonly code: string;
  readonly text: string;
}

/** An answer: its status, and its body as JSON; undefined if it is none. */
export interface FaceAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** The meaning of an answer to an invoice. later: it was not taken, and may be another time. uncertain: it may have been taken. */
export type SendingOutcome =
  | { readonly kind: 'registered'; readonly registryCode: string; readonly code: number | null }
  | { readonly kind: 'refused' | 'later' | 'uncertain'; readonly errors: readonly FaceError[] };

/** The state of an invoice. */
export interface FaceState {
  readonly code: number | null;
  readonly comment: string | null;
  readonly cancellation: CancellationStatus | null;
}

/** Members that repeat the status of the answer, and those whose names say nothing of what is wrong. */
const REPEATED = new Set(['code', 'status']);
const AROUND = new Set(['error', 'errors', 'message', 'messages', 'detail', 'title']);
const MAX_ERRORS = 20;
const MAX_TEXT = 500;
/** The server was too busy to look at the request. */
const BUSY: readonly number[] = [429, 503];
/** The certificate, or what may be done with it, is the matter. */
const NOT_ADMITTED =
  'FACe does not know the certificate: register it at integradores.face.gob.es (test: se-integradores-face.redsara.es)';

/** Reads the answer to an invoice. */
export function sendingOutcome(answer: FaceAnswer): SendingOutcome {
  const { status } = answer;
  if (status >= 200 && status < 300) {
    const { registryCode, status: state } = members(answer.body);
    const code = typeof registryCode === 'number' ? String(registryCode) : registryCode;
    if (typeof code === 'string' && code.trim() !== '')
      return { kind: 'registered', registryCode: code.trim().slice(0, 100), code: stateCode(state) };
    return { kind: 'uncertain', errors: [{ code: String(status), text: 'The answer names no registry code' }] };
  }
  const errors = errorsIn(answer);
  if (BUSY.includes(status)) return { kind: 'later', errors };
  return { kind: status >= 400 && status < 500 ? 'refused' : 'uncertain', errors };
}

/** Reads the state of an invoice; errors if there is none in the answer. */
export function readState(answer: FaceAnswer): FaceState | { readonly errors: readonly FaceError[] } {
  const { status } = answer;
  if (status !== 200) return { errors: errorsIn(answer) };
  const { status: state, statusComment, cancellationRequestStatus } = members(answer.body);
  const code = stateCode(state);
  if (code === null) return { errors: [{ code: '200', text: 'The answer names no state' }] };
  const comment = typeof statusComment === 'string' && statusComment.trim() !== '' ? shortened(statusComment) : null;
  return { code, comment, cancellation: cancellationByCode(stateCode(cancellationRequestStatus)) };
}

/** Whether a request to cancel was taken; errors if not. */
export function cancellationErrors(answer: FaceAnswer): readonly FaceError[] | null {
  return answer.status >= 200 && answer.status < 300 ? null : errorsIn(answer);
}

/** Whether trying again may help, without anybody doing anything. */
export function mayPass({ status }: Pick<FaceAnswer, 'status'>): boolean {
  return status >= 500 || status === 429 || status === 401 || status === 403;
}

/** The objections of an answer: texts by the member that they are about, or one text. */
export function errorsIn({ status, body }: FaceAnswer): FaceError[] {
  const texts = [...textsIn(body, '')].slice(0, MAX_ERRORS).map(shortened);
  const admitted = status === 401 || status === 403 ? [NOT_ADMITTED] : [];
  const all = [...admitted, ...texts];
  if (all.length === 0) all.push(`FACe answered with status ${status}`);
  return all.map((text) => ({ code: /\b[A-Z][A-Z_]+-\d+\b/.exec(text)?.[0] ?? String(status), text }));
}

function* textsIn(value: unknown, member: string): Generator<string> {
  if (typeof value === 'string' || typeof value === 'number') {
    if (String(value).trim() !== '') yield member === '' ? String(value) : `${member}: ${value}`;
  } else if (Array.isArray(value)) {
    for (const one of value.slice(0, MAX_ERRORS)) yield* textsIn(one, member);
  } else {
    for (const [name, one] of Object.entries(members(value)).slice(0, MAX_ERRORS))
      if (!REPEATED.has(name)) yield* textsIn(one, AROUND.has(name) ? member : name);
  }
}

/** The number of a state: as such, as text, or within an object. */
function stateCode(value: unknown): number | null {
  if (typeof value === 'object' && value !== null) {
    const codes = Object.values(value).map((one) => (typeof one === 'object' ? null : stateCode(one)));
    return codes.find((one) => one !== null) ?? null;
  }
  const text = String(value);
  return /^\d{4}$/.test(text) ? Number(text) : null;
}

function members(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Record<string, unknown>) : {};
}

function shortened(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
