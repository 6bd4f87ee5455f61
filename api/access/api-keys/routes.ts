import { Type } from 'typebox';
import { ApiKey } from '../../../db/models/access/access.ts';
import { fromRow, type JsonRow } from '../../../db/models/base.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import {
  changeApiKey,
  createApiKey,
  deleteApiKey,
  getApiKey,
  takeOverApiKey,
} from '../../../services/access/api-keys/api-keys.ts';
import {
  KEY_STATUSES,
  type KeyStatus,
  loadKeyStatus,
  SHOWN_KEYS,
} from '../../../services/access/sessions/key-rights.ts';
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
import { HELD_ROLES, ownRoleId, role } from '../sessions/schemas.ts';
import { apiKeyMembers, apiKeySchema } from './schemas.ts';

const TAG = 'API keys';
const Id = Type.Object({ id: uuid() });
const expiresAt = () =>
  nullable(instant({ description: 'Must be in the future; null: never expires, which only an owner may choose' }));

const apiKeyList: ListDefinition = {
  fields: {
    name: { type: 'text', searchable: true },
    role: { type: 'choice', choices: HELD_ROLES },
    expiresAt: { type: 'instant' },
    createdBy: { type: 'uuid' },
    takenOverBy: { type: 'uuid' },
    status: { type: 'choice', choices: KEY_STATUSES },
    lastUsedAt: { type: 'instant' },
    createdAt: { type: 'instant' },
  },
  defaultSort: 'name',
};

function toJson(apiKey: ApiKey, status: KeyStatus) {
  return { ...ApiKey.toJson({ ...apiKey }), status };
}

export const routes: Route[] = [
  listRoute({
    path: '/api/api-keys',
    id: 'listApiKeys',
    summary: 'The API keys of the company, without their secrets',
    tag: TAG,
    access: ApiKey.access,
    list: apiKeyList,
    row: apiKeySchema,
    rows: () => ({
      from: `(${SHOWN_KEYS}) k`,
      toJson: ({ status, ...row }: JsonRow) => toJson(fromRow(ApiKey, row), status as KeyStatus),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/api-keys',
    id: 'createApiKey',
    summary: 'Create an API key',
    problems: ['duplicate'],
    description:
      'Only this answer contains the key; send it as Authorization: Bearer <key>. It expires after a year unless expiresAt is given. ' +
      'It may do what its role, or the permissions that you list instead, allow and you may do at the time. A key that creates ' +
      'another gives it no more rights and no later expiry than its own, and deleting it deletes the other.',
    tag: TAG,
    access: 'api_keys:create',
    body: Type.Object({
      name: label(),
      role: Type.Optional(role()),
      roleId: Type.Optional(ownRoleId()),
      permissions: Type.Optional(
        Type.Array(text({ max: 60 }), {
          minItems: 1,
          maxItems: 300,
          uniqueItems: true,
          description: 'Just these, as resource:action, in place of a role: GET /api/roles lists them',
        }),
      ),
      expiresAt: Type.Optional(nullIsMeaningful(expiresAt())),
    }),
    responses: { 201: dataBody(Type.Object({ ...apiKeyMembers, key: text() }, { title: 'NewApiKey' })) },
    handler: async ({ db, ctx, caller, body }) => {
      const { apiKey, secret } = await createApiKey(db, ctx, caller, body);
      const answer = created(`/api/api-keys/${apiKey.id}`, { ...toJson(apiKey, 'active'), key: secret });
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
    access: ApiKey.access,
    params: Id,
    responses: { 200: dataBody(apiKeySchema) },
    handler: async ({ reader, params }) => {
      const [apiKey, status] = await Promise.all([getApiKey(reader, params.id), loadKeyStatus(reader, params.id)]);
      return ok(toJson(apiKey, status));
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/api/api-keys/:id',
    id: 'changeApiKey',
    whenFull: 'reserve',
    summary: 'Change the name or expiry of an API key',
    problems: ['duplicate'],
    description: 'Its role and permissions cannot be changed: create another key for others.',
    tag: TAG,
    access: 'api_keys:update',
    params: Id,
    body: Type.Object({ name: Type.Optional(label()), expiresAt: Type.Optional(expiresAt()) }),
    responses: { 200: dataBody(apiKeySchema) },
    handler: async ({ db, ctx, caller, params, body, ifMatch }) =>
      ok(toJson(await changeApiKey(db, ctx, caller, params.id, body, ifMatch), await loadKeyStatus(db, params.id))),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/api-keys/:id',
    id: 'deleteApiKey',
    summary: 'Delete an API key',
    description: 'It stops working at once, and so do keys that were created with it.',
    tag: TAG,
    access: 'api_keys:delete',
    params: Id,
    responses: { 204: null },
    handler: async ({ db, ctx, caller, params, ifMatch }) => {
      await deleteApiKey(db, ctx, caller, params.id, ifMatch);
      return noContent();
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/api-keys/:id/take-over',
    id: 'takeOverApiKey',
    summary: 'Take over an API key whose creator has left',
    problems: ['invalid_transition'],
    description:
      'Only for owners. The key, with those created with it, works again, within the rights of the calling owner from now on.',
    tag: TAG,
    access: 'api_keys:update',
    params: Id,
    responses: { 200: dataBody(apiKeySchema) },
    handler: async ({ db, ctx, caller, params, ifMatch }) =>
      ok(toJson(await takeOverApiKey(db, ctx, caller, params.id, ifMatch), 'active')),
  }),
];
