/** Renders the daily summary: short, in the reader's language, each line linking to the records that it counts. */

import { escapedHtml } from '../../html.ts';
import type { Formats, Language } from '../../locale/formats.ts';
import type { Decimal } from '../../money.ts';
import { DOCUMENT_TYPES, type DocType, spanishTitle, typeTitle } from '../../trade/documents/types.ts';
import { plainName } from '../mail/names.ts';
import type { NotificationType } from './types.ts';

/** Number of due invoices and open items, and their outstanding total. */
export interface DueSum {
  readonly count: number;
  readonly total: Decimal;
}

export interface DueSide {
  readonly overdue: DueSum;
  /** Due today or within the following six days. */
  readonly soon: DueSum;
}

/** Figures of a summary; those that the reader may not see are null or left out. */
export interface Summary {
  readonly customers: DueSide | null;
  readonly suppliers: DueSide | null;
  readonly drafts: readonly { readonly type: DocType; readonly count: number }[];
  readonly failedTasks: number;
  readonly unread: readonly { readonly type: NotificationType; readonly count: number }[];
}

export interface SummaryFrame {
  readonly formats: Formats;
  readonly companyName: string;
  readonly currency: string;
  readonly day: string;
  /** Base of the links. */
  readonly appUrl: string;
  /** Link by which the reader unsubscribes. */
  readonly unsubscribe: string;
}

interface Line {
  readonly label: string;
  readonly path: string;
}

interface Section {
  readonly title: string;
  readonly lines: readonly Line[];
}

/** Whether there is nothing to report. */
export function isEmptySummary({ customers, suppliers, drafts, failedTasks, unread }: Summary): boolean {
  const dues = [customers, suppliers].flatMap((side) => (side === null ? [] : [side.overdue.count, side.soon.count]));
  return [...dues, failedTasks, drafts.length, unread.length].every((count) => count === 0);
}

/** Builds the subject, on one line. */
export function summarySubject({
  formats,
  companyName,
  day,
}: Pick<SummaryFrame, 'formats' | 'companyName' | 'day'>): string {
  return `${WORDS[formats.language].subject} ${formats.day(day)} – ${plainName(companyName)}`;
}

/** Renders the subject, and the body as text and HTML. */
export function summaryText(
  summary: Summary,
  frame: SummaryFrame,
): { readonly subject: string; readonly text: string; readonly html: string } {
  const words = WORDS[frame.formats.language];
  const subject = summarySubject(frame);
  const sections = buildSections(summary, frame).filter(({ lines }) => lines.length > 0);
  return { subject, text: renderText(sections, frame, words), html: renderHtml(subject, sections, frame, words) };
}

function buildSections({ customers, suppliers, drafts, failedTasks, unread }: Summary, frame: SummaryFrame): Section[] {
  const { language } = frame.formats;
  const words = WORDS[language];
  return [
    {
      title: words.dues,
      lines: [...dueLines('customers', customers, frame), ...dueLines('suppliers', suppliers, frame)],
    },
    {
      title: words.drafts,
      lines: drafts.map(({ type, count }) => ({
        label: `${documentTitle(type, language)}: ${count}`,
        path: `${DOCUMENT_TYPES[type].path}?status=D`,
      })),
    },
    {
      title: words.tasks,
      lines: failedTasks === 0 ? [] : [{ label: `${words.failed}: ${failedTasks}`, path: '/api/tasks?status=failed' }],
    },
    {
      title: words.unread,
      lines: unread.map(({ type, count }) => ({
        label: `${TYPES[language][type]}: ${count}`,
        path: `/api/notifications?read=false&type=${type}`,
      })),
    },
  ];
}

function dueLines(side: 'customers' | 'suppliers', dues: DueSide | null, { formats, currency }: SummaryFrame): Line[] {
  const words = WORDS[formats.language];
  const path = `/api/reports/aging-lines?side=${side}`;
  return (['overdue', 'soon'] as const).flatMap((when) => {
    const sum = dues?.[when];
    if (sum === undefined || sum.count === 0) return [];
    return [{ label: `${words[side]}, ${words[when]}: ${sum.count} (${formats.money(sum.total, currency)})`, path }];
  });
}

