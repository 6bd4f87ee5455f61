/** Notices of requests for leave. They tell who and when, and no reason: that is private (decision 0231). */
import type { AlertText } from './alerts.ts';

/** The leave that a notice is about, with its dates as the company writes them. */
export interface NoticedLeave {
  readonly employee: string;
  readonly from: string;
  readonly to: string;
}

const VERDICTS = {
  approved: { en: 'approved', es: 'aprobada' },
  refused: { en: 'refused', es: 'denegada' },
} as const;

export function leaveRequested({ employee, ...dates }: NoticedLeave): AlertText {
  return {
    title: `${employee} requests leave`,
    body: `${span(dates)}. Approve or refuse it.`,
    actionLabel: 'Show',
    es: {
      title: `${employee} solicita una ausencia`,
      body: `${span(dates)}. Apruébela o deniéguela.`,
      actionLabel: 'Ver',
    },
  };
}

/** @param status what was decided */
export function leaveDecided({ employee, ...dates }: NoticedLeave, status: keyof typeof VERDICTS): AlertText {
  const { en, es } = VERDICTS[status];
  return {
    title: `Leave of ${employee} ${en}`,
    body: span(dates),
    actionLabel: 'Show',
    es: { title: `Ausencia de ${employee} ${es}`, body: span(dates), actionLabel: 'Ver' },
  };
}

function span({ from, to }: Pick<NoticedLeave, 'from' | 'to'>): string {
  return from === to ? from : `${from} – ${to}`;
}
