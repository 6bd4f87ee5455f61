/** A service to which a run does harm, and the ways to harm its parts. */
import type { Stage } from '../stage.ts';

export interface Harm {
  readonly part: string;
  /** Past participle of what is done: killed, stopped, cut off … */
  readonly kind: string;
  /** Does it, and ends it where it lasts. @returns false if the part is not there */
  do(): Promise<boolean>;
}

export interface Target extends Stage {
  /** URL of the database for the owner of its tables. */
  readonly ownerUrl: () => string;
  readonly temporal: { readonly address: string; readonly namespace: string };
  /** Folder with the mails that have arrived, one in a file. */
  readonly mails: string;
  readonly harms: readonly Harm[];
  /** Resolves once all parts work again. */
  mended(): Promise<void>;
}

export const STOPPED_MS = 3000;

/** Sends a signal to processes, some of which may have ended meanwhile. */
export function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
