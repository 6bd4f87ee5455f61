/** Converts names between spellings, and builds English phrases from them. */

/** Formats an entity's name for running text: PartnerGroup → partner group. */
export function spacedWords(name: string): string {
  return name.replaceAll(/(?<=[a-z])[A-Z]/g, ' $&').toLowerCase();
}

/** due_date → dueDate. */
export function camelCase(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** partner_group, payment.registered → PartnerGroup, PaymentRegistered. */
export function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Formats a count: 1 category, 2 categories. */
export function counted(count: number, singular: string): string {
  return `${count} ${count === 1 ? singular : plural(singular)}`;
}

/** Joins texts as in a sentence: one, two and three. */
export function joinWords(texts: readonly string[], conjunction: 'and' | 'or' = 'and'): string {
  const last = texts.at(-1) ?? '';
  return texts.length > 1 ? `${texts.slice(0, -1).join(', ')} ${conjunction} ${last}` : last;
}

function plural(singular: string): string {
  if (singular.endsWith('series')) return singular;
  if (/[^aeiou]y$/.test(singular)) return `${singular.slice(0, -1)}ies`;
  return /(s|x|ch|sh)$/.test(singular) ? `${singular}es` : `${singular}s`;
}
