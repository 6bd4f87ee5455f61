/** The answer when somebody leaves the company. */
import { Type } from 'typebox';
import { ApiKey } from '../../db/models/identity.ts';
import { dataOf } from '../../services/validation/schemas.ts';
import { noContent, ok } from '../respond.ts';
import type { RouteResponse } from '../route.ts';
import { apiKeySchema } from './schemas.ts';

export const keysLeftSchema = dataOf(
  Type.Object(
    { apiKeys: Type.Array(apiKeySchema, { description: 'Keys that they created, which still work' }) },
    { title: 'KeysLeft' },
  ),
);

/** The API keys created by a user who leaves; 204 when there are none. */
export function keysLeftAnswer(keys: readonly ApiKey[]): RouteResponse {
  return keys.length === 0 ? noContent() : ok({ apiKeys: keys.map((key) => ApiKey.toJson({ ...key })) });
}
