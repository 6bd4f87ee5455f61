/** What people are told of tasks that they started, once these have ended. */
import type { AlertText } from './alerts.ts';

/** The words of each kind; reports have their own. */
export const ENDED_TASKS = {
  import: { en: 'import', es: 'Su importación' },
  statements: { en: 'import of bank statements', es: 'Su importación de extractos bancarios' },
  reconciliation: { en: 'matching of payments', es: 'Su conciliación de pagos' },
  payroll: { en: 'generation of payrolls', es: 'Su generación de nóminas' },
  payslips: { en: 'mailing of payslips', es: 'Su envío de nóminas' },
  webhook_recovery: { en: 'recovery of a webhook', es: 'Su recuperación de un webhook' },
} as const;

/** @param said what the task says of its end */
export function endedTask(kind: keyof typeof ENDED_TASKS, isDone: boolean, said: string): AlertText {
  const { en, es } = ENDED_TASKS[kind];
  return {
    title: `Your ${en} ${isDone ? 'is done' : 'has failed'}`,
    body: said,
    actionLabel: 'Show',
    es: { title: `${es} ${isDone ? 'ha terminado' : 'ha fallado'}`, body: said, actionLabel: 'Ver' },
  };
}
