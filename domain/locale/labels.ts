/** What the columns of tables are called, in the languages that the service has texts of. */
import { camelCase } from '../words.ts';
import { LANGUAGES, type Language } from './formats.ts';
import { SPANISH_LABELS } from './labels-es.ts';

/** Names whose words say too little, or are no words. */
const ENGLISH_LABELS: Readonly<Record<string, string>> = {
  bic: 'BIC',
  counterpartyIban: 'Counterparty IBAN',
  documentCode: 'Document',
  httpStatus: 'HTTP status',
  iban: 'IBAN',
  id: 'ID',
  intraEuInputAccount: 'Intra-EU input account',
  intraEuOutputAccount: 'Intra-EU output account',
  itemCode: 'Item',
  nif: 'Tax ID',
  responseTimeMs: 'Response time (ms)',
  resultUrl: 'Result URL',
  sku: 'SKU',
  uom: 'Unit',
  url: 'URL',
  zoneCode: 'Zone',
};

/**
 * The label of a column.
 * @param name of a member as answers have it, without the Id of a reference; what is nested has a dot: partner.code
 */
export function labelOf(name: string, language: Language): string {
  const [first = '', ...nested] = name.split('.').map((part) => labelOfMember(camelCase(part), language));
  return [first, ...nested.map(inSentence)].join(': ');
}

/** The label in every language, for who reads tables. */
export function labelsOf(name: string): string[] {
  return [...new Set(LANGUAGES.map((language) => labelOf(name, language)))];
}

/** The name of what a member with an id refers to: groupId and group_id are of a group. */
export function referredBy(member: string): string {
  return member.replace(/(?<=.)(Id|_id)$/, '');
}

function labelOfMember(name: string, language: Language): string {
  const own = language === 'es' ? SPANISH_LABELS : ENGLISH_LABELS;
  return (Object.hasOwn(own, name) ? own[name] : undefined) ?? inWords(name);
}

function inWords(name: string): string {
  const words = name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, ' $&').toLowerCase();
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** A label after another one; what is all capitals stays so. */
function inSentence(label: string): string {
  return /^\p{Lu}{2}/u.test(label) ? label : `${label.slice(0, 1).toLowerCase()}${label.slice(1)}`;
}
