/** Predefined rules, in each language, which a company can create unchanged or adapted. */
import type { Language } from '../../../domain/locale/formats.ts';
import type { AutomationInput } from './schemas.ts';

/** Texts by language. */
type Words<Names extends string> = Readonly<Record<Language, Readonly<Record<'name' | 'description' | Names, string>>>>;

type Made = Omit<AutomationInput, 'name' | 'description'>;

interface ReadyRule {
  readonly key: string;
  readonly in: (language: Language) => AutomationInput;
}

/** Defines a rule. @param make builds it from its texts in one language */
function ready<Names extends string>(
  key: string,
  words: Words<Names>,
  make: (texts: Readonly<Record<Names, string>>) => Made,
): ReadyRule {
  return {
    key,
    in(language) {
      const { name, description, ...texts } = words[language];
      return { name, description, ...make(texts as unknown as Readonly<Record<Names, string>>) };
    },
  };
}

const byClock = (expression: string, query?: Extract<Made['trigger'], { type: 'schedule.cron' }>['query']) =>
  ({ type: 'schedule.cron', expression, ...(query === undefined ? {} : { query }) }) as const;
/** Mails to nobody would fail. */
const hasMail = (partner: string) => [{ field: `${partner}.email`, operator: 'contains', value: '@' } as const];
const tell = (role: 'owner' | 'sales' | 'purchasing', title: string, body: string) =>
  [{ type: 'notification.create', role, title, body }] as const;
const OPEN_INVOICE = { 'status[in]': 'O,P', 'paymentStatus[in]': 'pending,partial', 'outstanding[gt]': 0 };

