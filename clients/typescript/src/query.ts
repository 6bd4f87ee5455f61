/** Query strings as the service reads them: `total[gte]=100`, lists comma-separated. */

type QueryOperators = Readonly<Record<string, unknown>>;

/** Writes parameters as a query string with its question mark; empty without any. Those that are undefined or null are left out. */
export function toQuery(parameters: { readonly [name: string]: unknown } = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined || value === null) continue;
    if (isOperators(value)) {
      for (const [operator, operand] of Object.entries(value)) {
        if (operand !== undefined) query.append(`${name}[${operator}]`, toText(operand));
      }
    } else query.append(name, toText(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

function isOperators(value: unknown): value is QueryOperators {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date);
}

function toText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? value.join(',') : String(value);
}
