/** The parts of holding doubtful work share these: the time, the numbers, and the reason. */
import type { Context } from '../../../db/context.ts';
import { newId } from '../../../db/ids.ts';
import type { PauseReason } from '../../integrations/automations/pause.ts';

/** A database whose state is that of a backup. */
export interface Restored {
  /** The time whose state it has. */
  readonly backedUpAt: Date;
  readonly now: Date;
  /** Events before it are taken for delivered. */
  readonly since: Date;
  /** The company that was restored alone; all of them by default. */
  readonly only?: string;
}

/** Numbers of what was held, of one company or of all. */
export interface Held {
  readonly mails: number;
  readonly deliveries: number;
  /** Runs of automations. */
  readonly runs: number;
  /** Automations that look for records by the clock, each record once. */
  readonly automations: number;
  readonly tasks: number;
  /** Invoices on their way to FACe. */
  readonly submissions: number;
}

/** Adds what was held of a company to what was held of it before. */
export type Count = (tenantId: string, held: Partial<Held>) => void;

/** The context in which the service holds work of a company. */
export function restoreContext(tenantId: string, now: Date): Context {
  return { tenantId, userId: null, actor: 'restore', requestId: newId(), now };
}

/** The time of the restored state, in words. */
export function restoredTime({ backedUpAt }: Pick<Restored, 'backedUpAt'>): string {
  return `${backedUpAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** The reason that held work shows: with the time, so that a person can compare with what was sent since. */
export function heldReason(restored: Pick<Restored, 'backedUpAt'>): PauseReason {
  const time = restoredTime(restored);
  return {
    en: `It was under way at ${time}, to which the data were restored, and may have been done since`,
    es: `Estaba en curso a las ${time}, momento al que se han restaurado los datos, y puede que ya se hiciera`,
  };
}
