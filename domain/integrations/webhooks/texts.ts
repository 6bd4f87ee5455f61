/** Texts about deliveries for operators, in the Temporal UI and in the log: with the receiver's host, never its address. */

/** Maximum characters of a name in titles. */
const MAX_NAME = 60;

/** One attempt among those that the retry policy allows. */
export interface AttemptNumbers {
  /** 1, 2, … since the delivery or its redelivery was requested. */
  readonly turn: number;
  readonly of: number;
  /** Its number in the log, which continues over redeliveries. */
  readonly logged: number;
}

/** `Attempt 4 of 8 failed: HTTP 500 from shop.example.com; next at 23:53 UTC` */
export function failureInWords(attempt: AttemptNumbers, reason: string, seconds: number, now: Date): string {
  return `${attemptInWords(attempt)} failed: ${reason}; next at ${timeInWords(after(now, seconds), now)}`;
}

/** `Given up after attempt 8 of 8: HTTP 500 from shop.example.com` */
export function endInWords(attempt: AttemptNumbers, reason: string): string {
  return `Given up after ${attemptInWords(attempt).replace('A', 'a')}: ${reason}`;
}

/** A delivery waiting for its endpoint. `before`: the outcome of the last attempt, if any. */
export function waitInWords(
  attempt: AttemptNumbers,
  wait: { readonly reason: string; readonly host: string; readonly seconds: number; readonly before: string | null },
  now: Date,
): string {
  const { reason, host, seconds, before } = wait;
  const look = `Nothing was sent and no attempt is spent; next look at ${timeInWords(after(now, seconds), now)}`;
  return `${attemptInWords(attempt)} waits for ${host}: ${reason}. ${look}${before === null ? '' : `. Before: ${before}`}`;
}

/** Describes a failed exchange: the receiver's answer, or the reason why there was none. */
export function reasonInWords(error: string, httpStatus: number | null, host: string): string {
  return httpStatus === null ? `${error} (${host})` : `${error} from ${host}`;
}

/** `23:53 UTC`; with seconds within the next minutes, with the date on another day. */
export function timeInWords(at: Date, now: Date): string {
  const iso = at.toISOString();
  const time = iso.slice(11, at.getTime() - now.getTime() < 300_000 ? 19 : 16);
  const otherDay = iso.slice(0, 10) !== now.toISOString().slice(0, 10);
  return `${otherDay ? `${iso.slice(0, 10)} ` : ''}${time} UTC`;
}

/** Title of a delivery: `document.locked of SINV2026-00017 to Shop`. */
export function deliveryTitle(event: string, documentCode: string | null, webhook: string): string {
  return `${event}${documentCode === null ? '' : ` of ${documentCode}`} to ${shortName(webhook)}`;
}

/** Title of a redelivery. */
export function redeliveryTitle(event: string, documentCode: string | null, webhook: string): string {
  return `${deliveryTitle(event, documentCode, webhook)}, redelivered`;
}

/** A company's name for something, as one short line of plain text: titles are read as Markdown, and limited in bytes. */
export function shortName(name: string): string {
  const plain = name.replace(/[\p{C}\s]+/gu, ' ').replace(/[*_`<>[\]\\]/g, '');
  const characters = [...plain.trim()];
  return characters.length > MAX_NAME ? `${characters.slice(0, MAX_NAME - 1).join('')}…` : characters.join('');
}

/** The host of an address, without port, path, query or password. */
export function hostName(url: string): string {
  return new URL(url).hostname;
}

function attemptInWords({ turn, of, logged }: AttemptNumbers): string {
  return `Attempt ${turn} of ${of}${logged === turn ? '' : ` (number ${logged} in the log)`}`;
}

function after(now: Date, seconds: number): Date {
  return new Date(now.getTime() + Math.ceil(seconds) * 1000);
}
