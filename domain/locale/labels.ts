/** Column titles of tables, in the languages that the service has texts in. */
import { camelCase } from '../words.ts';
import { LANGUAGES, type Language } from './formats.ts';
import { SPANISH_LABELS } from './labels-es.ts';

/** Names whose words say too little, or are not words. */
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
 * The title of a column.
 * @param name of a member as in answers, without the Id of a reference; nested ones are dotted: partner.code
 */
export function memberLabel(name: string, language: Language): string {
  const [first = '', ...nested] = name.split('.').map((part) => partLabel(camelCase(part), language));
  return [first, ...nested.map(inSentence)].join(': ');
}

/** The title in every language, for reading tables. */
export function memberLabels(name: string): string[] {
  return [...new Set(LANGUAGES.map((language) => memberLabel(name, language)))];
}

/** The name of what an id member refers to: groupId and group_id refer to group. */
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

/** A title within another one; all capitals stay so. */
function inSentence(label: string): string {
  return /^\p{Lu}{2}/u.test(label) ? label : `${label.slice(0, 1).toLowerCase()}${label.slice(1)}`;
}
