/** Messages between the API processes that listen on one address, forwarded by the process that started them. */
import cluster from 'node:cluster';
import { newId } from '../db/ids.ts';

export interface Siblings {
  /** Number of processes, including this one. */
  readonly processes: number;
  /** Number of this process, from 1; a replacement keeps the number. */
  readonly number: number;
  /** Sends a message to all others. */
  send(topic: string, content: object): void;
  /** Calls `act` for messages from others. */
  receive<T extends object>(topic: string, act: (content: T) => void): void;
  /** Asks all others. @returns the answers that arrive within a second */
  ask<T>(topic: string): Promise<T[]>;
  /** Registers the answer to a question from others. */
  answer(topic: string, find: () => Promise<unknown>): void;
}

/** Siblings of a process that listens alone. */
export const ALONE: Siblings = {
  processes: 1,
  number: 1,
  send: () => undefined,
  receive: () => undefined,
  ask: async () => [],
  answer: () => undefined,
};

/** A message between processes. */
export interface Message {
  /** Recipient, as numbered by `cluster`; all others if absent. */
  readonly to?: number;
  readonly kind: 'message' | 'question' | 'answer';
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
    if (kind === 'message') acts.get(about)?.(content as never);
    if (kind === 'answer') waiting.get(about)?.(content);
    if (kind === 'question' && question !== undefined) {
      const reply = (found: unknown) => send({ to: question.from, kind: 'answer', about: question.id, content: found });
      // Ignores a process that does not answer.
      finds
        .get(about)?.()
        .then(reply, () => undefined);
    }
  });

  return {
    processes,
    number,
    send: (about, content) => send({ kind: 'message', about, content }),
    receive: (topic, act) => acts.set(topic, act),
    async ask<T>(about: string) {
      const id = newId();
      const answers: T[] = [];
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ANSWER_WITHIN_MS);
        waiting.set(id, (answer) => {
          if (answers.push(answer as T) === processes - 1) resolve();
        });
        send({ kind: 'question', about, question: { id, from: own } });
      });
      clearTimeout(timer);
      waiting.delete(id);
      return answers;
    },
    answer: (topic, find) => finds.set(topic, find),
  };
}
