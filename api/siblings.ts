/** The API processes that listen on one address: what they tell and ask each other, passed on by the process that has started them. */
import cluster from 'node:cluster';
import { newId } from '../db/ids.ts';

export interface Siblings {
  /** How many there are, with this one. */
  readonly processes: number;
  /** Which of them this one is, from 1; one that replaces another has the same number. */
  readonly number: number;
  /** Tells all others something. */
  tell(topic: string, content: object): void;
  /** Calls `act` with what others tell. */
  hear<T extends object>(topic: string, act: (content: T) => void): void;
  /** Asks all others. @returns the answers that come within a second */
  ask<T>(topic: string): Promise<T[]>;
  /** Answers what others ask. */
  answer(topic: string, find: () => Promise<unknown>): void;
}

/** Of a process that listens alone. */
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
  /** The process it is for, as `cluster` counts; all others without it. */
  readonly to?: number;
  readonly kind: 'tells' | 'asks' | 'answers';
  /** The topic, or of an answer the question's id. */
  readonly about: string;
  readonly content?: unknown;
  /** Who asks what. */
  readonly question?: { readonly id: string; readonly from: number };
}

const ANSWER_WITHIN_MS = 1000;

/** The siblings of this process, which `cluster` has started. */
export function siblings(processes: number, number: number): Siblings {
  const acts = new Map<string, (content: never) => void>();
  const finds = new Map<string, () => Promise<unknown>>();
  const waiting = new Map<string, (answer: unknown) => void>();
  const own = cluster.worker?.id ?? 0;
  // Nobody is left to pass it on when the sending fails.
  const send = (message: Message) => process.send?.(message, undefined, undefined, () => undefined);

  process.on('message', ({ kind, about, content, question }: Message) => {
    if (kind === 'tells') acts.get(about)?.(content as never);
    if (kind === 'answers') waiting.get(about)?.(content);
    if (kind === 'asks' && question !== undefined) {
      const reply = (found: unknown) =>
        send({ to: question.from, kind: 'answers', about: question.id, content: found });
      // Who asks does without the answer of a process that has none.
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
