/** Checks whether a report has anything to show. */
import type { TSchema } from 'typebox';
import type { Report, Values } from '../engine/declaration.ts';

interface Schema {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly decimalPlaces?: number;
  readonly 'x-measure'?: string;
}

/** Whether any of its amounts or quantities is not zero; for a paged report, whether it has rows. */
export function hasFigures({ data, summary, paged }: Report, answer: Values): boolean {
  const found = (answer.data ?? answer) as { pagination?: { total: number } };
  if (paged === true) return (found.pagination?.total ?? 0) > 0;
  return isFigure(data, found) || isFigure(summary, answer.summary);
}

function isFigure(schema: TSchema | undefined, value: unknown): boolean {
  if (schema === undefined) return false;
  const { properties, patternProperties = {}, items, decimalPlaces, 'x-measure': measure } = schema as Schema;
  if (typeof value === 'number') return decimalPlaces !== undefined && measure !== 'percent' && value !== 0;
  if (Array.isArray(value)) return value.some((entry) => isFigure(items, entry));
  if (typeof value !== 'object' || value === null) return false;
  const [others] = Object.values(patternProperties);
  return Object.entries(value).some(([name, member]) => isFigure(properties?.[name] ?? others, member));
}
