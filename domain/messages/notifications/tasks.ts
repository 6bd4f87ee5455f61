/** Notifications about background tasks, for the people who started them. */
import { translate } from '../../locale/messages.ts';
import type { AlertText } from './alerts.ts';

/** Titles by kind of task; reports have notifications of their own. */
const TITLES = {
  import: { en: 'import', es: 'Su importación' },
  statements: { en: 'import of bank statements', es: 'Su importación de extractos bancarios' },
  reconciliation: { en: 'matching of payments', es: 'Su conciliación de pagos' },
  payroll: { en: 'generation of payrolls', es: 'Su generación de nóminas' },
  accrual: { en: 'accrual of the cash basis', es: 'Su devengo por criterio de caja' },
  payslips: { en: 'mailing of payslips', es: 'Su envío de nóminas' },
  webhook_recovery: { en: 'recovery of a webhook', es: 'Su recuperación de un webhook' },
} as const;

/** Whether the creator of such a task is notified when it ends. */
export function notifiesCreator(kind: string): kind is keyof typeof TITLES {
  return Object.hasOwn(TITLES, kind);
}

/** Builds the notice of a task that has ended. @param said the task's own result message */
export function endedTask(kind: keyof typeof TITLES, isDone: boolean, said: string): AlertText {
  const { en, es } = TITLES[kind];
  return {
    title: `Your ${en} ${isDone ? 'is done' : 'has failed'}`,
    body: said,
    actionLabel: 'Show',
    es: {
      title: `${es} ${isDone ? 'ha terminado' : 'ha fallado'}`,
      body: translate(said, 'es'),
      actionLabel: 'Ver',
    },
  };
}
