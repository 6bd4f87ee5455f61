/** Default templates for mails with documents, used until a company writes its own. */

import type { Language } from '../../locale/formats.ts';
import { DOCUMENT_TYPES, type DocType } from '../../trade/documents/types.ts';

/** Subject and body, with placeholders such as `{{ document.number }}`. */
export interface Template {
  readonly subject: string;
  readonly body: string;
  /** The HTML part; derived from the text if absent. */
  readonly bodyHtml?: string | null;
}

const SIDES: Readonly<Record<Language, Readonly<Record<'sales' | 'purchases', string>>>> = {
  es: {
    sales: 'Le enviamos adjunto el documento {{ document.title }} {{ document.number }} de fecha {{ document.date }}',
    purchases:
      'Les enviamos adjunto nuestro documento {{ document.title }} {{ document.number }} de fecha {{ document.date }}',
  },
  en: {
    sales: 'Please find attached {{ document.title }} {{ document.number }} dated {{ document.date }}',
    purchases: 'Please find attached our {{ document.title }} {{ document.number }} dated {{ document.date }}',
  },
};

const FRAME: Readonly<Record<Language, Readonly<Record<'hello' | 'due' | 'total' | 'link' | 'bye', string>>>> = {
  es: {
    hello: 'Buenos días, {{ partner.name }}:',
    due: '{% if document.dueDate %}Vencimiento: {{ document.dueDate }}.{% endif %}',
    total: 'Importe total: {{ document.total }}.',
    link: '{% if document.link %}Puede verlo y aceptarlo aquí: {{ document.link }}{% endif %}',
    bye: 'Atentamente,\n{{ company.name }}',
  },
  en: {
    hello: 'Dear {{ partner.name }},',
    due: '{% if document.dueDate %}Due: {{ document.dueDate }}.{% endif %}',
    total: 'Total: {{ document.total }}.',
    link: '{% if document.link %}You can see and accept it here: {{ document.link }}{% endif %}',
    bye: 'Kind regards,\n{{ company.name }}',
  },
};

/** Returns the default template for a document type in a language. */
export function defaultTemplate(docType: DocType, language: Language): Template {
  const { side, kind } = DOCUMENT_TYPES[docType];
  const { hello, due, total, link, bye } = FRAME[language];
  const amounts = kind === 'delivery_note' ? [] : [`${total}${kind === 'invoice' ? ` ${due}` : ''}`];
  return {
    subject: '{{ document.title }} {{ document.number }} – {{ company.name }}',
    body: [
      hello,
      `${SIDES[language][side === 'sales' ? 'sales' : 'purchases']}.`,
      ...amounts,
      ...(docType === 'SQ' ? [link] : []),
      bye,
    ].join('\n\n'),
  };
}
