/** Column titles of tables, in the service's languages. */
import { camelCase } from '../words.ts';
import { LANGUAGES, type Language } from './formats.ts';
import { SPANISH_LABELS } from './labels-es.ts';

/** Titles for names that do not make readable ones by themselves. */
const ENGLISH_LABELS: Readonly<Record<string, string>> = {
  addressees: 'To',
  averageValue: 'Weighted average value',
  batchNum: 'Batch number',
  bic: 'BIC',
  class: 'ABC class',
  counterpartyIban: 'Counterparty IBAN',
  dead: 'Dead stock',
  documentCode: 'Document',
  entityId: 'Entity ID',
  fifoValue: 'FIFO value',
  httpStatus: 'HTTP status',
  iban: 'IBAN',
  id: 'ID',
  intraEuInputAccount: 'Intra-EU input account',
  intraEuOutputAccount: 'Intra-EU output account',
  itemCode: 'Item',
  marginPercent: 'Margin %',
  nif: 'Tax ID',
  responseTimeMs: 'Response time (ms)',
  resultUrl: 'Result URL',
  sku: 'SKU',
  uom: 'Unit',
  url: 'URL',
  userId: 'User ID',
  zoneCode: 'Zone',
};

/**
 * Returns the title of a column.
 * @param name of a member in answers, without the Id of a reference; nested ones are dotted: partner.code
 */
export function memberLabel(name: string, language: Language): string {
  const [first = '', ...nested] = name.split('.').map((part) => partLabel(camelCase(part), language));
  return [first, ...nested.map(inSentence)].join(': ');
}

/** Returns the titles in every language, for reading tables. */
export function memberLabels(name: string): string[] {
  return [...new Set(LANGUAGES.map((language) => memberLabel(name, language)))];
}

/** Returns the name of the record behind an id member: groupId and group_id refer to group. */
export function referredBy(member: string): string {
  return member.replace(/(?<=.)(Id|_id)$/, '');
}

function partLabel(name: string, language: Language): string {
  const own = language === 'es' ? SPANISH_LABELS : ENGLISH_LABELS;
  return (Object.hasOwn(own, name) ? own[name] : undefined) ?? inWords(name);
}

function inWords(name: string): string {
  const words = name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, ' $&').toLowerCase();
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** Puts a title in lower case within another one, except acronyms. */
function inSentence(label: string): string {
  return /^\p{Lu}{2}/u.test(label) ? label : `${label.slice(0, 1).toLowerCase()}${label.slice(1)}`;
}
