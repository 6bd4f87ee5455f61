/**
 * The words that an invoice must have for sales without VAT (RD 1619/2012, art. 6.1.j to m; Directive 2006/112/EC, art. 226), and their
 * codes in each format: the category and code of EN 16931 (VATEX), the special event of Facturae.
 */
import type { Language } from '../../locale/formats.ts';
import type { Mention } from './mentions.ts';
import { type TaxSet, taxName } from './tax-sets.ts';

interface Wording {
  /** With `{tax}` for the name of the indirect tax. */
  readonly text: string;
  /** Article of the law, for companies in Spain whose tax names no other. */
  readonly article: string;
}

export interface LegalText {
  /** VAT category (UNCL 5305): reverse charge, within the EU, exported, exempt, or outside the scope. */
  readonly category: 'AE' | 'K' | 'G' | 'E' | 'O';
  readonly vatex?: string;
  /** 01 exempt, 02 not subject. */
  readonly facturaeEvent?: '01' | '02';
  readonly wording: Readonly<Record<Language, Wording>>;
}

export const LEGAL_TEXTS: Readonly<Record<Mention, LegalText>> = {
  reverseCharge: {
    category: 'AE',
    vatex: 'VATEX-EU-AE',
    wording: {
      es: { text: 'Inversión del sujeto pasivo', article: 'art. 84.Uno.2.º de la Ley 37/1992' },
      en: { text: 'Reverse charge', article: 'art. 84.Uno.2.º of Spanish Act 37/1992' },
    },
  },
  intraEuGoods: {
    category: 'K',
    vatex: 'VATEX-EU-IC',
    facturaeEvent: '01',
    wording: {
      es: { text: 'Entrega intracomunitaria exenta de {tax}', article: 'art. 25 de la Ley 37/1992' },
      en: { text: 'Intra-Community supply of goods, exempt from {tax}', article: 'art. 25 of Spanish Act 37/1992' },
    },
  },
  intraEuServices: {
    category: 'AE',
    vatex: 'VATEX-EU-AE',
    facturaeEvent: '02',
    wording: {
      es: {
        text: 'Inversión del sujeto pasivo: prestación intracomunitaria de servicios',
        article: 'art. 69 de la Ley 37/1992',
      },
      en: { text: 'Reverse charge: intra-Community supply of services', article: 'art. 69 of Spanish Act 37/1992' },
    },
  },
  exportGoods: {
    category: 'G',
    vatex: 'VATEX-EU-G',
    facturaeEvent: '01',
    wording: {
      es: { text: 'Exportación exenta de {tax}', article: 'art. 21 de la Ley 37/1992' },
      en: { text: 'Export, exempt from {tax}', article: 'art. 21 of Spanish Act 37/1992' },
    },
  },
  likeExport: {
    category: 'G',
    vatex: 'VATEX-EU-G',
    facturaeEvent: '01',
    wording: {
      es: { text: 'Operación asimilada a las exportaciones, exenta de {tax}', article: 'art. 22 de la Ley 37/1992' },
      en: { text: 'Treated as an export, exempt from {tax}', article: 'art. 22 of Spanish Act 37/1992' },
    },
  },
  customsZone: {
    category: 'E',
    facturaeEvent: '01',
    wording: {
      es: {
        text: 'Operación en zonas francas, depósitos o regímenes aduaneros, exenta de {tax}',
        article: 'arts. 23 y 24 de la Ley 37/1992',
      },
      en: {
        text: 'In a free zone, a warehouse or under customs arrangements, exempt from {tax}',
        article: 'arts. 23 and 24 of Spanish Act 37/1992',
      },
    },
  },
  exportServices: {
    category: 'O',
    vatex: 'VATEX-EU-O',
    facturaeEvent: '02',
    wording: {
      es: { text: 'Servicio no sujeto a {tax} por reglas de localización', article: 'art. 69 de la Ley 37/1992' },
      en: {
        text: 'Service not subject to {tax} by the rules on the place of supply',
        article: 'art. 69 of Spanish Act 37/1992',
      },
    },
  },
  exempt: {
    category: 'E',
    facturaeEvent: '01',
    wording: {
      es: { text: 'Operación exenta de {tax}', article: 'art. 20 de la Ley 37/1992' },
      en: { text: 'Exempt from {tax}', article: 'art. 20 of Spanish Act 37/1992' },
    },
  },
  otherExempt: {
    category: 'E',
    facturaeEvent: '01',
    wording: {
      es: { text: 'Operación exenta de {tax}', article: 'Ley 37/1992' },
      en: { text: 'Exempt from {tax}', article: 'Spanish Act 37/1992' },
    },
  },
  notSubject: {
    category: 'O',
    vatex: 'VATEX-EU-O',
    facturaeEvent: '02',
    wording: {
      es: { text: 'Operación no sujeta a {tax}', article: 'art. 7 de la Ley 37/1992' },
      en: { text: 'Not subject to {tax}', article: 'art. 7 of Spanish Act 37/1992' },
    },
  },
  marginScheme: {
    category: 'E',
    vatex: 'VATEX-EU-F',
    wording: {
      es: {
        text: 'Régimen especial de los bienes usados, objetos de arte, antigüedades y objetos de colección',
        article: 'arts. 135 a 139 de la Ley 37/1992',
      },
      en: {
        text: 'Margin scheme: second-hand goods, works of art, collectors’ items and antiques',
        article: 'arts. 135 to 139 of Spanish Act 37/1992',
      },
    },
  },
};

/** The mention of an invoice under the cash basis (LIVA, art. 163 sexiesdecies; RD 1619/2012, art. 6.1.p). */
export const CASH_BASIS_TEXT: Readonly<Record<Language, string>> = {
  es: 'Régimen especial del criterio de caja',
  en: 'Cash accounting scheme (régimen especial del criterio de caja)',
};

interface Reader {
  readonly language: Language;
  /** Whether the seller is in Spain. */
  readonly spanish: boolean;
  readonly taxSet: TaxSet;
}

/** A mention as an invoice has it; companies outside Spain, or with another tax than VAT, cite no article but that of their tax. */
export function legalText(mention: Mention, article: string | null, { language, spanish, taxSet }: Reader): string {
  const wording = LEGAL_TEXTS[mention].wording[language];
  const cited = article ?? (spanish && taxSet === 'vat' ? wording.article : null);
  const text = wording.text.replace('{tax}', taxName(taxSet, language));
  return cited === null ? text : `${text} (${cited})`;
}
