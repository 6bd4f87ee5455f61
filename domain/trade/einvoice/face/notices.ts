/** Notices about invoices that are sent to public bodies, in both languages. */
import type { FaceError } from './answers.ts';

export type NoticeKind = 'refused' | 'uncertain' | 'rejected' | 'unreachable' | 'cancellation_refused';

type Words = readonly [title: string, advice: string];

const WORDS: Readonly<Record<NoticeKind, { readonly en: Words; readonly es: Words }>> = {
  refused: {
    en: ['FACe refuses invoice', 'Mend what it names; then POST …/facturae/send.'],
    es: ['FACe no admite la factura', 'Corrija lo que indica; después, POST …/facturae/send.'],
  },
  uncertain: {
    en: [
      'It is not known whether FACe has invoice',
      'Look for it there: if it is there, POST …/facturae/registered with its number; if not, POST …/facturae/send.',
    ],
    es: [
      'No se sabe si FACe tiene la factura',
      'Compruébelo en FACe: si está, POST …/facturae/registered con su número de registro; si no, POST …/facturae/send.',
    ],
  },
  rejected: {
    en: ['The public body rejects invoice', 'Its reason:'],
    es: ['La administración rechaza la factura', 'Motivo:'],
  },
  unreachable: {
    en: ['FACe does not answer about invoice', 'It is tried again until it does, at least once an hour.'],
    es: ['FACe no contesta sobre la factura', 'Se repite hasta que conteste, al menos cada hora.'],
  },
  cancellation_refused: {
    en: ['FACe refuses to cancel invoice', 'It stays as it is there.'],
    es: ['FACe no admite la anulación de la factura', 'Allí queda como está.'],
  },
};

/** @param number of the invoice @param said what FACe or the public body says; null for nothing */
export function faceNotice(kind: NoticeKind, number: string, said: FaceError | string | null) {
  const { en, es } = WORDS[kind];
  const words = said === null ? '' : typeof said === 'string' ? ` ${said}` : ` ${said.text} (${said.code})`;
  return {
    title: `${en[0]} ${number}`,
    body: `${en[1]}${words}`,
    actionLabel: 'Show',
    es: { title: `${es[0]} ${number}`, body: `${es[1]}${words}`, actionLabel: 'Ver' },
  };
}
