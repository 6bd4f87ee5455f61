/**
 * Descriptions and samples of members that mean the same everywhere. A schema's own description takes precedence. Names are in camelCase
 * here and serve snake_case as well.
 */
import { camelCase } from '../../../domain/words.ts';
import { common, type Vocabulary } from './common.ts';
import { documents } from './documents.ts';
import { identity } from './identity.ts';
import { masterData } from './master-data.ts';
import { money } from './money.ts';
import { people } from './people.ts';
import { webhooks } from './webhooks.ts';

const VOCABULARY: Vocabulary = {
  ...common,
  ...identity,
  ...masterData,
  ...documents,
  ...money,
  ...people,
  ...webhooks,
};

/** The description and sample of a member name. */
export function wordFor(name: string): Vocabulary[string] | undefined {
  const camel = camelCase(name);
  return Object.hasOwn(VOCABULARY, camel) ? VOCABULARY[camel] : undefined;
}
