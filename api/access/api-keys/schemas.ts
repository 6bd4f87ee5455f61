import { Type } from 'typebox';
import { ApiKey } from '../../../db/models/access/access.ts';
import { KEY_STATUSES } from '../../../services/access/sessions/key-rights.ts';
import {
  choice,
  dataBody,
  instant,
  integer,
  label,
  nullable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { noContent, ok } from '../../respond.ts';
import type { RouteResponse } from '../../route.ts';
import { heldRole } from '../sessions/schemas.ts';

export const apiKeyMembers = {
  id: uuid(),
  name: label(),
  role: heldRole(),
  roleId: nullable(uuid({ description: "The role of the company's own that it has" })),
  permissions: nullable(Type.Array(text(), { description: 'Its own, as resource:action; null for those of its role' })),
  expiresAt: nullable(instant()),
  createdBy: nullable(uuid()),
  createdByName: nullable(text()),
  takenOverBy: nullable(uuid()),
  status: choice(KEY_STATUSES, {
    description: 'Whether it works, until it expires; suspended if whoever answers for it is no active member',
  }),
  lastUsedAt: nullable(instant()),
  version: integer(),
  createdAt: instant(),
  updatedAt: instant(),
};

export const apiKeySchema = Type.Object(apiKeyMembers, { title: 'ApiKey' });

/** Answer when somebody leaves the company. */
export const remainingKeysSchema = dataBody(
  Type.Object(
    { apiKeys: Type.Array(apiKeySchema, { description: 'Keys that the user answered for, now suspended' }) },
    { title: 'KeysLeft' },
  ),
);

/** Answers with the API keys answered for by a user who has left; 204 if there are none. */
export function remainingKeysAnswer(keys: readonly ApiKey[]): RouteResponse {
  return keys.length === 0
    ? noContent()
    : ok({ apiKeys: keys.map((key) => ({ ...ApiKey.toJson({ ...key }), status: 'suspended' })) });
}