export const READY_RULES: readonly ReadyRule[] = [
  ready(
    'overdue_reminder',
    {
      en: {
        name: 'Remind of overdue invoices',
        description:
          'A week after an invoice was due, the customer gets a reminder with the invoice. Each invoice once.',
        subject: 'Reminder: invoice {{document.code}}',
        text:
          '<p>Dear {{document.partner.name}},</p><p>invoice {{document.code}} over {{document.total}} {{document.currency}} was due on ' +
          '{{document.dueDate}}. Please pay it in the next days. If you have done so already, thank you.</p><p>{{company.name}}</p>',
      },
      es: {
        name: 'Recordar las facturas vencidas',
        description:
          'Una semana después del vencimiento, el cliente recibe un recordatorio con la factura. Una vez por factura.',
        subject: 'Recordatorio: factura {{document.code}}',
        text:
          '<p>Estimados señores de {{document.partner.name}}:</p><p>La factura {{document.code}} de {{document.total}} ' +
          '{{document.currency}} venció el {{document.dueDate}}. Les rogamos que la abonen en los próximos días. Si ya lo han hecho, ' +
          'muchas gracias.</p><p>{{company.name}}</p>',
      },
    },
    ({ subject, text }) => ({
      trigger: byClock('0 9 * * *', {
        resource: 'sales_invoices',
        filters: { 'dueDate[lte]': 'today-7', ...OPEN_INVOICE },
        once: true,
      }),
      conditions: hasMail('document.partner'),
      actions: [{ type: 'email.send', to: '{{document.partner.email}}', subject, body_html: text, attach_pdf: true }],
    }),
  ),
  ready(
    'welcome_mail',
    {
      en: {
        name: 'Welcome new partners',
        description: 'Partners created in the last days get a mail, each partner once.',
        subject: 'Welcome to {{company.name}}',
        text: '<p>Dear {{partner.name}},</p><p>we look forward to working with you.</p><p>{{company.name}}</p>',
      },
      es: {
        name: 'Dar la bienvenida a los nuevos interlocutores',
        description: 'Quien se dio de alta en los últimos días recibe un correo. Una vez por interlocutor.',
        subject: 'Le damos la bienvenida a {{company.name}}',
        text: '<p>Estimados señores de {{partner.name}}:</p><p>Será un placer trabajar con ustedes.</p><p>{{company.name}}</p>',
      },
    },
    ({ subject, text }) => ({
      trigger: byClock('30 9 * * *', { resource: 'partners', filters: { 'createdAt[gte]': 'today-7' }, once: true }),
      conditions: hasMail('partner'),
      actions: [{ type: 'email.send', to: '{{partner.email}}', subject, body_html: text }],
    }),
  ),
  ready(
    'low_stock',
    {
      en: {
        name: 'Tell purchasing of low stock',
        description: 'On Mondays, purchasing hears of each item of which there is less than its minimum.',
        title: 'Low stock: {{item.code}}',
        text: 'There is less than the minimum of {{item.minStock}} of {{item.name}}.',
      },
      es: {
        name: 'Avisar a compras de las existencias bajas',
        description: 'Los lunes, compras recibe un aviso de cada artículo por debajo de su mínimo.',
        title: 'Existencias bajas: {{item.code}}',
        text: 'Quedan menos existencias de {{item.name}} que el mínimo de {{item.minStock}}.',
      },
    },
    ({ title, text }) => ({
      trigger: byClock('0 8 * * mon', { resource: 'items', filters: { belowMinimum: true } }),
      actions: tell('purchasing', title, text),
    }),
  ),
  ready(
    'big_order',
    {
      en: {
        name: 'Tell the manager of big orders',
        description: 'The owners of the company hear of each sales order over 10,000.',
        title: 'Big order {{document.code}}',
        text: '{{document.partner.name}} orders for {{document.total}} {{document.currency}}.',
      },
      es: {
        name: 'Avisar a dirección de los pedidos grandes',
        description: 'Los propietarios de la empresa reciben un aviso de cada pedido de venta de más de 10.000.',
        title: 'Pedido grande {{document.code}}',
        text: '{{document.partner.name}} pide por {{document.total}} {{document.currency}}.',
      },
    },
    ({ title, text }) => ({
      trigger: { type: 'document.created', document_type: 'sales_order' },
      conditions: [{ field: 'document.total', operator: 'greater_than', value: 10_000 }],
      actions: tell('owner', title, text),
    }),
  ),
  ready(
    'lock_at_end_of_day',
    {
      en: {
        name: 'Lock delivery notes at the end of the day',
        description: 'Sales delivery notes cannot be changed any more after the day on which they were made.',
      },
      es: {
        name: 'Bloquear los albaranes al final del día',
        description: 'Los albaranes de venta ya no se pueden cambiar después del día en que se hicieron.',
      },
    },
    () => ({
      trigger: { type: 'document.created', document_type: 'sales_delivery_note' },
      actions: [{ type: 'document.lock', when: 'end_of_day' }],
    }),
  ),
  ready(
    'weekly_report',
    {
      en: {
        name: 'The week before as a report',
        description: 'On Mondays at seven, profit and loss of the week before, as PDF.',
      },
      es: {
        name: 'Informe de la semana anterior',
        description: 'Los lunes a las siete, pérdidas y ganancias de la semana anterior, en PDF.',
      },
    },
    () => ({
      trigger: byClock('0 7 * * mon'),
      actions: [{ type: 'report.generate', report_name: 'pl', format: 'pdf', from: 'week-1', to: 'week-1' }],
    }),
  ),
  ready(
    'payment_thanks',
    {
      en: {
        name: 'Thank for payments',
        description: 'Partners who have paid get a mail.',
        subject: 'Thank you for your payment',
        text:
          '<p>Dear {{payment.partner.name}},</p><p>we have received your payment of {{payment.amount}} on {{payment.payment_date}}. ' +
          'Thank you.</p><p>{{company.name}}</p>',
      },
      es: {
        name: 'Agradecer los cobros',
        description: 'Quien ha pagado recibe un correo.',
        subject: 'Gracias por su pago',
        text:
          '<p>Estimados señores de {{payment.partner.name}}:</p><p>Hemos recibido su pago de {{payment.amount}} con fecha ' +
          '{{payment.payment_date}}. Muchas gracias.</p><p>{{company.name}}</p>',
      },
    },
    ({ subject, text }) => ({
      trigger: { type: 'payment.received' },
      conditions: hasMail('payment.partner'),
      actions: [{ type: 'email.send', to: '{{payment.partner.email}}', subject, body_html: text }],
    }),
  ),
  ready(
    'purchase_without_reference',
    {
      en: {
        name: 'Ask for the number of purchase invoices',
        description:
          'Purchasing hears of a purchase invoice that was entered without the number that the supplier gave it.',
        title: 'Purchase invoice without number',
        text: 'An invoice of {{document.partner.name}} over {{document.total}} {{document.currency}} lacks the supplier’s number.',
      },
      es: {
        name: 'Pedir el número de las facturas de compra',
        description: 'Compras recibe un aviso de cada factura de compra sin el número que le puso el proveedor.',
        title: 'Factura de compra sin número',
        text: 'A una factura de {{document.partner.name}} de {{document.total}} {{document.currency}} le falta el número del proveedor.',
      },
    },
    ({ title, text }) => ({
      trigger: { type: 'document.created', document_type: 'purchase_invoice' },
      conditions: [{ field: 'document.supplierReference', operator: 'is_empty' }],
      actions: tell('purchasing', title, text),
    }),
  ),
  ready(
    'late_orders',
    {
      en: {
        name: 'Tell sales of late orders',
        description: 'On weekdays, sales hears of each order that is open since two weeks. Each order once.',
        title: 'Order {{document.code}} is late',
        text: 'The order of {{document.partner.name}} of {{document.date}} is not delivered completely.',
      },
      es: {
        name: 'Avisar a ventas de los pedidos atrasados',
        description:
          'De lunes a viernes, ventas recibe un aviso de cada pedido abierto desde hace dos semanas. Una vez por pedido.',
        title: 'El pedido {{document.code}} va con retraso',
        text: 'El pedido de {{document.partner.name}} del {{document.date}} no se ha entregado por completo.',
      },
    },
    ({ title, text }) => ({
      trigger: byClock('0 8 * * mon-fri', {
        resource: 'sales_orders',
        filters: { 'date[lte]': 'today-14', 'status[in]': 'O,P' },
        once: true,
      }),
      actions: tell('sales', title, text),
    }),
  ),
  ready(
    'nightly_matching',
    {
      en: {
        name: 'Match payments at night',
        description:
          'Each night, payments of customers of the last three months are matched with invoices by their reference.',
      },
      es: {
        name: 'Conciliar los cobros por la noche',
        description:
          'Cada noche, los cobros de los últimos tres meses se concilian con las facturas por su referencia.',
      },
    },
    () => ({
      trigger: byClock('30 2 * * *', {
        resource: 'received_payments',
        filters: { 'status[in]': 'unlinked,partially_linked', 'payment_date[gte]': 'today-90' },
      }),
      actions: [{ type: 'payment.reconcile', mode: 'by_reference' }],
    }),
  ),
];
