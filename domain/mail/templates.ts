/** The templates of mails with documents that apply until a company writes its own. */
import { DOCUMENT_TYPES, type DocType } from '../documents/types.ts';
import type { Language } from '../locale/formats.ts';

/** Subject and text, in which `{{ document.number }}` and the like stand for the document. */
export interface Template {
  readonly subject: string;
  readonly body: string;
  /** The HTML part; without one it follows from the text. */
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

const FRAME: Readonly<
  Record<Language, { readonly hello: string; readonly due: string; readonly total: string; readonly bye: string }>
> = {
  es: {
    hello: 'Buenos días, {{ partner.name }}:',
    due: '{% if document.dueDate %}Vencimiento: {{ document.dueDate }}.{% endif %}',
    total: 'Importe total: {{ document.total }}.',
    bye: 'Atentamente,\n{{ company.name }}',
  },
  en: {
    hello: 'Dear {{ partner.name }},',
    due: '{% if document.dueDate %}Due: {{ document.dueDate }}.{% endif %}',
    total: 'Total: {{ document.total }}.',
    bye: 'Kind regards,\n{{ company.name }}',
  },
};

/** The template of a type of documents in a language. */
export function defaultTemplate(docType: DocType, language: Language): Template {
  const { side, kind } = DOCUMENT_TYPES[docType];
  const { hello, due, total, bye } = FRAME[language];
  const amounts = kind === 'delivery_note' ? [] : [`${total}${kind === 'invoice' ? ` ${due}` : ''}`];
  return {
    subject: '{{ document.title }} {{ document.number }} – {{ company.name }}',
    body: [hello, `${SIDES[language][side === 'sales' ? 'sales' : 'purchases']}.`, ...amounts, bye].join('\n\n'),
  };
}
