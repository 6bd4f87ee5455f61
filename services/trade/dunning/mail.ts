/** The mail of a reminder, by the level's template or the usual one, in the customer's language. */
import type { Context } from '../../../db/context.ts';
import type { Reader } from '../../../db/database.ts';
import type { DunningLevel } from '../../../db/models/trade/dunning.ts';
import type { Language } from '../../../domain/locale/formats.ts';
import type { Template } from '../../../domain/messages/mail/templates.ts';
import { reminderNames } from '../../messages/mail/reminder-names.ts';
import { type Rendered, renderTemplate } from '../../messages/mail/render.ts';
import { loadSender } from '../mail-templates/view.ts';
import type { Due } from './overdue.ts';

const USUAL: Readonly<Record<Language, Template>> = {
  es: {
    subject: '{{ level.name }} – {{ company.name }}',
    body: [
      'Buenos días, {{ partner.name }}:',
      'Le recordamos que están pendientes de pago las siguientes facturas:',
      [
        '{% for invoice in invoices %}{{ invoice.code }}, vencida el {{ invoice.dueDate }} (hace {{ invoice.days }} días): ',
        '{{ invoice.outstanding }}\n{% endfor %}',
      ].join(''),
      [
        'Pendiente: {{ outstanding }}.{% if interest > 0 %} Intereses: {{ interest }}.{% endif %}',
        '{% if fee > 0 %} Gastos: {{ fee }}.{% endif %}',
      ].join(''),
      'Total: {{ total }}.',
      'Si ya lo ha pagado, no tenga en cuenta este aviso.',
      'Atentamente,\n{{ company.name }}',
    ].join('\n\n'),
  },
  en: {
    subject: '{{ level.name }} – {{ company.name }}',
    body: [
      'Dear {{ partner.name }},',
      'We would like to remind you of these invoices, which are still to be paid:',
      [
        '{% for invoice in invoices %}{{ invoice.code }}, due on {{ invoice.dueDate }} ({{ invoice.days }} days ago): ',
        '{{ invoice.outstanding }}\n{% endfor %}',
      ].join(''),
      [
        'Outstanding: {{ outstanding }}.{% if interest > 0 %} Interest: {{ interest }}.{% endif %}',
        '{% if fee > 0 %} Fee: {{ fee }}.{% endif %}',
      ].join(''),
      'Total: {{ total }}.',
      'If you have paid in the meantime, please ignore this message.',
      'Kind regards,\n{{ company.name }}',
    ].join('\n\n'),
  },
};

/** @throws ServiceError validation_failed for a template that cannot be used */
export async function reminderMail(
  reader: Reader,
  { tenantId }: Pick<Context, 'tenantId'>,
  { debtor, reminder }: Due,
  level: Pick<DunningLevel, 'level' | 'name' | 'subject' | 'body'>,
): Promise<Rendered> {
  const sender = await loadSender(reader, debtor.language);
  const usual = USUAL[sender.formats.language];
  const template = { subject: level.subject ?? usual.subject, body: level.body ?? usual.body };
  const { invoices, outstanding, interest, fee, total } = reminder;
  const names = reminderNames(
    {
      ...{ partner: { name: debtor.name, email: debtor.email }, company: sender.company },
      ...{ level: { number: level.level, name: level.name }, invoices, outstanding, interest, fee, total },
    },
    debtor.currency,
  );
  return await renderTemplate(tenantId, template, { names, printing: sender.printing });
}
