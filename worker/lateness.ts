/**
 * Tells the relays how late this process begins with what the events of a company start, so that they hand over no more of them than the
 * workers can do: what waits in the outbox slows its company down, and can be merged.
 */
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import type { InjectedSinks } from '@temporalio/worker';
import type { Poke } from '../db/pokes.ts';
import { WEBHOOKS_QUEUE } from '../workflows/integrations/webhooks/contract.ts';
import { DUE_HEADER, type LatenessSinks } from '../workflows/platform/outbox/contract.ts';
import { DOCUMENTS_QUEUE } from '../workflows/trade/documents/contract.ts';

/** Queues whose tasks only decide, so that they begin late only where processors are short. Others wait for what they use. */
const MEASURED: ReadonlySet<string> = new Set([DOCUMENTS_QUEUE, WEBHOOKS_QUEUE]);
/** Means below this are not told. */
const TOLD_MS = 1000;
/** Companies that are told, the latest ones. */
const TOLD = 5;
/** Shortest time between two reports. */
const INTERVAL_MS = 500;

/** For the client of a relay: says when the first tasks of the workflows that it starts are due, unless it delays them. */
export function dueStarts(now: () => number): WorkflowClientInterceptor {
  return {
    start: (input, next) => next(input.options.startDelay === undefined ? due(input, now()) : input),
    signalWithStart: (input, next) => next(due(input, now())),
  };
}

function due<Input extends { readonly headers: Headers }>(input: Input, at: number): Input {
  return { ...input, headers: { ...input.headers, [DUE_HEADER]: defaultPayloadConverter.toPayload(at) } };
}

export class Lateness {
  readonly #tell: (poke: Poke) => Promise<unknown>;
  /** Tasks that began for each company since the last report, and how late they were in all. */
  #begun = new Map<string, { count: number; ms: number }>();
  #timer: NodeJS.Timeout | null = null;

  constructor(tell: (poke: Poke) => Promise<unknown>) {
    this.#tell = tell;
  }

  /** Called by the workers of the process. */
  readonly sinks: InjectedSinks<LatenessSinks> = {
    lateness: {
      began: {
        fn: ({ taskQueue }, company, ms) => {
          if (MEASURED.has(taskQueue)) this.#began(company, ms);
        },
      },
    },
  };

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #began(company: string, ms: number): void {
    const { count, ms: before } = this.#begun.get(company) ?? { count: 0, ms: 0 };
    this.#begun.set(company, { count: count + 1, ms: before + ms });
    this.#timer ??= setTimeout(() => this.#report(), INTERVAL_MS);
  }

  #report(): void {
    this.#timer = null;
    const means = [...this.#begun].map(([company, { count, ms }]) => [company, Math.round(ms / count)] as const);
    this.#begun = new Map();
    const latest = means.filter(([, ms]) => ms >= TOLD_MS).sort(([, one], [, other]) => other - one);
    // If it is lost, the next one tells the same.
    for (const [company, ms] of latest.slice(0, TOLD)) this.#tell(`late ${ms} ${company}`).catch(() => undefined);
  }
}
