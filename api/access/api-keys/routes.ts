import { Type } from 'typebox';
import { ApiKey } from '../../../db/models/access/access.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { changeApiKey, createApiKey, deleteApiKey, getApiKey } from '../../../services/access/api-keys/api-keys.ts';
import {
  dataBody,
  instant,
  label,
  nullable,
  nullIsMeaningful,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { listRoute } from '../../lists/list-route.ts';
import { created, noContent, ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';
import { ROLE_NAMES, role } from '../sessions/schemas.ts';
import { apiKeyMembers, apiKeySchema } from './schemas.ts';

const TAG = 'API keys';
const Id = Type.Object({ id: uuid() });
const expiresAt = () =>
  nullable(instant({ description: 'Must be in the future; null: never expires, which only an owner may choose' }));

const apiKeyList: ListDefinition = {
  fields: {
    name: { type: 'text', searchable: true },
    role: { type: 'choice', choices: ROLE_NAMES },
    expiresAt: { type: 'instant' },
    createdBy: { type: 'uuid' },
    lastUsedAt: { type: 'instant' },
    createdAt: { type: 'instant' },
  },
  defaultSort: 'name',
};

function toJson(apiKey: ApiKey) {
  return ApiKey.toJson({ ...apiKey });
}

export const routes: Route[] = [
  listRoute({
    path: '/api/api-keys',
    id: 'listApiKeys',
    summary: 'The API keys of the company, without their secrets',
    tag: TAG,
    access: 'api_keys:read',
    list: apiKeyList,
    row: apiKeySchema,
    rows: () => ({
      from: 'api_keys',
      toJson: (row: object) => toJson(ApiKey.fromDatabaseJson(row)),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/api-keys',
    id: 'createApiKey',
    summary: 'Create an API key',
    problems: ['duplicate'],
    description:
      'Only this answer contains the key; send it as Authorization: Bearer <key>. It expires after a year unless expiresAt is given.',
    tag: TAG,
    access: 'api_keys:create',
    body: Type.Object({
      name: label(),
      role: Type.Optional(role()),
      expiresAt: Type.Optional(nullIsMeaningful(expiresAt())),
    }),
    responses: { 201: dataBody(Type.Object({ ...apiKeyMembers, key: text() }, { title: 'NewApiKey' })) },
    handler: async ({ db, ctx, caller, body }) => {
      const { apiKey, secret } = await createApiKey(db, ctx, caller, body);
      const answer = created(`/api/api-keys/${apiKey.id}`, { ...toJson(apiKey), key: secret });
      return { ...answer, headers: { ...answer.headers, 'Cache-Control': 'no-store' } };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/api-keys/:id',
    id: 'getApiKey',
    summary: 'One API key, without its secret',
    description: 'Its name, role and expiry, who created it, and when it was last used.',
    tag: TAG,
    access: 'api_keys:read',
    params: Id,
    responses: { 200: dataBody(apiKeySchema) },
    handler: async ({ reader, params }) => ok(toJson(await getApiKey(reader, params.id))),
  }),
  defineRoute({
    method: 'PATCH',
    path: '/api/api-keys/:id',
    id: 'changeApiKey',
    whenFull: 'reserve',
    summary: 'Change the name or expiry of an API key',
    problems: ['duplicate'],
    description: 'Its role cannot be changed: create another key for another role.',
    tag: TAG,
    access: 'api_keys:update',
    params: Id,
    body: Type.Object({ name: Type.Optional(label()), expiresAt: Type.Optional(expiresAt()) }),
    responses: { 200: dataBody(apiKeySchema) },
    handler: async ({ db, ctx, caller, params, body, ifMatch }) =>
      ok(toJson(await changeApiKey(db, ctx, caller, params.id, body, ifMatch))),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/api-keys/:id',
    id: 'deleteApiKey',
    summary: 'Delete an API key',
    description: 'It stops working at once.',
    tag: TAG,
    access: 'api_keys:delete',
    params: Id,
    responses: { 204: null },
    handler: async ({ db, ctx, caller, params, ifMatch }) => {
      await deleteApiKey(db, ctx, caller, params.id, ifMatch);
      return noContent();
    },
  }),
];
