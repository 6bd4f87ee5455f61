/** How deliveries are told to operators, in the Temporal UI and in the log: with the host of the receiver, never its address. */

/** Characters of a name that titles show. */
const MAX_NAME = 60;

/** One attempt among those that the retry policy allows. */
export interface AttemptTold {
  /** 1, 2, … since the delivery, or its redelivery, was asked for. */
  readonly turn: number;
  readonly of: number;
  /** Its number in the log, where all redeliveries count on. */
  readonly logged: number;
}

/** `Attempt 4 of 8 failed: HTTP 500 from shop.example.com; next at 23:53 UTC` */
export function failureInWords(attempt: AttemptTold, reason: string, seconds: number, now: Date): string {
  return `${attemptInWords(attempt)} failed: ${reason}; next at ${timeInWords(after(now, seconds), now)}`;
}

/** `Given up after attempt 8 of 8: HTTP 500 from shop.example.com` */
export function endInWords(attempt: AttemptTold, reason: string): string {
  return `Given up after ${attemptInWords(attempt).replace('A', 'a')}: ${reason}`;
}

/** What waits for its endpoint. `before`: how the last attempt went, if there was one. */
export function waitInWords(
  attempt: AttemptTold,
  wait: { readonly reason: string; readonly host: string; readonly seconds: number; readonly before: string | null },
  now: Date,
): string {
  const { reason, host, seconds, before } = wait;
  const look = `Nothing was sent and no attempt is spent; next look at ${timeInWords(after(now, seconds), now)}`;
  return `${attemptInWords(attempt)} waits for ${host}: ${reason}. ${look}${before === null ? '' : `. Before: ${before}`}`;
}

/** Why an exchange failed: what the receiver answered, or why there was no answer. */
export function reasonInWords(error: string, httpStatus: number | null, host: string): string {
  return httpStatus === null ? `${error} (${host})` : `${error} from ${host}`;
}

/** `23:53 UTC`; within the next minutes with seconds, on another day with the day. */
export function timeInWords(at: Date, now: Date): string {
  const iso = at.toISOString();
  const time = iso.slice(11, at.getTime() - now.getTime() < 300_000 ? 19 : 16);
  const otherDay = iso.slice(0, 10) !== now.toISOString().slice(0, 10);
  return `${otherDay ? `${iso.slice(0, 10)} ` : ''}${time} UTC`;
}

/** What a delivery is called: `document.locked of SINV2026-00017 to Shop`. */
export function deliveryTitle(event: string, documentCode: string | null, webhook: string): string {
  return `${event}${documentCode === null ? '' : ` of ${documentCode}`} to ${shortName(webhook)}`;
}

/** The same, asked for once more. */
export function redeliveryTitle(event: string, documentCode: string | null, webhook: string): string {
  return `${deliveryTitle(event, documentCode, webhook)}, once more`;
}

/** What a company calls something, as one short line of plain text: titles are read as Markdown, and have a limit in bytes. */
export function shortName(name: string): string {
  const plain = name.replace(/[\p{C}\s]+/gu, ' ').replace(/[*_`<>[\]\\]/g, '');
  const characters = [...plain.trim()];
  return characters.length > MAX_NAME ? `${characters.slice(0, MAX_NAME - 1).join('')}…` : characters.join('');
}

/** The host of an address, without port, path, query or password. */
export function hostOf(url: string): string {
  return new URL(url).hostname;
}

function attemptInWords({ turn, of, logged }: AttemptTold): string {
  return `Attempt ${turn} of ${of}${logged === turn ? '' : ` (number ${logged} in the log)`}`;
}

function after(now: Date, seconds: number): Date {
  return new Date(now.getTime() + Math.ceil(seconds) * 1000);
}
