/** The page of the letter on a year's operations. */
import { type Formats, formatsFor, type Language } from '../../../domain/locale/formats.ts';
import { localDay } from '../../../domain/records/tables/times.ts';
import { type Form, type FormGroup, textLine } from '../../../domain/reports/engine/forms.ts';
import type { Texts } from '../../../domain/reports/engine/texts.ts';
import { taxName } from '../../../domain/trade/documents/tax-sets.ts';
import type { ReportView } from '../engine/declaration.ts';
import type { LetterData } from './operations-letter-data.ts';

export const LETTER_TITLE: Texts = {
  en: 'Letter on the operations of the year',
  es: 'Carta sobre las operaciones del año',
};

const TEXTS = {
  from: { en: 'From', es: 'Remitente' },
  to: { en: 'To', es: 'Destinatario' },
  nif: { en: 'Tax id', es: 'NIF' },
  name: { en: 'Name', es: 'Nombre o razón social' },
  year: { en: 'Year', es: 'Año' },
  A: { en: 'Our purchases from you', es: 'Nuestras compras' },
  B: { en: 'Our sales to you', es: 'Nuestras ventas' },
  reverse: { en: 'with reverse charge', es: 'con inversión del sujeto pasivo' },
  below: { en: 'not declared', es: 'no se declaran' },
  cash: { en: 'Received from you in cash', es: 'Cobrado de ustedes en metálico' },
  operations: { en: 'Operations', es: 'Operaciones' },
  none: { en: 'None', es: 'Ninguna' },
} as const satisfies Record<string, Texts>;

interface Letter {
  readonly year: number;
  /** The last day to answer, formatted. */
  readonly replyBy: string;
  /** Where to answer; empty if the company has neither an e-mail address nor a telephone. */
  readonly contact: string;
}

interface Wording {
  readonly quarters: readonly string[];
  /** @param tax that the amounts include: VAT */
  included(tax: string): string;
  intro(letter: Letter): string;
  request(letter: Letter): string;
}

const WORDING: Readonly<Record<Language, Wording>> = {
  en: {
    quarters: ['Q1', 'Q2', 'Q3', 'Q4'],
    included: (tax) => `${tax} included`,
    intro: ({ year }) =>
      `Our books have these operations with you in ${year}. The Spanish tax agency compares what we declare of them in model 347 with ` +
      'your declaration.',
    request: ({ replyBy, contact }) =>
      `Please confirm these amounts by ${replyBy}, or tell us what differs in your books${contact && `: ${contact}`}.`,
  },
  es: {
    quarters: ['1T', '2T', '3T', '4T'],
    included: (tax) => `${tax} incluido`,
    intro: ({ year }) =>
      `En nuestros libros constan estas operaciones con ustedes en ${year}. La Agencia Tributaria compara lo que declaramos de ellas en ` +
      'el modelo 347 con su declaración.',
    request: ({ replyBy, contact }) =>
      `Les rogamos que confirmen estos importes hasta el ${replyBy}, o nos indiquen qué difiere en sus libros${contact && `: ${contact}`}.`,
  },
};

/** Writes the letter in the language of its addressee. */
export function letterForm(view: ReportView<unknown, LetterData, unknown>): Form {
  const { data, settings, addresseeLanguage = null, ctx } = view;
  const formats = formatsFor(settings.format, addresseeLanguage);
  const say = (name: keyof typeof TEXTS) => TEXTS[name][formats.language];
  const wording = WORDING[formats.language];
  const letter = {
    year: data.year,
    replyBy: formats.day(data.reply_by),
    contact: [settings.company.email, settings.company.phone].filter(Boolean).join(', '),
  };
  const person = (who: 'from' | 'to', { name, nif }: { name: string; nif: string | null }): FormGroup => ({
    title: say(who),
    half: true,
    lines: [textLine(say('name'), name), textLine(say('nif'), nif)],
  });
  return {
    title: `${data.partner.name} · ${data.year}`,
    notes: [wording.intro(letter)],
    groups: [
      person('from', data.company),
      person('to', data.partner),
      ...operationGroups(data, say, wording, taxName(settings.company.taxSet, formats.language)),
      ...cashGroups(data, say),
    ],
    closing: [wording.request(letter), placeAndDay(settings, formats, ctx.now)],
  };
}

type Say = (name: keyof typeof TEXTS) => string;

const toBox = (value: number) => ({ number: '', value });

function operationGroups({ rows }: LetterData, say: Say, { quarters, included }: Wording, tax: string): FormGroup[] {
  if (rows.length === 0) return [{ title: say('operations'), lines: [textLine(say('none'))] }];
  return rows.map(({ key, reverse_charge, declared, q1, q2, q3, q4, total }) => ({
    title: [say(key), reverse_charge ? say('reverse') : included(tax), ...(declared ? [] : [say('below')])].join(', '),
    half: true,
    lines: [q1, q2, q3, q4, total].map((value, index) => ({
      label: quarters[index] ?? say('year'),
      total: true,
      boxes: [toBox(value)],
    })),
  }));
}

function cashGroups({ rows }: LetterData, say: Say): FormGroup[] {
  const lines = rows.flatMap(({ cash }) => (cash === 0 ? [] : [{ label: say('year'), boxes: [toBox(cash)] }]));
  return lines.length === 0 ? [] : [{ title: say('cash'), lines }];
}

/** Formats the place and date of the letter. */
function placeAndDay(
  { company, format }: ReportView<unknown, LetterData, unknown>['settings'],
  { day }: Formats,
  now: Date,
): string {
  return [company.city, day(localDay(now, format.timezone))].filter(Boolean).join(', ');
}