function documentTitle(type: DocType, language: Language): string {
  return language === 'es' ? spanishTitle(type) : typeTitle(type);
}

function renderText(sections: readonly Section[], { appUrl, unsubscribe }: SummaryFrame, words: Words): string {
  const blocks = sections.map(({ title, lines }) =>
    [title, ...lines.map(({ label, path }) => `- ${label}\n  ${appUrl}${path}`)].join('\n'),
  );
  return [...blocks, `-- \n${words.why}\n${words.stop}: ${unsubscribe}`].join('\n\n');
}

function renderHtml(
  subject: string,
  sections: readonly Section[],
  { formats, appUrl, unsubscribe }: SummaryFrame,
  words: Words,
) {
  const link = (href: string, label: string) =>
    `<a href="${escapedHtml(href)}" style="color:#1a56a0">${escapedHtml(label)}</a>`;
  const blocks = sections.map(
    ({ title, lines }) =>
      `<h2 style="font-size:16px;margin:24px 0 4px">${escapedHtml(title)}</h2>\n<ul style="margin:0;padding-left:20px">\n` +
      `${lines.map(({ label, path }) => `<li>${link(appUrl + path, label)}</li>`).join('\n')}\n</ul>`,
  );
  return `<!doctype html>
<html lang="${formats.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head>
<body style="font:15px/1.6 system-ui,sans-serif;color:#222;max-width:560px;margin:0 auto;padding:16px">
<h1 style="font-size:20px;margin:0">${escapedHtml(subject)}</h1>
${blocks.join('\n')}
<p style="font-size:13px;color:#666;border-top:1px solid #ddd;margin-top:32px;padding-top:8px">${escapedHtml(words.why)}<br>
${link(unsubscribe, words.stop)}</p>
</body></html>
`;
}

const WORDS = {
  en: {
    subject: 'Summary of',
    dues: 'Due',
    customers: 'Customers',
    suppliers: 'Suppliers',
    overdue: 'overdue',
    soon: 'due within a week',
    drafts: 'Drafts waiting',
    tasks: 'Tasks',
    failed: 'Failed since yesterday',
    unread: 'Unread notifications since yesterday',
    why: 'You get this mail on days with something to report because you chose it in your notification settings.',
    stop: 'Stop daily summaries',
  },
  es: {
    subject: 'Resumen del',
    dues: 'Vencimientos',
    customers: 'Clientes',
    suppliers: 'Proveedores',
    overdue: 'vencido',
    soon: 'vence en una semana',
    drafts: 'Borradores pendientes',
    tasks: 'Tareas',
    failed: 'Fallidas desde ayer',
    unread: 'Notificaciones sin leer desde ayer',
    why: 'Recibe este correo los días en que hay algo que contar, porque así lo ha elegido en sus preferencias de notificaciones.',
    stop: 'No recibir más resúmenes diarios',
  },
} as const;
type Words = (typeof WORDS)[Language];

const TYPES: Readonly<Record<Language, Readonly<Record<NotificationType, string>>>> = {
  en: {
    email_status: 'E-mails sent or failed',
    document_sent: 'Documents sent',
    payment_received: 'Payments received',
    payment_made: 'Payments made',
    document_locked: 'Documents posted',
    automation_triggered: 'Automations',
    plugin_error: 'Plugin errors',
    system_alert: 'Alerts',
    mention: 'Mentions of you',
    task_completed: 'Finished tasks',
  },
  es: {
    email_status: 'Correos enviados o fallidos',
    document_sent: 'Documentos enviados',
    payment_received: 'Cobros',
    payment_made: 'Pagos',
    document_locked: 'Documentos contabilizados',
    automation_triggered: 'Automatizaciones',
    plugin_error: 'Errores de complementos',
    system_alert: 'Avisos',
    mention: 'Menciones',
    task_completed: 'Tareas terminadas',
  },
};
