/** Members that the service reads as a language, each in a body that is accepted otherwise. */
import type { Attempt } from './attempts.ts';
import { type Growth, list, TEXTS, VALUES } from './growths.ts';
import type { Random } from './random.ts';
import { existingId, type Ids } from './sample.ts';

interface Language {
  readonly path: string;
  /** The most characters that the member takes. */
  readonly most: number;
  body(text: unknown, number: number): object;
}

const trigger = { type: 'document.created' };
const notice = { type: 'email.send', to: 'a@example.com', subject: 'S', body_html: 'T' };
const field = (number: number, more: object) => {
  return { table_name: 'Item', field_name: `fuzz_${number}`, label: 'F', type: 'TEXTAREA', ...more };
};
const inTransaction = (body: unknown) => ({
  operations: [
    { id: 'so', method: 'GET', path: '/api/company' },
    { id: 'x', method: 'POST', path: '/api/sales', body },
  ],
});

const LANGUAGES: Readonly<Record<string, Language>> = {
  'templates of mails': { path: '/api/email-templates/:id/preview', most: 10_000, body: (body) => ({ body }) },
  'templates of mails in HTML': {
    path: '/api/email-templates/:id/preview',
    most: 20_000,
    body: (bodyHtml) => ({ bodyHtml }),
  },
  patterns: {
    path: '/api/custom-fields',
    most: 500,
    body: (validation_regex, number) => field(number, { validation_regex, default_value: 'a'.repeat(5000) }),
  },
  'values of patterns': {
    path: '/api/custom-fields',
    most: 10_000,
    body: (default_value, number) => field(number, { validation_regex: '((a|aa)+,?){1,50}$', default_value }),
  },
  'templates of automations': {
    path: '/api/automations',
    most: 20_000,
    body: (body_html) => ({ name: 'Fuzz', trigger, actions: [{ ...notice, body_html }] }),
  },
  'values of conditions': {
    path: '/api/automations',
    most: 100_000,
    body: (value) => ({
      name: 'Fuzz',
      trigger,
      conditions: [{ field: 'document.notes', operator: 'contains', value }],
      actions: [notice],
    }),
  },
  'paths of conditions': {
    path: '/api/webhooks',
    most: 10_000,
    body: (path) => ({
      name: 'Fuzz',
      url: 'https://example.com/fuzz',
      events: ['*'],
      filters: [{ field: path, operator: 'eq', value: 1 }],
    }),
  },
  'cron expressions of automations': {
    path: '/api/automations',
    most: 200,
    body: (expression) => ({ name: 'Fuzz', trigger: { type: 'schedule.cron', expression }, actions: [notice] }),
  },
  'cron expressions of reports': {
    path: '/api/report-schedules',
    most: 200,
    body: (cron) => ({
      name: 'Fuzz',
      report_name: 'vat',
      params: { from: 'month-1', to: 'month-1' },
      cron,
      format: 'excel',
    }),
  },
  'names of bins': { path: '/api/warehouses/:id/generate-bins', most: 200, body: (pattern) => ({ pattern }) },
  'paths of transactions': {
    path: '/api/transactions',
    most: 2000,
    body: (path) => ({ operations: [{ id: 'x', method: 'GET', path }] }),
  },
  'references of transactions': {
    path: '/api/transactions',
    most: 800_000,
    body: (text) => inTransaction(list(String(text).length / 30, () => ({ $ref: 'so.data' }))),
  },
  'bodies of transactions': { path: '/api/transactions', most: 800_000, body: (text) => inTransaction(text) },
};

/** How many growths each language gets in a round. */
const GROWTHS = 6;

/** Attempts on every language. */
export function languageAttempts(ids: Ids, random: Random): Attempt[] {
  const growths: [string, Growth][] = [...Object.entries(TEXTS), ...Object.entries(VALUES)];
  let number = random.below(1e9);
  return Object.entries(LANGUAGES).flatMap(([name, { path, most, body }]) =>
    list(GROWTHS, () => {
      const [how, growth] = random.pick(growths);
      const address = path.replace(':id', existingId(ids, path.replace(/\/:id.*/, ''), random));
      const make = (bytes: number) => {
        number += 1;
        const sent = Buffer.from(JSON.stringify(body(growth(bytes), number)));
        return { method: 'POST', path: address, body: sent, type: 'application/json' };
      };
      return { route: `POST ${path}`, how: `${name}: ${how}`, most, make };
    }),
  );
}
