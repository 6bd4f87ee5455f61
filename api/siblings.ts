/** Messages between the API processes that listen on one address, forwarded by the process that started them. */
import cluster from 'node:cluster';
import { newId } from '../db/ids.ts';

export interface Siblings {
  /** Number of processes, including this one. */
  readonly processes: number;
  /** Number of this process, from 1; a replacement keeps the number. */
  readonly number: number;
  /** Sends a message to all others. */
  tell(topic: string, content: object): void;
  /** Calls `act` for messages from others. */
  hear<T extends object>(topic: string, act: (content: T) => void): void;
  /** Asks all others. @returns the answers that arrive within a second */
  ask<T>(topic: string): Promise<T[]>;
  /** Registers the answer to a question from others. */
  answer(topic: string, find: () => Promise<unknown>): void;
}

/** Siblings of a process that listens alone. */
export const ALONE: Siblings = {
  processes: 1,
  number: 1,
  tell: () => undefined,
  hear: () => undefined,
  ask: async () => [],
  answer: () => undefined,
};

/** A message between processes. */
export interface Message {
  /** Recipient, as numbered by `cluster`; all others if absent. */
  readonly to?: number;
  readonly kind: 'tells' | 'asks' | 'answers';
  /** The topic; for an answer, the id of the question. */
  readonly about: string;
  readonly content?: unknown;
  /** A question and the process that asks. */
  readonly question?: { readonly id: string; readonly from: number };
}

const ANSWER_WITHIN_MS = 1000;

/** Creates the siblings of this process, which `cluster` has started. */
export function siblings(processes: number, number: number): Siblings {
  const acts = new Map<string, (content: never) => void>();
  const finds = new Map<string, () => Promise<unknown>>();
  const waiting = new Map<string, (answer: unknown) => void>();
  const own = cluster.worker?.id ?? 0;
  // If sending fails, the process that would forward the message is gone.
  const send = (message: Message) => process.send?.(message, undefined, undefined, () => undefined);

  process.on('message', ({ kind, about, content, question }: Message) => {
    if (kind === 'tells') acts.get(about)?.(content as never);
    if (kind === 'answers') waiting.get(about)?.(content);
    if (kind === 'asks' && question !== undefined) {
      const reply = (found: unknown) =>
        send({ to: question.from, kind: 'answers', about: question.id, content: found });
      // Ignores a process that does not answer.
      finds
        .get(about)?.()
        .then(reply, () => undefined);
    }
  });

  return {
    processes,
    number,
    tell: (about, content) => send({ kind: 'tells', about, content }),
    hear: (topic, act) => acts.set(topic, act),
    async ask<T>(about: string) {
      const id = newId();
      const answers: T[] = [];
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ANSWER_WITHIN_MS);
        waiting.set(id, (answer) => {
          if (answers.push(answer as T) === processes - 1) resolve();
        });
        send({ kind: 'asks', about, question: { id, from: own } });
      });
      clearTimeout(timer);
      waiting.delete(id);
      return answers;
    },
    answer: (topic, find) => finds.set(topic, find),
  };
}
