/**
 * Waits for new events in the outbox: for PostgreSQL's notification, or the next poll. While the API reports that people are being kept
 * waiting, events wait too, for a limited time: handling them would take CPU from people, and many at once cost less than one by one.
 */
import type { Logger } from 'pino';
import { Listener } from '../../db/listener.ts';
import { OUTBOX_CHANNEL, type Poke } from '../../db/pokes.ts';

/** Maximum time for which events wait while people are kept waiting. */
export const HOLD_MS = 3000;
/** Time after its last report during which people count as waiting. */
const BUSY_MS = 400;
/** Time for which a report of late workers counts. */
const LATE_MS = 1500;
/** Stands for all companies. */
const ALL = '';

export class WakeUp {
  readonly #listener: Listener;
  readonly #now: () => number;
  /** A wake-up that arrived while nobody waited. */
  #pending: Poke | null = null;
  #resolve: (() => void) | null = null;
  /** Until when people count as waiting, and since when events wait for them: of all companies, by the key ALL, or of one. */
  readonly #holds = new Map<string, { until: number; since: number }>();

  /** How late workers begin for a company, in milliseconds, and when it was reported. */
  readonly #late = new Map<string, { ms: number; at: number }>();

  /** @param now milliseconds of a steady clock */
  constructor(url: string, logger: Logger, now = () => performance.now()) {
    this.#now = now;
    this.#listener = new Listener(
      { url, channel: OUTBOX_CHANNEL, applicationName: 'relay' },
      {
        notified: (payload) => this.wake(payload as Poke),
        connected: () => this.wake(),
        lost: (error) => logger.warn({ error: String(error) }, 'Not listening for events; the outbox is polled'),
      },
    );
  }

  /** Starts to listen. While the connection is lost, waiting ends by time alone. */
  listen(): Promise<void> {
    return this.#listener.listen();
  }

  /** @param poke `busy` only says that it is so */
  wake(poke: Poke = ''): void {
    const [, company] = /^busy ?(.*)$/.exec(poke) ?? [];
    const [, ms, late] = /^late (\d+) (.+)$/.exec(poke) ?? [];
    if (late !== undefined) this.#hear(late, Number(ms));
    else if (company !== undefined) this.#hold(company);
    else if (this.#pending !== 'urgent') this.#pending = poke;
    this.#resolve?.();
  }

  /**
   * Ends at the next wake-up, at once when one came since the last wait, or after `ms`. While people wait, only an urgent one ends it, or
   * `HOLD_MS`.
   * @returns companies whose events wait longer, since their own people do
   */
  async wait(ms: number): Promise<readonly string[]> {
    const started = this.#now();
    const all = this.#holds.get(ALL);
    if (all !== undefined) all.since = started;
    for (;;) {
      if (this.#pending === 'urgent') break;
      const now = this.#now();
      const heldUntil = this.#heldUntil(ALL);
      const due = Math.min(started + ms, ...this.#companies().map((company) => this.#heldUntil(company)));
      if (now >= heldUntil && (this.#pending !== null || now >= due)) break;
      await this.#poked(Math.max(heldUntil, this.#pending === null ? due : 0) - now);
    }
    const isUrgent = this.#pending === 'urgent';
    this.#pending = null;
    return isUrgent ? [] : this.#companies().filter((company) => this.#isHeld(company));
  }

  /** The companies for which workers begin late, and by how many milliseconds. */
  get late(): [company: string, ms: number][] {
    const oldest = this.#now() - LATE_MS;
    for (const [company, { at }] of this.#late) if (at <= oldest) this.#late.delete(company);
    return [...this.#late].map(([company, { ms }]) => [company, ms]);
  }

  close(): Promise<void> {
    return this.#listener.close();
  }

  /** The latest of several workers counts. */
  #hear(company: string, ms: number): void {
    const known = this.late.find(([one]) => one === company)?.[1] ?? 0;
    if (ms >= known) this.#late.set(company, { ms, at: this.#now() });
  }

  #hold(company: string): void {
    const now = this.#now();
    const hold = this.#holds.get(company);
    const isHeld = hold !== undefined && now < hold.until;
    this.#holds.set(company, { until: now + BUSY_MS, since: isHeld ? hold.since : now });
  }

  #companies(): string[] {
    return [...this.#holds.keys()].filter((company) => company !== ALL);
  }

  #heldUntil(company: string): number {
    const hold = this.#holds.get(company);
    return hold === undefined ? 0 : Math.min(hold.until, hold.since + HOLD_MS);
  }

  /** Whether a company's events wait. When they have waited long enough they are let go, and the next ones wait anew. */
  #isHeld(company: string): boolean {
    if (this.#now() < this.#heldUntil(company)) return true;
    this.#holds.delete(company);
    return false;
  }

  async #poked(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#resolve = resolve;
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
    this.#resolve = null;
  }
}
